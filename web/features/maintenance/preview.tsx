import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { CallError } from "../../api";
import { browserTimeZone } from "../../lib/format";
import { useFormat } from "../../ui/hooks/use-format";
import { type Occurrence, previewSchedule } from "./api";
import { type Draft, scheduleOf } from "./draft";

/** How long typing has to pause before the server is asked, in ms. */
const PAUSE = 300;

/** The next occurrences of the schedule in a form; null while it is incomplete, refused or loading. */
export const usePreview = (draft: Draft, onRefused: (error: CallError) => void): readonly Occurrence[] | null => {
  const [found, setFound] = useState<readonly Occurrence[] | null>(null);
  const result = scheduleOf(draft);
  const sent = "schedule" in result ? JSON.stringify(result.schedule) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another schedule is asked for
  useEffect(() => {
    if (sent === null) return;
    let isLatest = true;
    const ask = async () => {
      try {
        const occurrences = await previewSchedule(JSON.parse(sent));
        if (isLatest) setFound(occurrences);
      } catch (error) {
        if (isLatest && error instanceof CallError && error.code === "validation") onRefused(error);
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE);
    return () => {
      isLatest = false;
      clearTimeout(timer);
      setFound(null);
    };
  }, [sent]);
  return found;
};

/** The next occurrences in the reader's time zone. */
export function Preview({ occurrences }: { occurrences: readonly Occurrence[] | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const zone = browserTimeZone();
  const day = (time: string) => format.inZone(time, zone);
  return (
    <div className="window-preview" role="status">
      <p className="soft small">{t("maintenance.preview", { zone })}</p>
      {occurrences?.length === 0 && <p>{t("maintenance.noneLeft")}</p>}
      <ol>
        {(occurrences ?? []).map(({ from, to }) => (
          <li key={from} className="figure">
            {day(from)} – {new Date(from).toDateString() === new Date(to).toDateString() ? format.clock(to) : day(to)}
          </li>
        ))}
      </ol>
    </div>
  );
}
