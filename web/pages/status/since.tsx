import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { useHydrated } from "../../lib/hooks/use-hydrated";
import { nowAtom } from "../../lib/now";
import { usePageFormat } from "../../ui/hooks/use-page-format";

const MINUTE = 60;

/**
 * Local HH:MM, with the date unless it is the same day as `beside` (default: now). The hub does not know the time zone, and
 * writes UTC.
 */
export const useMoment = () => {
  const format = usePageFormat();
  const now = useAtomValue(nowAtom);
  const isHydrated = useHydrated();
  return (time: string, beside = new Date(now).toISOString()) => {
    if (isHydrated) return format.moment(time, Date.parse(beside));
    const isSameDay = time.slice(0, 10) === beside.slice(0, 10);
    return `${isSameDay ? "" : `${time.slice(5, 10)} `}${time.slice(11, 16)} UTC`;
  };
};

/** A length of time: in minutes and above from a minute on, so that it does not change each second. */
export const useLength = () => {
  const format = usePageFormat();
  return (seconds: number) => {
    const passed = Math.max(0, seconds);
    return format.duration(passed < MINUTE ? passed : Math.floor(passed / MINUTE) * MINUTE);
  };
};

/** The duration so far, and with `exact` the start. It grows as time passes. */
export function Since({ since, exact = false }: { since: string; exact?: boolean }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const length = useLength();
  const now = useAtomValue(nowAtom);
  const duration = length((now - Date.parse(since)) / 1000);
  return (
    <time className="since" dateTime={since} suppressHydrationWarning>
      {exact ? t("statusPage.since", { time: moment(since), duration }) : t("statusPage.lasting", { duration })}
    </time>
  );
}

/** When maintenance ends. */
export function Until({ time }: { time: string }) {
  const { t } = useTranslation();
  const moment = useMoment();
  return (
    <time className="since" dateTime={time} suppressHydrationWarning>
      {t("statusPage.until", { time: moment(time) })}
    </time>
  );
}
