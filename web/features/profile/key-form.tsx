import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../src/shared/limits";
import { text } from "../../lib/form";
import { Field } from "../../ui/field";
import { FormFoot } from "../../ui/form-foot";
import { useSubmit } from "../../ui/use-submit";
import { createKey, type NewKey, type Scope, scopes } from "./calls";

export function KeyForm({ onCreated }: { onCreated: (made: NewKey) => void }) {
  const { t } = useTranslation();
  const form = useSubmit(t("profile.keys.createFailed"));
  const [scope, setScope] = useState<Scope>("read");

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = text(new FormData(event.currentTarget), "name");
    form.submit(async () => onCreated(await createKey(name, scope)));
  };

  return (
    <form className="key-form" onSubmit={onSubmit}>
      <div className="pair">
        <Field label={t("profile.keys.name")} error={form.wrong("name")}>
          <input
            name="name"
            required
            maxLength={LIMITS.keyName}
            placeholder={t("profile.keys.namePlaceholder")}
            autoComplete="off"
          />
        </Field>
        <Field
          label={t("profile.keys.scope.label")}
          hint={t(`profile.keys.scopeHint.${scope}`)}
          error={form.wrong("scope")}
        >
          <select name="scope" value={scope} onChange={(event) => setScope(event.target.value as Scope)}>
            {scopes.map((value) => (
              <option key={value} value={value}>
                {t(`profile.keys.scope.${value}`)}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <FormFoot error={form.error} busy={form.busy} submit={t("profile.keys.submit")} />
    </form>
  );
}
