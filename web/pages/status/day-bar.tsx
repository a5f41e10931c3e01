import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { clampPercent } from "../../lib/format";
import { tipPlace, useSlotPointer } from "../../ui/charts/use-slot-pointer";
import { usePageFormat } from "../../ui/hooks/use-page-format";

type Counts = { up: number; down: number; held?: number };
/** `held` of the checks that were down do not count, because they were in maintenance. */
type Day = Counts & { date: string; unknown_seconds: number; maintenance_seconds?: number; held?: number };
type DayTone = "good" | "fair" | "poor" | "bad" | "none";

/** The share of up checks in percent, or null without a check. */
export const shareOf = ({ up, down, held = 0 }: Counts): number | null =>
  up + down - held === 0 ? null : clampPercent((up / (up + down - held)) * 100);

/** A day's real share decides: nothing is rounded up into a better colour. */
export const toneOf = ({ up, down, held = 0 }: Counts): DayTone => {
  const counted = up + down - held;
  if (counted === 0) return "none";
  const share = up / counted;
  if (share >= 0.999) return "good";
  if (share >= 0.99) return "fair";
  return share >= 0.95 ? "poor" : "bad";
};

/** A date without a time, for Intl: noon, so that no zone makes another day of it. */
export const noonOf = (date: string): Date => {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, day, 12);
};

const SECONDS_A_DAY = 86_400;
/** Unknown time of a day that is named (s), that is a part of its bar, and the least size of this part. */
const [NAMED_UNKNOWN, SHOWN_UNKNOWN, LEAST_PART] = [120, 1800, 0.25];
/** The tops of slots: colour is not alone, and the less a day was up, the taller it stands. */
const TOPS: Partial<Record<DayTone, number>> = { good: 0.14, fair: 0.14, none: 0.14, poor: 0.07 };

/** The part of a day's bar for its unknown time or its maintenance, from 0 to 1. */
const partOf = (day: Day, seconds: number): number => {
  if (seconds < SHOWN_UNKNOWN) return 0;
  return toneOf(day) === "none" ? 1 : Math.max(LEAST_PART, seconds / SECONDS_A_DAY);
};
const unknownPart = (day: Day): number => partOf(day, day.unknown_seconds);
const maintenancePart = (day: Day): number => (unknownPart(day) > 0 ? 0 : partOf(day, day.maintenance_seconds ?? 0));

/** The place of the first day with a check: the days before are no missing data, and paler. All of them without one. */
export const firstWatched = (days: readonly Day[]): number => {
  const first = days.findIndex(({ up, down }) => up + down > 0);
  return first < 0 ? days.length : first;
};

/** The date since which a service is watched, if that is within its days. */
const watchedSince = (days: readonly Day[]): string | undefined => {
  const first = firstWatched(days);
  return first === 0 ? undefined : days[first]?.date;
};

/** One path for each tone, however many days: a hundred bars stay light. Unknown time stands below the rest of its day. */
const pathsOf = (days: readonly Day[], first: number) => {
  const paths = new Map<string, string>();
  const add = (tone: string, place: number, from: number, to: number) => {
    const [top, bottom] = [Math.round(from * 100) / 100, Math.round(to * 100) / 100];
    if (top < bottom) paths.set(tone, `${paths.get(tone) ?? ""}M${place + 0.5} ${top}V${bottom}`);
  };
  days.forEach((day, place) => {
    const [unknown, maintenance] = [unknownPart(day), maintenancePart(day)];
    if (place < first) {
      add("before", place, TOPS.none ?? 0, 1);
      return;
    }
    const [part, top] = [unknown + maintenance, TOPS[toneOf(day)] ?? 0];
    add(toneOf(day), place, top, 1 - part);
    if (part > 0) add(unknown > 0 ? "unknown" : "maintenance", place, Math.max(top, 1 - part), 1);
  });
  return [...paths];
};

const useDayText = () => {
  const { t } = useTranslation();
  const format = usePageFormat();
  return (day: Day, since?: string) => {
    const date = format.day(noonOf(day.date).getTime());
    if (since) return `${date} · ${since}`;
    const share = shareOf(day);
    const left = [
      day.unknown_seconds >= NAMED_UNKNOWN && t("common.unknownFor", { time: format.elapsed(day.unknown_seconds) }),
      day.maintenance_seconds !== undefined && `${t("statusPage.planned")} ${format.elapsed(day.maintenance_seconds)}`,
    ].filter(Boolean);
    if (share === null) return left.length > 0 ? [date, ...left].join(" · ") : t("statusPage.day.none", { date });
    const count = day.down - (day.held ?? 0);
    const values = { date, share: format.percent(share), count };
    return [count === 0 ? t("statusPage.day.good", values) : t("statusPage.day.bad", values), ...left].join(" · ");
  };
};

/** The date since which a service is watched, in words; undefined if that is before its days. */
export const useWatchedSince = () => {
  const { t } = useTranslation();
  const format = usePageFormat();
  return (days: readonly Day[]) => {
    const date = watchedSince(days);
    return date && t("statusPage.watchedSince", { date: format.shortDay(noonOf(date).getTime()) });
  };
};

type Props = { id: string; name: string; days: readonly Day[]; share: number | null };

/**
 * The days of a service, oldest left, `share` being its uptime over all of them in percent. Pointer and arrow keys walk
 * from day to day and show the figures of each, and a click or Enter opens the day in the history.
 */
export function DayBar({ id, name, days, share }: Props) {
  const { t } = useTranslation();
  const format = usePageFormat();
  const dayText = useDayText();
  const first = firstWatched(days);
  const since = useWatchedSince()(days);
  const { chosen, pointer, onKeyDown } = useSlotPointer(days.length);
  const bad = days.filter(({ down, held = 0 }) => down > held).length;
  const values = { share: format.percent(share), count: bad, days: days.length };
  const unknown = days
    .slice(first)
    .reduce((sum, day) => (day.unknown_seconds >= NAMED_UNKNOWN ? sum + day.unknown_seconds : sum), 0);
  const uptime =
    share === null
      ? t("statusPage.days.none", values)
      : bad === 0
        ? t("statusPage.days.good", values)
        : t("statusPage.days.bad", values);
  const sentence = [uptime, since, unknown > 0 && t("common.unknownFor", { time: format.elapsed(unknown) })]
    .filter(Boolean)
    .join(t("common.bar.separator"));
  const day = chosen === undefined ? undefined : days[chosen];
  const text = day && chosen !== undefined ? dayText(day, chosen < first ? since : undefined) : undefined;
  const open = () => day && location.assign(`${location.pathname.replace(/\/$/, "")}/history?day=${day.date}`);
  const tapped = useRef<Day>(undefined);

  return (
    <div
      id={id}
      className={`slots days d${days.length}`}
      tabIndex={0}
      role="slider"
      aria-label={t("statusPage.days.label", { name, days: days.length })}
      aria-valuemin={1}
      aria-valuemax={days.length}
      aria-valuenow={(chosen ?? days.length - 1) + 1}
      aria-valuetext={text ?? sentence}
      aria-readonly="true"
      aria-orientation="horizontal"
      onKeyDown={(event) => (event.key === "Enter" ? open() : onKeyDown(event))}
      {...pointer}
      onClick={({ nativeEvent }) => {
        // A finger first shows the day, and opens it when it taps again.
        if ((nativeEvent as PointerEvent).pointerType !== "touch" || tapped.current === day) open();
        tapped.current = day;
      }}
    >
      <svg viewBox={`0 0 ${days.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {pathsOf(days, first).map(([tone, d]) => (
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
