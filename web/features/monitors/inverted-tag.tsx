import { useTranslation } from "react-i18next";
import { Icon } from "../../ui/controls/icon";

type Props = { inverted: boolean | undefined };

/** Marks a monitor that is up while its check fails. */
export function InvertedTag({ inverted }: Props) {
  const { t } = useTranslation();
  if (!inverted) return null;
  return (
    <span className="tag" title={t("kinds.inverted.meaning")}>
      {t("kinds.inverted.label")}
    </span>
  );
}

/** The same beside a name in a list, which keeps the room. */
export function InvertedMark({ inverted }: Props) {
  const { t } = useTranslation();
  if (!inverted) return null;
  return (
    <span className="inverted-mark" title={`${t("kinds.inverted.label")} · ${t("kinds.inverted.meaning")}`}>
      <Icon path="M8 20V4M8 4L4.5 7.5M8 4l3.5 3.5M16 4v16M16 20l-3.5-3.5M16 20l3.5-3.5" />
      <span className="visually-hidden">{t("kinds.inverted.label")}</span>
    </span>
  );
}
