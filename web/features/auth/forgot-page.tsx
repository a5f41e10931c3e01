import { useAtom } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, payload } from "../../api";
import { text } from "../../lib/form";
import { paths } from "../../paths";
import { EmailField } from "../../ui/controls/account-fields";
import { Form } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { registrationAtom } from "../../ui/hooks/use-registration";
import { useSubmit } from "../../ui/hooks/use-submit";
import { usePageTitle } from "../../ui/layout/page-title";
import { AccountCard } from "./account-card";

/** Requests a link to set a new password, where Wakeful sends mails. Whether an account has the address is not said. */
export default function ForgotPage() {
  const { t } = useTranslation();
  const [{ data: registration }] = useAtom(registrationAtom);
  const canReset = registration?.reset !== false;
  const [isSent, setSent] = useState(false);
  const form = useSubmit(t("reset.sendFailed"), { plain: true });
  const title = t(canReset ? "reset.forgotTitle" : "reset.forgotten");
  usePageTitle(title);

  const onValid = (fields: FormData) =>
    form.submit(
      () => payload(api.auth.forgot.post({ email: text(fields, "email") })),
      () => setSent(true),
    );

  return (
    <AccountCard
      title={title}
      subtitle={isSent ? undefined : t(canReset ? "reset.forgotText" : "reset.byAdministrator")}
      footer={
        <Link href={paths.login} className={canReset && !isSent ? undefined : "button"}>
          {t("reset.toLogin")}
        </Link>
      }
    >
      {!canReset ? null : isSent ? (
        <p className="message good" role="status">
          <Icon name="up" />
          {t("reset.sent")}
        </p>
      ) : (
        <Form of={form} onValid={onValid} focus="email" guarded={false}>
          {form.error && (
            <p className="message bad" role="alert">
              <Icon name="alert" />
              {form.error}
            </p>
          )}
          <EmailField error={form.wrong("email")} required />
          <button type="submit" disabled={form.busy} aria-busy={form.busy}>
            {t(form.busy ? "reset.sending" : "reset.send")}
          </button>
        </Form>
      )}
    </AccountCard>
  );
}
