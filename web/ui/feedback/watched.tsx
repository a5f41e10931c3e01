import { useTranslation } from "react-i18next";
import { usePageFormat } from "../hooks/use-page-format";

/** From this percentage on, the whole time counts as watched; in a list from a lower one. */
const [WHOLE, WHOLE_IN_LIST] = [99.95, 99];

type Props = { share: number | null; short?: boolean; inList?: boolean };

/**
 * The share of the time that an uptime is about, after it: "of 97.2% watched". Renders nothing where that is all of it.
 * `short`: in a column of a list, where only screen readers have the whole text.
 */
export function Watched({ share, short = false, inList = short }: Props) {
  const { t } = useTranslation();
  const format = usePageFormat();
  if (share === null || share >= (inList ? WHOLE_IN_LIST : WHOLE)) return null;
  const text = ` ${t("common.watched", { share: format.share(share) })}`;
  if (!short) return <small className="watched">{text}</small>;
  return (
    <small className="watched" title={text}>
      <span aria-hidden="true">{` ${t("common.watchedShort", { share: format.share(share) })}`}</span>
      <span className="visually-hidden">{text}</span>
    </small>
  );
}
