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
import { AccountCard } from "./account-card";
import { enter, type SecondStep, stated } from "./api";

type Way = SecondStep["second_factor"][number];
type FormProps = { way: Way; ticket: string };

/** The form for a code of the app, or for a recovery code. */
function CodeForm({ way, ticket }: FormProps) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const search = useSearch();
  const form = useSubmit(t("factors.step.failed"), { plain: true });

  const onValid = (fields: FormData, element: HTMLFormElement) =>
    form.submit(async () => {
      try {
        enter(await payload(api.auth["second-factor"].post({ ticket, [way]: text(fields, way), ...stated() })));
      } catch (failure) {
        element.querySelector("input")?.select();
        throw failure;
      }
      navigate(afterLogin(search));
    });

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

type Props = { step: SecondStep; onBack: () => void };

/** The second step of a sign-in: a right password was sent, and one of the user's second factors completes it. */
export default function SecondStepCard({ step: { ticket, second_factor: ways }, onBack }: Props) {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>(ways[0] ?? "totp");
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
      <CodeForm key={way} way={way} ticket={ticket} />
    </AccountCard>
  );
}
