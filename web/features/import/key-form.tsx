import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { IMPORT_SOURCES, KEY_SOURCES } from "../../../src/shared/transfer/sources";
import { Field } from "../../ui/controls/field";

type KeySource = (typeof KEY_SOURCES)[number];

type Props = { busy: boolean; onKey: (source: KeySource, key: string) => void };

/** Takes the key of a product that is read from its API. */
export function KeyForm({ busy, onKey }: Props) {
  const { t } = useTranslation();
  const [source, setSource] = useState<KeySource>(KEY_SOURCES[0]);
  const [key, setKey] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() !== "" && !busy) onKey(source, key.trim());
  };
  return (
    <form className="card import-key" onSubmit={submit}>
      <Field label={t("imports.readFrom")}>
        <select
          value={source}
          onChange={({ target: { value } }) => setSource(KEY_SOURCES.find((known) => known === value) ?? source)}
        >
          {KEY_SOURCES.map((name) => (
            <option key={name} value={name}>
              {IMPORT_SOURCES[name]}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t("imports.token")} hint={t("imports.byKeyHint")}>
        <input
          type="password"
          autoComplete="off"
          maxLength={500}
          value={key}
          onChange={({ target }) => setKey(target.value)}
        />
      </Field>
      <button type="submit" className="plain" disabled={busy || key.trim() === ""}>
        {t("imports.read")}
      </button>
    </form>
  );
}
