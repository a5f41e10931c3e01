import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { AccountCard } from "./account-card";
import { setupCodeOf } from "./register-body";
import { RegisterForm } from "./register-form";
import { useRegistration } from "./registration-state";

export default function RegisterPage() {
  const { t } = useTranslation();
  const { open, first } = useRegistration();

  const footer = (
    <>
      {t("account.register.haveAccount")} <Link href={paths.login}>{t("account.register.login")}</Link>
    </>
  );

  // With a setup code the first account can be registered also while registration is closed.
  if (!open && !setupCodeOf(location.hash))
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
      {first && (
        <p className="message note" role="status">
          <Icon name="user" />
          {t("account.register.first")}
        </p>
      )}
      <RegisterForm />
    </AccountCard>
  );
}
