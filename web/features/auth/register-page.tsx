import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { resource } from "../../lib/resource";
import { paths } from "../../paths";
import { settings } from "../../settings";
import { Icon } from "../../ui/icon";
import { usePageTitle } from "../../ui/page-title";
import { AccountCard } from "./account-card";
import { registration } from "./calls";
import { RegisterForm } from "./register-form";

const registrationAtom = resource(registration);

export default function RegisterPage() {
  const { t } = useTranslation();
  const { data } = useAtomValue(registrationAtom);
  const open = data?.open ?? settings.registration === "open";
  usePageTitle(t("account.register.title"));

  const footer = (
    <>
      {t("account.register.haveAccount")} <Link href={paths.login}>{t("account.register.login")}</Link>
    </>
  );

  if (!open)
    return (
      <AccountCard title={t("account.register.closedTitle")} footer={footer}>
        <p className="message note" role="status">
          <Icon name="lock" />
          {t("account.register.closed")}
        </p>
      </AccountCard>
    );

  return (
    <AccountCard title={t("account.register.title")} subtitle={t("account.register.subtitle")} footer={footer}>
      {data?.first && (
        <p className="message note" role="status">
          <Icon name="user" />
          {t("account.register.first")}
        </p>
      )}
      <RegisterForm />
    </AccountCard>
  );
}
