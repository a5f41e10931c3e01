import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect, useLocation, useSearch } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { later, preload } from "../../lib/offline/code";
import { afterLogin, paths } from "../../paths";
import { Field, PasswordInput } from "../../ui/controls/field";
import { Form } from "../../ui/controls/form";
import { Icon, type IconName } from "../../ui/controls/icon";
import { useRegistration } from "../../ui/hooks/use-registration";
import { useSubmit } from "../../ui/hooks/use-submit";
import { withFactorTexts } from "../../ui/proof/texts";
import { AccountCard } from "./account-card";
import { login, type SecondStep, toLoginBody } from "./api";

const PasskeySignIn = later(() => withFactorTexts(() => import("./passkey-sign-in")), false);
const SecondStepCard = later(() => withFactorTexts(() => import("./second-step")), false);
const SingleSignOn = later(() => withFactorTexts(() => import("./single-sign-on")), false);

/** State from the previous page: an account was registered, or the session has ended. */
type Passed = { message?: string; username?: string; ended?: boolean; unsaved?: boolean } | null;

function Notice({ tone, icon, children }: { tone: "good" | "note"; icon: IconName; children: ReactNode }) {
  return (
    <p className={`message ${tone}`} role="status">
      <Icon name={icon} />
      {children}
    </p>
  );
}

/** Why the login page is shown. */
function Reason({ passed }: { passed: Passed }) {
  const { t } = useTranslation();
  const next = afterLogin(useSearch());
  if (passed?.message)
    return (
      <Notice tone="good" icon="up">
        {passed.message}
      </Notice>
    );
  if (passed?.ended)
    return (
      <Notice tone="note" icon="lock">
        {t(passed.unsaved ? "account.login.endedUnsaved" : "account.login.ended")}
      </Notice>
    );
  if (next === paths.dashboard) return null;
  return (
    <Notice tone="note" icon="lock">
      {t("account.login.next")}
    </Notice>
  );
}

export default function LoginPage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const search = useSearch();
  const { open, first, passkeys, passwords, singleSignOn } = useRegistration();
  const [passed] = useState(useHistoryState<Passed>());
  const form = useSubmit(t("account.login.failed"), { plain: true });
  const [step, setStep] = useState<SecondStep>();

  // The notice is not shown again after a reload.
  useEffect(() => history.replaceState(null, ""), []);

  // There is no account to sign in with yet.
  if (first && !passed?.message) return <Redirect to={paths.register} replace />;

  if (step) return <SecondStepCard step={step} onBack={() => setStep(undefined)} />;

  const onValid = (fields: FormData, element: HTMLFormElement) => {
    const body = toLoginBody(fields);
    form.submit(async () => {
      try {
        const next = await login(body);
        if (next) await preload(SecondStepCard);
        setStep(next);
        if (next) return;
      } catch (failure) {
        // Most likely the password has to be typed again.
        element.querySelector<HTMLInputElement>("[name=password]")?.select();
        throw failure;
      }
      navigate(afterLogin(search));
    });
  };

  return (
    <AccountCard
      title={t("account.login.title")}
      subtitle={t("account.login.subtitle")}
      footer={
        open && (
          <>
            {t("account.login.noAccount")}{" "}
            <Link href={paths.register + (search && `?${search}`)}>{t("account.login.register")}</Link>
          </>
        )
      }
    >
      {singleSignOn && (
        <Suspense fallback={null}>
          <SingleSignOn of={singleSignOn} passwords={passwords}>
            <Reason passed={passed} />
          </SingleSignOn>
        </Suspense>
      )}
      {passwords !== "off" && (
        <Form of={form} onValid={onValid} focus={passed?.username ? "password" : "username"} guarded={false}>
          {form.error ? (
            <p className="message bad" role="alert">
              <Icon name="alert" />
              {form.error}
            </p>
          ) : (
            !singleSignOn && <Reason passed={passed} />
          )}
          <Field label={t("account.username")} error={form.wrong("username")}>
            <input
              name="username"
              required
              defaultValue={passed?.username}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field label={t("account.password")} error={form.wrong("password")}>
            <PasswordInput name="password" required autoComplete="current-password" />
          </Field>
          {/* Without a mail server, its page says who can help. */}
          <Link className="forgot" href={paths.forgot}>
            {t("account.login.forgot")}
          </Link>
          <button type="submit" disabled={form.busy} aria-busy={form.busy}>
            {t(form.busy ? "account.login.busy" : "account.login.submit")}
          </button>
        </Form>
      )}
      {passkeys && passwords !== "off" && (
        <Suspense fallback={null}>
          <PasskeySignIn />
        </Suspense>
      )}
    </AccountCard>
  );
}
