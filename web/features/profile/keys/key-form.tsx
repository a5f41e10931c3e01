import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../src/shared/limits";
import { text } from "../../../lib/form";
import { Field } from "../../../ui/controls/field";
import { FormFoot } from "../../../ui/controls/form-foot";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { createKey, type NewKey, type Scope, scopes } from "../calls";

/** The choices for the lifetime of a key, in days. */
const EXPIRIES = [30, 90, 365] as const;

export function KeyForm({ onCreated }: { onCreated: (created: NewKey) => void }) {
  const { t } = useTranslation();
  const form = useSubmit(t("profile.keys.createFailed"));
  const [days, setDays] = useState("");
  const [scope, setScope] = useState<Scope>("read");

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = text(new FormData(event.currentTarget), "name");
    form.submit(async () => onCreated(await createKey(name, scope, days ? Number(days) : null)));
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
        <Field label={t("profile.keys.expiry")} error={form.wrong("expires_in_days")}>
          <select name="expires_in_days" value={days} onChange={(event) => setDays(event.target.value)}>
            <option value="">{t("profile.keys.never")}</option>
            {EXPIRIES.map((count) => (
              <option key={count} value={count}>
                {t("profile.keys.expiryDays", { count })}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <FormFoot error={form.error} busy={form.busy} submit={t("profile.keys.submit")} />
    </form>
  );
}
