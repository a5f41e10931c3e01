/** The figures of each target of a report. */
import type { Deps } from "../../core/deps";
import type { Interval } from "../../lib/intervals";
import { daysWithin } from "../../shared/time-zone";
import {
  type Availability,
  addAvailability,
  NOTHING_KNOWN,
  readAvailability,
  uptimeOf,
} from "../alerting/outages/availability";
import { readSpanSums } from "../monitors/history/series/response-times";
import { addSums, type Sums } from "../monitors/history/sums";
import { readPeaks, readReportTraffic } from "../servers/report-rows";
import { idsOf, type Target, type Targets } from "./targets";

/** A day of the report, or a week of a long one. */
export type Step = Interval & { date: string };

/** The figures of one target, or of all. */
export type Figures = {
  whole: Availability;
  before: Availability;
  steps: readonly Availability[];
  worst: { date: string; down: number } | null;
  /** Of its checks; null of servers. */
  sums: Sums | null;
};

export type TargetFigures = Figures & {
  target: Target;
  peaks: { cpu: number | null; memory: number | null; disk: number | null } | null;
  traffic: { rx: number; tx: number } | null;
};

/** A strip has a step for each day of this many; longer ones have one for each week. */
const MAX_STEPS = 93;

/** Items in groups of seven. */
const weeksOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / 7) }, (_, week) => items.slice(7 * week, 7 * week + 7));

const isLong = (days: readonly Step[]): boolean => days.length > MAX_STEPS;

/** The steps of the strips of these days. */
export const stepsOf = (days: readonly Step[]): Step[] =>
  isLong(days)
    ? weeksOf(days).flatMap((week) => {
        const [first, last] = [week[0], week.at(-1)];
        return first && last ? [{ ...first, to: last.to }] : [];
      })
    : [...days];

const worstOf = (days: readonly Step[], byDay: readonly Availability[]): Figures["worst"] => {
  const longest = byDay.reduce((most, { down }) => Math.max(most, down), 0);
  const place = byDay.findIndex(({ down }) => down === longest);
  const date = days[place]?.date;
  return longest > 0 && date !== undefined ? { date, down: longest } : null;
};

type Span = { span: Interval; before: Interval; zone: string };

/**
 * Reads the figures of targets, those with the lowest uptime first, and of all of them together.
 */
export const readFigures = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { all, servers }: Targets,
  { span, before, zone }: Span,
): Promise<{ days: Step[]; rows: TargetFigures[]; total: Figures; responsesBefore: Sums | null }> => {
  const ids = idsOf(all);
  const days = daysWithin(zone, span);
  const intervals = [span, before, ...days];
  const availability = {
    monitor: await readAvailability(deps, { type: "monitor", ids: ids.monitor }, intervals),
    agent: await readAvailability(deps, { type: "agent", ids: ids.agent }, intervals),
  };
  const sums = await readSpanSums(deps, ids.monitor, span);
  const peaks = await readPeaks(deps, ids.agent, span);
  const traffic = await readReportTraffic(deps, servers, span, zone);
  const figuresOf = (parts: readonly Availability[], own: Sums | null): Figures => {
    const [whole = NOTHING_KNOWN, earlier = NOTHING_KNOWN, ...byDay] = parts;
    const steps = isLong(days) ? weeksOf(byDay).map(addAvailability) : byDay;
    return { whole, before: earlier, steps, worst: worstOf(days, byDay), sums: own };
  };
  const partsOf = ({ type, id }: Target) => availability[type].get(id) ?? [];
  const rows = all.map((target): TargetFigures => {
    const isServer = target.type === "agent";
    return {
      target,
      ...figuresOf(partsOf(target), isServer ? null : (sums.get(target.id) ?? null)),
      peaks: isServer ? (peaks.get(target.id) ?? null) : null,
      traffic: isServer ? (traffic.get(target.id) ?? null) : null,
    };
  });
  const parts = all.map(partsOf);
  const added = intervals.map((_, place) => addAvailability(parts.map((own) => own[place] ?? NOTHING_KNOWN)));
  const sumsBefore = [...(await readSpanSums(deps, ids.monitor, before)).values()];
  return {
    days,
    rows: rows.toSorted(byUptime),
    total: figuresOf(added, sums.size > 0 ? addSums([...sums.values()]) : null),
    responsesBefore: sumsBefore.length > 0 ? addSums(sumsBefore) : null,
  };
};

/** Targets without watched time come last. */
const byUptime = (one: TargetFigures, other: TargetFigures): number => {
  const [a, b] = [uptimeOf(one.whole) ?? 101, uptimeOf(other.whole) ?? 101];
  return a - b || other.whole.down - one.whole.down || one.target.name.localeCompare(other.target.name);
};
