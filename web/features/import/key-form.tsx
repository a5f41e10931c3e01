import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { IMPORT_SOURCES, type KEY_SOURCES } from "../../../src/shared/transfer/sources";

type Props = {
  source: (typeof KEY_SOURCES)[number];
  busy: boolean;
  onKey: (key: string) => void;
};

/** Takes the key of a product that is read from its API. */
export function KeyForm({ source, busy, onKey }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [key, setKey] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() !== "" && !busy) onKey(key.trim());
  };
  return (
    <form className="import-key" onSubmit={submit}>
      <label htmlFor={id}>{t("imports.byKey", { source: IMPORT_SOURCES[source] })}</label>
      <div className="actions">
        <input
          id={id}
          type="password"
          autoComplete="off"
          maxLength={500}
          value={key}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setKey(target.value)}
        />
        <button type="submit" className="plain" disabled={busy || key.trim() === ""}>
          {t("imports.read")}
        </button>
      </div>
      <p id={`${id}-hint`} className="soft small">
        {t("imports.byKeyHint")}
      </p>
    </form>
  );
}
