import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../src/shared/limits";
import { serverAddress } from "../../bootstrap";
import { text } from "../../lib/form";
import { Copyable } from "../../ui/controls/copy-button";
import { Field, FormFoot } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { useSubmit } from "../../ui/hooks/use-submit";
import { createKey, type NewKey, type Scope, scopes } from "./api";

const exampleOf = (key: string) => `curl -H "Authorization: Bearer ${key}" ${serverAddress()}/api/monitors`;

/** A key right after its creation, with a command to try it. The key is not shown again. */
export function KeyShown({ created: { key, name }, onDone }: { created: NewKey; onDone: () => void }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone, so the focus moves to the first copy button.
  useEffect(() => box.current?.querySelector("button")?.focus(), []);

  return (
    <div className="key-shown" ref={box}>
      <p className="message good" role="status">
        <Icon name="key" />
        <span>
          <strong>{name}</strong>
          <br />
          {t("profile.keys.once")}
        </span>
      </p>
      <div className="field">
        <span className="choice-label">{t("profile.keys.key")}</span>
        <Copyable what={t("profile.keys.key")} text={key} />
      </div>
      <div className="field">
        <span className="choice-label">{t("profile.keys.example")}</span>
        <Copyable what={t("profile.keys.example")} text={exampleOf(key)} />
      </div>
      <div className="actions">
        <button type="button" className="plain" onClick={onDone}>
          {t("profile.keys.done")}
        </button>
      </div>
    </div>
  );
}

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
