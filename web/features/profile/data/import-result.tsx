import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import type { ConfigurationFile, Imported } from "../calls";
import { nameOf } from "./import-file";

const parts = ["monitors", "channels", "settings", "status_page"] as const;

/** The result of an import: what was created, what was skipped, and what the user has to do manually. */
export function ImportResult({ imported, file }: { imported: Imported; file: ConfigurationFile }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { created, skipped, notes } = imported;
  const counted = (counts: Imported["created"]) =>
    format.list(
      parts.filter((part) => counts[part] > 0).map((part) => t(`profile.data.${part}`, { count: counts[part] })),
    );
  const [added, unchanged] = [counted(created), counted(skipped)];
  const sentences = new Set(
    notes.map((note) => {
      const kind = note.code === "kept" && note.path === "status_page" ? "kept_page" : note.code;
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
