import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADDRESS_SOURCE, IMPORT_SOURCES, KEY_SOURCES } from "../../../src/shared/transfer/sources";
import { Field } from "../../ui/controls/field";

type KeySource = (typeof KEY_SOURCES)[number];
const READ_SOURCES = [...KEY_SOURCES, ADDRESS_SOURCE] as const;

type Props = {
  busy: boolean;
  onKey: (source: KeySource, key: string) => void;
  onAddress: (url: string) => void;
};

/** Takes the key of a product that is read from its API, or the address of a status page. */
export function KeyForm({ busy, onKey, onAddress }: Props) {
  const { t } = useTranslation();
  const [source, setSource] = useState<(typeof READ_SOURCES)[number]>(READ_SOURCES[0]);
  const [sent, setSent] = useState("");
  const isAddress = source === ADDRESS_SOURCE;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = sent.trim();
    if (text === "" || busy) return;
    if (isAddress) onAddress(text);
    else onKey(source, text);
  };
  return (
    <form className="card import-key" onSubmit={submit}>
      <Field label={t("imports.readFrom")}>
        <select
          value={source}
          onChange={({ target: { value } }) => {
            setSource(READ_SOURCES.find((known) => known === value) ?? source);
            setSent("");
          }}
        >
          {READ_SOURCES.map((name) => (
            <option key={name} value={name}>
              {IMPORT_SOURCES[name]}
            </option>
          ))}
        </select>
      </Field>
      {isAddress ? (
        <Field label={t("imports.address")} hint={t("imports.byAddressHint")}>
          <input
            type="text"
            inputMode="url"
            autoComplete="off"
            placeholder="https://status.example.com"
            maxLength={2000}
            value={sent}
            onChange={({ target }) => setSent(target.value)}
          />
        </Field>
      ) : (
        <Field label={t("imports.token")} hint={t("imports.byKeyHint")}>
          <input
            type="password"
            autoComplete="off"
            maxLength={500}
            value={sent}
            onChange={({ target }) => setSent(target.value)}
          />
        </Field>
      )}
      <button type="submit" className="plain" disabled={busy || sent.trim() === ""}>
        {t("imports.read")}
      </button>
    </form>
  );
}
