import { type FormEvent, useEffect, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { paths } from "../../paths";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { AccountCard } from "./account-card";
import { login, toLoginBody, useRegistration } from "./api";

/** A notice of the page that led here: a success, or that the session has ended. */
type Notice = { message?: string; ended?: boolean } | null;

export default function LoginPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [, navigate] = useLocation();
  const { open } = useRegistration();
  const [notice] = useState(useHistoryState<Notice>());
  const [error, setError] = useState<string>();
  const [busy, start] = useTransition();

  // The notice is not shown again after a reload.
  useEffect(() => history.replaceState(null, ""), []);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = toLoginBody(new FormData(event.currentTarget));
    start(async () => {
      setError(undefined);
      try {
        await login(body);
        navigate(paths.dashboard);
      } catch (failure) {
        setError(errorText(failure, t("account.login.failed")));
      }
    });
  };

  return (
    <AccountCard
      title={t("account.login.title")}
      subtitle={t("account.login.subtitle")}
      footer={
        open && (
          <>
            {t("account.login.noAccount")} <Link href={paths.register}>{t("account.login.register")}</Link>
          </>
        )
      }
    >
      <form onSubmit={onSubmit}>
        {notice?.message && !error && (
          <p className="message good" role="status">
            <Icon name="up" />
            {notice.message}
          </p>
        )}
        {notice?.ended && !error && (
          <p className="message note" role="status">
            <Icon name="lock" />
            {t("account.login.ended")}
          </p>
        )}
        {error && (
          <p className="message bad" role="alert">
            <Icon name="alert" />
            {error}
          </p>
        )}
        <Field label={t("account.username")}>
          <input name="username" required autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label={t("account.password")}>
          <input name="password" type="password" required autoComplete="current-password" />
        </Field>
        <button type="submit" disabled={busy} aria-busy={busy}>
          {t(busy ? "account.login.busy" : "account.login.submit")}
        </button>
      </form>
    </AccountCard>
  );
}
