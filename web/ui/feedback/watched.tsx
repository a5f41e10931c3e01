import { useTranslation } from "react-i18next";
import { usePageFormat } from "../hooks/use-page-format";

/** From this percentage on, the whole time counts as watched; in a list from a lower one. */
const [WHOLE, WHOLE_IN_LIST] = [99.95, 99];

type Props = { share: number | null; inList?: boolean };

/** The share of the time that an uptime is about, after it: "of 97.2% watched". Renders nothing where that is all of it. */
export function Watched({ share, inList = false }: Props) {
  const { t } = useTranslation();
  const format = usePageFormat();
  if (share === null || share >= (inList ? WHOLE_IN_LIST : WHOLE)) return null;
  return <small className="watched">{` ${t("common.watched", { share: format.share(share) })}`}</small>;
}

/** The uptime in a column of a list: grey, with the watched share as its tooltip, where that is not all of the time. */
export function RowUptime({ uptime, share }: { uptime: number | null; share: number | null }) {
  const { t } = useTranslation();
  const format = usePageFormat();
  const percent = format.percent(uptime);
  if (share === null || share >= WHOLE_IN_LIST) return percent;
  const text = t("common.watched", { share: format.share(share) });
  return (
    <span className="raised soft" title={text}>
      {percent}
      <span className="visually-hidden"> {text}</span>
    </span>
  );
}
