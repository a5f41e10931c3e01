import { type FormEvent, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { CallError } from "../../api";
import { paths } from "../../paths";
import { EmailField, NewPasswordField, UsernameField } from "../../ui/controls/account-fields";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { useErrorText, useFieldErrors } from "../../ui/hooks/use-error-text";
import { AccountCard } from "./account-card";
import { register, setupCodeOf, toRegisterBody, useRegistration } from "./api";

export function RegisterForm() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const fields = useFieldErrors();
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const [setupCode] = useState(() => setupCodeOf(location.hash));
  const [needsCode, setNeedsCode] = useState(setupCode !== "");
  const [busy, start] = useTransition();

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = toRegisterBody(new FormData(event.currentTarget));
    if (body === "mismatch") return setError(t("account.register.mismatch"));
    start(async () => {
      setError(undefined);
      try {
        await register(body);
        navigate(paths.login, { state: { message: t("account.register.done") } });
      } catch (failure) {
        fields.keep(failure);
        if (failure instanceof CallError && failure.code === "setup_code_required") setNeedsCode(true);
        setError(errorText(failure, t("account.register.failed")));
      }
    });
  };

  return (
    <form onSubmit={onSubmit}>
      {error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {error}
        </p>
      )}
      <UsernameField error={fields.of("username")} />
      <EmailField error={fields.of("email")} required />
      <NewPasswordField
        label={t("account.password")}
        name="password"
        hint={t("account.passwordHint")}
        error={fields.of("password")}
      />
      <Field label={t("account.confirm")}>
        <input name="confirm" type="password" required autoComplete="new-password" />
      </Field>
      {needsCode && (
        <Field label={t("account.register.setupCode")} hint={t("account.register.setupCodeHint")}>
          <input
            name="setup_code"
            required
            maxLength={100}
            defaultValue={setupCode}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </Field>
      )}
      <button type="submit" disabled={busy} aria-busy={busy}>
        {t(busy ? "account.register.busy" : "account.register.submit")}
      </button>
    </form>
  );
}

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
