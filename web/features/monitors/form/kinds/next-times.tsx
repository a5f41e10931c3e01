import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, CallError, payload } from "../../../../api";
import { useFormat } from "../../../../ui/hooks/use-format";

const PAUSE = 300;

/** The next times of a cron expression in its time zone; `refused` if there are no such times, null while loading. */
const useNextTimes = (cron: string, zone: string): readonly string[] | "refused" | null => {
  const [times, setTimes] = useState<readonly string[] | "refused" | null>(null);
  const isComplete = cron.trim() !== "" && zone.trim() !== "";
  useEffect(() => {
    if (!isComplete) return;
    let isLatest = true;
    const ask = async () => {
      try {
        const answer = await payload(api.monitors.schedule.get({ query: { cron, tz: zone } }));
        if (isLatest) setTimes(answer.times);
      } catch (error) {
        if (isLatest && error instanceof CallError && error.code === "validation") setTimes("refused");
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE);
    return () => {
      isLatest = false;
      clearTimeout(timer);
      setTimes(null);
    };
  }, [cron, zone, isComplete]);
  return times;
};

/** The next times of a cron expression, or an error if there are no such times. */
export function NextTimes({ cron, zone }: { cron: string; zone: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const times = useNextTimes(cron, zone);
  return (
    <p className="soft small" role="status">
      {times === "refused" && t("kinds.heartbeat.noTimes")}
      {times !== null &&
        times !== "refused" &&
        t("kinds.heartbeat.next", { times: times.map((time) => format.inZone(time, zone)).join(" · "), zone })}
    </p>
  );
}
