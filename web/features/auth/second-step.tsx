import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { api, payload } from "../../api";
import { text } from "../../lib/form";
import { afterLogin } from "../../paths";
import { Field } from "../../ui/controls/field";
import { Form } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { useSubmit } from "../../ui/hooks/use-submit";
import { CodeInput } from "../../ui/proof/code-input";
import { passkeyProblem, signWithPasskey } from "../../ui/proof/passkey";
import { AccountCard } from "./account-card";
import { enter, type SecondStep, stated } from "./api";
import { PasskeyForm } from "./passkey-form";

type Way = SecondStep["second_factor"][number];
type FormProps = { way: Exclude<Way, "passkey">; ticket: string };

/** Completes the sign-in, and opens the page that was asked for. */
const useComplete = (ticket: string) => {
  const [, navigate] = useLocation();
  const search = useSearch();
  return async (factor: { totp?: string; recovery?: string } | { passkey: AuthenticationResponseJSON }) => {
    enter(await payload(api.auth["second-factor"].post({ ticket, ...factor, ...stated() })));
    navigate(afterLogin(search));
  };
};

/** The form for a code of the app, or for a recovery code. */
function CodeForm({ way, ticket }: FormProps) {
  const { t } = useTranslation();
  const complete = useComplete(ticket);
  const form = useSubmit(t("factors.step.failed"), { plain: true });

  const onValid = (fields: FormData, element: HTMLFormElement) =>
    form.submit(() =>
      complete({ [way]: text(fields, way) }).catch((failure) => {
        element.querySelector("input")?.select();
        throw failure;
      }),
    );

  return (
    <Form of={form} onValid={onValid} focus={way} guarded={false}>
      {form.error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {form.error}
        </p>
      )}
      {way === "totp" ? (
        <CodeInput name={way} error={form.wrong(way)} />
      ) : (
        <Field label={t("factors.recoveryCode")} error={form.wrong(way)}>
          <input
            name={way}
            required
            maxLength={100}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </Field>
      )}
      <button type="submit" disabled={form.busy} aria-busy={form.busy}>
        {t(form.busy ? "factors.step.busy" : "factors.step.submit")}
      </button>
    </Form>
  );
}

/** The form for a passkey. */
function PasskeyStep({ step: { ticket, passkey_options: options } }: Pick<Props, "step">) {
  const { t } = useTranslation();
  const complete = useComplete(ticket);
  if (!options) return null;
  const onSubmit = async () => complete({ passkey: await signWithPasskey(options) });
  return <PasskeyForm label={t("factors.step.usePasskey")} onSubmit={onSubmit} />;
}

type Props = { step: SecondStep; onBack: () => void };

/** The second step of a sign-in: a right password was sent, and one of the user's second factors completes it. */
export default function SecondStepCard({ step, onBack }: Props) {
  const { t } = useTranslation();
  const ways = step.second_factor.filter((factor) => factor !== "passkey" || passkeyProblem() === null);
  const [way = "none", setWay] = useState<Way | undefined>(ways[0]);
  return (
    <AccountCard
      title={t("factors.step.title")}
      subtitle={t(`factors.step.${way}Text`)}
      footer={
        <>
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <button key={other} type="button" className="quiet compact" onClick={() => setWay(other)}>
                {t(`factors.use.${other}`)}
              </button>
            ))}
          <button type="button" className="quiet compact" onClick={onBack}>
            {t("factors.step.back")}
          </button>
        </>
      }
    >
      {way === "passkey" && <PasskeyStep step={step} />}
      {(way === "totp" || way === "recovery") && <CodeForm key={way} way={way} ticket={step.ticket} />}
    </AccountCard>
  );
}
