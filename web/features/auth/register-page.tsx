import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearch } from "wouter";
import { CallError } from "../../api";
import { paths } from "../../paths";
import { EmailField, NewPasswordFields, passwordsDiffer, UsernameField } from "../../ui/controls/account-fields";
import { Field } from "../../ui/controls/field";
import { Form } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { useRegistration } from "../../ui/hooks/use-registration";
import { useSubmit } from "../../ui/hooks/use-submit";
import { AccountCard } from "./account-card";
import { register, setupCodeOf, toRegisterBody } from "./api";

/** The login page, which still leads to the page that was asked for. */
const useLoginPath = () => {
  const search = useSearch();
  return paths.login + (search && `?${search}`);
};

function RegisterForm() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const login = useLoginPath();
  const form = useSubmit(t("account.register.failed"), { plain: true });
  const [setupCode] = useState(() => setupCodeOf(location.hash));
  const [needsCode, setNeedsCode] = useState(setupCode !== "");

  const onValid = (fields: FormData) => {
    const body = toRegisterBody(fields);
    form.submit(
      async () => {
        try {
          await register(body);
        } catch (failure) {
          if (failure instanceof CallError && failure.code === "setup_code_required") setNeedsCode(true);
          throw failure;
        }
      },
      () => navigate(login, { state: { message: t("account.register.done"), username: body.username } }),
    );
  };

  return (
    <Form of={form} onValid={onValid} check={passwordsDiffer(t, "password")} focus="username" guarded={false}>
      {form.error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {form.error}
        </p>
      )}
      <UsernameField error={form.wrong("username")} />
      <EmailField error={form.wrong("email")} required />
      <NewPasswordFields
        label={t("account.password")}
        name="password"
        error={form.wrong("password")}
        confirm={{ label: t("account.confirm"), error: form.wrong("confirm") }}
      />
      {needsCode && (
        <Field
          label={t("account.register.setupCode")}
          hint={t("account.register.setupCodeHint")}
          error={form.wrong("setup_code")}
        >
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
      <button type="submit" disabled={form.busy} aria-busy={form.busy}>
        {t(form.busy ? "account.register.busy" : "account.register.submit")}
      </button>
    </Form>
  );
}

export default function RegisterPage() {
  const { t } = useTranslation();
  const { open, first } = useRegistration();
  const login = useLoginPath();

  const footer = (
    <>
      {t("account.register.haveAccount")} <Link href={login}>{t("account.register.login")}</Link>
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
