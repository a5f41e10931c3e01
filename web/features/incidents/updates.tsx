import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/controls/icon-button";
import { useFormat } from "../../ui/hooks/use-format";
import { trustedHtml } from "../../ui/text/trusted-html";
import type { Update } from "./api";

type Props = {
  updates: readonly Update[];
  /** Absent for viewers. */
  onEdit?: ((update: Update) => void) | undefined;
};

/** The updates of an incident as visitors read them, with the name of each writer. */
export function Updates({ updates, onEdit }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className="incident-updates">
      {updates.map((update) => (
        <li key={update.id}>
          <div className="incident-when">
            <b>{t(`incidents.status.${update.status}`)}</b>
            <span className="soft small">
              {update.by
                ? t("incidents.editor.by", { name: update.by, time: format.moment(update.at) })
                : format.moment(update.at)}
              {update.edited_at && ` · ${t("incidents.edited")}`}
            </span>
            {onEdit && (
              <IconButton
                icon="edit"
                label={t("incidents.editor.editUpdate")}
                of={format.moment(update.at)}
                onClick={() => onEdit(update)}
              />
            )}
          </div>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the hub has made it from Markdown, without any HTML of its writer */}
          <div className="incident-text" dangerouslySetInnerHTML={trustedHtml(update.html)} />
        </li>
      ))}
    </ul>
  );
}
