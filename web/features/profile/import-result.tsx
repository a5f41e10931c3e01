import { useTranslation } from "react-i18next";
import { CallError } from "../../api";
import { Icon } from "../../ui/controls/icon";
import { useErrorText, useFieldErrorText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import type { ConfigurationFile, Imported, ImportNote } from "./api";

/** The server's limit for a body, in bytes. */
export const MAX_FILE_SIZE = 1024 * 1024;

/** The content of a chosen file, or an error code. The server validates the content. */
export const parseFile = (text: string): ConfigurationFile | "not_configuration" => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "format" in value
      ? (value as ConfigurationFile)
      : "not_configuration";
  } catch {
    return "not_configuration";
  }
};

/** The name of a note's item in the file: for the path "channels.2", the name of the third channel. */
export const nameOf = (
  { path }: Pick<ImportNote, "path">,
  { channels, agents, monitors, pages }: ConfigurationFile,
): string => {
  const [part, place] = path.split(".");
  if (part === "pages") return pages?.[Number(place)]?.title || pages?.[Number(place)]?.slug || path;
  const list = part === "channels" ? channels : part === "agents" ? agents : part === "monitors" ? monitors : undefined;
  return list?.[Number(place)]?.name ?? path;
};

const MAX_FIELDS = 5;

/** Why a file was not imported, with its invalid fields. */
export function ImportFailure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const fieldErrorText = useFieldErrorText();
  const fields = error instanceof CallError ? error.fields : [];
  return (
    <div className="message bad">
      <Icon name="alert" />
      <div>
        {t("profile.data.importFailed")}: {errorText(error)}
        {fields.length > 0 && (
          <ul className="plain-list">
            {fields.slice(0, MAX_FIELDS).map(({ path, message, code }) => (
              <li key={path}>
                <code>{path}</code> {fieldErrorText(path.split(".").at(-1) ?? "", message, code)}
              </li>
            ))}
            {fields.length > MAX_FIELDS && <li>{t("profile.data.more", { count: fields.length - MAX_FIELDS })}</li>}
          </ul>
        )}
      </div>
    </div>
  );
}

/** The result of an import: created items, skipped items, and manual steps for the user. */
export function ImportResult({ imported, file }: { imported: Imported; file: ConfigurationFile }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { created, skipped, notes } = imported;
  const counted = (counts: Imported["created"]) =>
    format.list(
      (Object.keys(counts) as (keyof typeof counts)[])
        .filter((part) => counts[part] > 0)
        .map((part) => t(`profile.data.${part}`, { count: counts[part] })),
    );
  const [added, unchanged] = [counted(created), counted(skipped)];
  const sentences = new Set(
    notes.map((note) => {
      const kind = note.code === "kept" && /^(status_page|pages)\b/.test(note.path) ? "kept_page" : note.code;
      return t(`profile.data.note.${kind}`, { name: nameOf(note, file) });
    }),
  );
  return (
    <div className="message good">
      <Icon name="up" />
      <div>
        {added ? t("profile.data.added", { what: added }) : t("profile.data.nothingAdded")}
        {unchanged && ` ${t("profile.data.skipped", { what: unchanged })}`}
        {sentences.size > 0 && (
          <ul className="plain-list">
            {[...sentences].map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
