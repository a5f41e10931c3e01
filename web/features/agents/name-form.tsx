import { type FormEvent, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { REPORT_LIMITS } from "../../../src/shared/report";
import { text } from "../../lib/form";
import { paths } from "../../paths";
import { Field } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { useErrorText } from "../../ui/use-error-text";
import { useFieldErrors } from "../../ui/use-field-errors";
import type { Agent } from "./calls";

type Props = { agent: Pick<Agent, "id" | "name" | "hostname">; onSave: (name: string) => Promise<void> };

export function NameForm({ agent, onSave }: Props) {
  const { t } = useTranslation();
  const words = useErrorText();
  const fields = useFieldErrors();
  const [error, setError] = useState<string>();
  const [saved, setSaved] = useState(false);
  const [busy, start] = useTransition();

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = text(new FormData(event.currentTarget), "name");
    if (name === "") return setError(t("agents.edit.nameRequired"));
    start(async () => {
      setError(undefined);
      try {
        await onSave(name);
        setSaved(true);
      } catch (failure) {
        fields.keep(failure);
        setError(`${t("agents.edit.failed")}: ${words(failure)}`);
      }
    });
  };

  return (
    <form className="sheet" onSubmit={onSubmit}>
      <section className="card">
        <Field
          label={t("agents.edit.name")}
          hint={t("agents.edit.hint", { hostname: agent.hostname })}
          error={fields.of("name")}
        >
          <input name="name" required maxLength={REPORT_LIMITS.text} defaultValue={agent.name} autoComplete="off" />
        </Field>
      </section>
      {error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {error}
        </p>
      )}
      <div className="actions">
        <button type="submit" disabled={busy || saved} aria-busy={busy}>
          {t(busy ? "common.action.saving" : "common.action.save")}
        </button>
        <Link href={paths.agent(agent.id)} className="button quiet">
          {t("common.action.cancel")}
        </Link>
      </div>
    </form>
  );
}
