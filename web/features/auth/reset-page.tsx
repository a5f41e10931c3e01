import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { api, payload } from "../../api";
import { raw } from "../../lib/form";
import { paths } from "../../paths";
import { signOut } from "../../session";
import { NewPasswordFields, passwordsDiffer } from "../../ui/controls/account-fields";
import { Form } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { useSubmit } from "../../ui/hooks/use-submit";
import { usePageTitle } from "../../ui/layout/page-title";
import { AccountCard } from "./account-card";

/** The page of a link in a mail: it sets a new password when its form is sent, because scanners of mails open links, too. */
export default function ResetPage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const [token] = useState(() => location.hash.slice(1));
  const form = useSubmit(t("reset.saveFailed"), { plain: true });
  usePageTitle(t("reset.title"));

  // The link does not stay in the history of the browser.
  useEffect(() => history.replaceState(null, "", location.pathname), []);

  const onValid = (fields: FormData) =>
    form.submit(
      () => payload(api.auth.reset.post({ token, password: raw(fields, "password") })),
      () => {
        // All sessions of the account have ended, and another account may be signed in here.
        signOut();
        navigate(paths.login, { state: { message: t("reset.saved") } });
      },
    );

  return (
    <AccountCard title={t("reset.title")} footer={<Link href={paths.forgot}>{t("reset.again")}</Link>}>
      {token === "" ? (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {t("reset.noToken")}
        </p>
      ) : (
        <Form of={form} onValid={onValid} check={passwordsDiffer(t, "password")} focus="password" guarded={false}>
          {form.error && (
            <p className="message bad" role="alert">
              <Icon name="alert" />
              {form.error}
            </p>
          )}
          <NewPasswordFields
            label={t("reset.password")}
            name="password"
            error={form.wrong("password")}
            confirm={{ label: t("account.confirm"), error: form.wrong("confirm") }}
          />
          <button type="submit" disabled={form.busy} aria-busy={form.busy}>
            {t(form.busy ? "reset.saving" : "reset.save")}
          </button>
        </Form>
      )}
    </AccountCard>
  );
}
