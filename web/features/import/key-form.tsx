import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { IMPORT_SOURCES, type KEY_SOURCES } from "../../../src/shared/transfer/sources";
import { Field } from "../../ui/controls/field";

type Props = {
  source: (typeof KEY_SOURCES)[number];
  busy: boolean;
  onKey: (key: string) => void;
};

/** Takes the key of a product that is read from its API. */
export function KeyForm({ source, busy, onKey }: Props) {
  const { t } = useTranslation();
  const [key, setKey] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() !== "" && !busy) onKey(key.trim());
  };
  return (
    <form className="card import-key" onSubmit={submit}>
      <Field label={t("imports.byKey", { source: IMPORT_SOURCES[source] })} hint={t("imports.byKeyHint")}>
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
