/** Totals of the outages that a filter selects, and how long they lasted on each day. */

import type { Static } from "@sinclair/typebox";
import { and, asc, eq, gt, gte, or } from "drizzle-orm";
import { readGaps } from "../../../../cluster/gaps";
import type { Deps } from "../../../../core/deps";
import type { Viewer } from "../../../../db/owner";
import { outages } from "../../../../db/schema";
import { type Interval, lengthOf, mergeIntervals } from "../../../../lib/intervals";
import { isoTime } from "../../../../lib/time";
import { component, integer, list, nullable, number, object, text, time } from "../../../../server/answers";
import { parseSpan, parseZone } from "../../../../server/schema";
import { DAY, MAX_RANGE_DAYS, SECOND } from "../../../../shared/limits";
import { daysWithin } from "../../../../shared/time-zone";
import type { OutageFilter } from "../model";
import { countedFrom } from "../times";
import { matches } from "./filter";

/** The usual length of the range in days. */
const USUAL_DAYS = 30;
/** Outages that are read at once: others wait no longer than that takes. */
const BATCH = 5000;

export const OutageSummary = component("OutageSummary", {
  from: time("The beginning of the range.", "2026-01-01T00:00:00.000Z"),
  to: time("Its end.", "2026-02-01T00:00:00.000Z"),
  outages: integer("How many outages there were in the range.", 17),
  open: integer("How many of them have not ended.", 1),
  seconds: integer("How many seconds of the range they lasted, added up.", 19_260),
  longest: nullable(
    object({ id: integer("Its id.", 12), seconds: integer("How many seconds of the range it lasted.", 9780) }),
  ),
  mean_time_to_repair: nullable(
    integer("How many seconds those that have ended lasted on average, from beginning to end; null without any.", 1140),
  ),
  watched: nullable(
    number("The percentage of the range so far in which Wakeful could know the state of targets.", 99.8),
    null,
  ),
  days: list(
    object({
      date: text("The date.", "2026-01-16"),
      from: time("When it begins in the time zone, or where the range begins.", "2026-01-16T00:00:00.000Z"),
      to: time("When it ends.", "2026-01-17T00:00:00.000Z"),
      outages: integer("How many outages there were on it.", 2),
      seconds: integer("How many seconds of it they lasted, added up.", 9780),
    }),
    "The days of the range, the first of which may begin before it.",
  ),
});
type Summary = Static<typeof OutageSummary>;

type Row = Pick<typeof outages.$inferSelect, "id" | "targetType" | "startedAt" | "countedFrom" | "endedAt">;
type Day = Interval & { date: string; outages: number; milliseconds: number };

const daysOf = (range: Interval, zone: string): Day[] =>
  daysWithin(zone, range).map((day) => ({ ...day, outages: 0, milliseconds: 0 }));

/**
 * The range of a summary: the last 30 days unless given.
 * @throws {AppError} validation when it ends before it begins, or is too long
 */
const rangeOf = (filter: OutageFilter, now: number): Interval => {
  const span = parseSpan(filter);
  const to = span.to ?? Math.max(now, (span.from ?? 0) + DAY);
  const from = span.from ?? to - USUAL_DAYS * DAY;
  parseSpan({ from: isoTime(from), to: isoTime(to) }, MAX_RANGE_DAYS);
  return { from, to };
};

/** Adds up outages of a range that are read in batches. An open one lasts until `now`. */
const startTotals = ({ from, to }: Interval, days: readonly Day[], now: number) => {
  const totals = { outages: 0, open: 0, milliseconds: 0, ended: 0, repair: 0 };
  let longest: { id: number; milliseconds: number } | null = null;
  const placeOf = (at: number): number => {
    let [low, high] = [0, days.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((days[middle] as Day).from <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const add = (row: Row): void => {
    const { id, endedAt } = row;
    const began = countedFrom(row);
    const start = Math.max(began, from);
    const end = Math.min(endedAt ?? Math.max(now, row.startedAt), to);
    const milliseconds = Math.max(0, end - start);
    totals.outages++;
    totals.milliseconds += milliseconds;
    if (endedAt === null) totals.open++;
    else {
      totals.ended++;
      totals.repair += endedAt - began;
    }
    if (longest === null || milliseconds > longest.milliseconds) longest = { id, milliseconds };
    for (let place = placeOf(start); place < days.length; place++) {
      const day = days[place] as Day;
      if (day.from > start && day.from >= end) break;
      day.outages++;
      day.milliseconds += Math.max(0, Math.min(end, day.to) - Math.max(start, day.from));
    }
  };
  return { add, read: () => ({ ...totals, longest: longest as { id: number; milliseconds: number } | null }) };
};

const toSeconds = (milliseconds: number): number => Math.round(milliseconds / SECOND);

/** The percentage of a range up to now that no gap of the hub covers; null for one in the future. */
const readWatched = async (deps: Pick<Deps, "db">, { from, to }: Interval, now: number): Promise<number | null> => {
  const until = Math.min(to, now);
  if (until <= from) return null;
  const gaps = await readGaps(deps, { from, to: until });
  const inside = gaps.map((gap) => ({ from: Math.max(gap.from, from), to: Math.min(gap.to ?? until, until) }));
  return Math.round((1 - lengthOf(mergeIntervals(inside)) / (until - from)) * 10_000) / 100;
};

/**
 * Totals of the outages that a viewer sees and a filter selects, within its range.
 * @throws {AppError} validation
 */
export const readSummary = async (
  deps: Pick<Deps, "db" | "clock">,
  viewer: Viewer,
  { zone = "UTC", ...filter }: OutageFilter & { zone?: string },
): Promise<Summary> => {
  const now = deps.clock.now();
  const range = rangeOf(filter, now);
  const days = daysOf(range, parseZone(zone));
  const totals = startTotals(range, days, now);
  const [from, to] = [isoTime(range.from), isoTime(range.to)];
  const selected = matches(viewer, { ...filter, from, to }, now);
  const { id, startedAt, endedAt } = outages;
  for (let last: Row | undefined; ; ) {
    const isNext = last && or(gt(startedAt, last.startedAt), and(eq(startedAt, last.startedAt), gt(id, last.id)));
    const rows = await deps.db
      .select({ id, targetType: outages.targetType, startedAt, countedFrom: outages.countedFrom, endedAt })
      .from(outages)
      .where(and(selected, last && gte(startedAt, last.startedAt), isNext))
      .orderBy(asc(startedAt), asc(id))
      .limit(BATCH);
    for (const row of rows) totals.add(row);
    if (rows.length < BATCH) break;
    last = rows.at(-1);
  }
  const { longest, ...sums } = totals.read();
  return {
    from,
    to,
    outages: sums.outages,
    open: sums.open,
    seconds: toSeconds(sums.milliseconds),
    longest: longest && { id: longest.id, seconds: toSeconds(longest.milliseconds) },
    mean_time_to_repair: sums.ended === 0 ? null : toSeconds(sums.repair / sums.ended),
    watched: await readWatched(deps, range, now),
    days: days.map(({ date, ...day }) => ({
      ...{ date, from: isoTime(day.from), to: isoTime(day.to) },
      ...{ outages: day.outages, seconds: toSeconds(day.milliseconds) },
    })),
  };
};
