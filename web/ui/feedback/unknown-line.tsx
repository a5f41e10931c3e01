import { useTranslation } from "react-i18next";
import { Icon } from "../controls/icon";

type Props = {
  /** The start and the reason. */
  text: string;
  /** The last known status as a word, unless nothing was known before. */
  last?: string | undefined;
};

/** The unknown state of a target, or of all. */
export function UnknownLine({ text, last }: Props) {
  const { t } = useTranslation();
  return (
    <p className="message quiet stale" role="status">
      <Icon name="unknown" />
      {last === undefined ? text : t("unknown.last", { text, status: last })}
    </p>
  );
}
