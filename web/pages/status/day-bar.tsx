import { useTranslation } from "react-i18next";
import { clampPercent } from "../../lib/format";
import { tipPlace, useSlotPointer } from "../../ui/charts/use-slot-pointer";
import { useFormat } from "../../ui/hooks/use-format";

type Day = { date: string; up: number; down: number };
type DayTone = "good" | "fair" | "poor" | "bad" | "none";

/** The share of up checks in percent, or null without a check. */
export const shareOf = ({ up, down }: Pick<Day, "up" | "down">): number | null =>
  up + down === 0 ? null : clampPercent((up / (up + down)) * 100);

/** A day's real share decides: nothing is rounded up into a better colour. */
export const toneOf = (day: Day): DayTone => {
  if (day.up + day.down === 0) return "none";
  const share = day.up / (day.up + day.down);
  if (share >= 0.999) return "good";
  if (share >= 0.99) return "fair";
  return share >= 0.95 ? "poor" : "bad";
};

/** A date without a time, for Intl: noon, so that no zone makes another day of it. */
export const noonOf = (date: string): Date => {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, day, 12);
};

/** One path for each tone, however many days: a hundred bars stay light. */
const pathsOf = (days: readonly Day[]) => {
  const paths = new Map<string, string>();
  days.forEach((day, place) => {
    const tone = toneOf(day);
    paths.set(tone, `${paths.get(tone) ?? ""}M${place + 0.5} 0V1`);
  });
  return [...paths];
};

const useDayText = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return (day: Day) => {
    const date = format.day(noonOf(day.date).getTime());
    const share = shareOf(day);
    if (share === null) return t("statusPage.day.none", { date });
    const values = { date, share: format.percent(share), count: day.down };
    return day.down === 0 ? t("statusPage.day.good", values) : t("statusPage.day.bad", values);
  };
};

type Props = { id: string; name: string; days: readonly Day[]; share: number | null };

/**
 * The days of a service, oldest left, `share` being its uptime over all of them in percent. Pointer and arrow keys walk
 * from day to day and show the figures of each.
 */
export function DayBar({ id, name, days, share }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const dayText = useDayText();
  const { chosen, pointer, onKeyDown } = useSlotPointer(days.length);
  const bad = days.filter(({ down }) => down > 0).length;
  const values = { share: format.percent(share), count: bad };
  const sentence =
    share === null
      ? t("statusPage.days.none")
      : bad === 0
        ? t("statusPage.days.good", values)
        : t("statusPage.days.bad", values);
  const day = chosen === undefined ? undefined : days[chosen];
  const text = day && dayText(day);

  return (
    <div
      id={id}
      className="slots days"
      tabIndex={0}
      role="slider"
      aria-label={t("statusPage.days.label", { name })}
      aria-valuemin={1}
      aria-valuemax={days.length}
      aria-valuenow={(chosen ?? days.length - 1) + 1}
      aria-valuetext={text ?? sentence}
      aria-readonly="true"
      aria-orientation="horizontal"
      onKeyDown={onKeyDown}
      {...pointer}
    >
      <svg viewBox={`0 0 ${days.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {pathsOf(days).map(([tone, d]) => (
          <path key={tone} d={d} className={tone} />
        ))}
      </svg>
      {day && chosen !== undefined && (
        <>
          <i className="mark" style={{ left: `${((chosen + 0.5) / days.length) * 100}%` }} />
          <span className="tip" style={{ left: tipPlace(chosen, days.length, "7.5rem") }}>
            {text}
          </span>
        </>
      )}
    </div>
  );
}
