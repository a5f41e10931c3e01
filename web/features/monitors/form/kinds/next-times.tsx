import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, payload } from "../../../../api";
import { useFormat } from "../../../../ui/hooks/use-format";

const PAUSE = 300;

/** The next times of a cron expression in its time zone; null while there are none. */
const useNextTimes = (cron: string, zone: string): readonly string[] | null => {
  const [times, setTimes] = useState<readonly string[] | null>(null);
  useEffect(() => {
    let isLatest = true;
    setTimes(null);
    const ask = async () => {
      const answer = await payload(api.monitors.schedule.get({ query: { cron, tz: zone } }));
      if (isLatest) setTimes(answer.times);
    };
    // An expression that is not complete has no times.
    const timer = setTimeout(() => void ask().catch(() => {}), PAUSE);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [cron, zone]);
  return times;
};

/** The next times of a cron expression, as soon as it is understood. */
export function NextTimes({ cron, zone }: { cron: string; zone: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const times = useNextTimes(cron, zone);
  return (
    <p className="soft small" role="status">
      {times && t("kinds.heartbeat.next", { times: times.map((time) => format.inZone(time, zone)).join(" · "), zone })}
    </p>
  );
}
