import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { nowAtom } from "../../lib/now";
import { usePageFormat } from "../hooks/use-page-format";

/** Milliseconds that count as now: figures that change every few seconds would distract. */
const MOMENT = 60_000;

/** "2 minutes ago", updated as time passes. */
export const useAgo = (time: string | number) => {
  const { t } = useTranslation();
  const format = usePageFormat();
  const now = useAtomValue(nowAtom);
  const at = new Date(time).getTime();
  return now - at < MOMENT ? t("common.justNow") : format.ago(at, now);
};

/** A relative time with the exact time as its tooltip. */
export function Ago({ time }: { time: string | number }) {
  const format = usePageFormat();
  return (
    <time
      dateTime={new Date(time).toISOString()}
      // Written when it is needed: a list has hundreds of them, and the hub does not know the viewer's time zone.
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = format.dateTime(time);
      }}
      suppressHydrationWarning
    >
      {useAgo(time)}
    </time>
  );
}
