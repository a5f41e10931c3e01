/**
 * Availability: the share of the watched time of an interval in a working state. It is weighted by time, and computed here
 * only: lists, pages, badges, metrics, reports and objectives have the same figures. Unwatched time is left out: before the first check or report, during pauses and maintenance, while the hub could know nothing, and while
 * a ping may have been lost.
 */
import { readGaps } from "../../../cluster/gaps";
import type { Deps } from "../../../core/deps";
import { type Interval, lengthOf, mergeIntervals, overlapping, subtractIntervals } from "../../../lib/intervals";
import { DAY } from "../../../shared/limits";
import type { TargetType } from "../../../shared/notifications";
import { readLeftOut } from "../maintenance/running";
import { viewOf } from "../targets";
import { type OutageTimes, readOutageTimes } from "./times";

type Store = Pick<Deps, "db" | "clock" | "config">;

/** Times of a target in an interval, up to now and as far back as outages are kept. Milliseconds. */
export type Availability = {
  /** The time since the first check or report, without pauses. */
  active: number;
  /** The active time with a known state. */
  watched: number;
  /** The watched time in outages. */
  down: number;
  /** How many outages were open at some time of the interval. */
  outages: number;
};

export const NOTHING_KNOWN: Availability = { active: 0, watched: 0, down: 0, outages: 0 };

const percent = (share: number): number => Math.round(share * 100_000) / 1000;

/** Percent of the watched time without the time down; null without watched time. Rounding does not hide an outage. */
export const uptimeOf = ({ watched, down }: Pick<Availability, "watched" | "down">): number | null => {
  if (watched === 0) return null;
  return down > 0 ? Math.min(99.999, percent(1 - down / watched)) : 100;
};

/** Percent of the active time that was watched; null without active time. */
export const watchedShareOf = ({ active, watched }: Pick<Availability, "active" | "watched">): number | null => {
  if (active === 0) return null;
  return watched === active ? 100 : Math.min(99.999, percent(watched / active));
};

/** The availability of several targets, or of one in several intervals, as one. */
export const addAvailability = (parts: readonly Availability[]): Availability => {
  const sum = { ...NOTHING_KNOWN };
  for (const { active, watched, down, outages } of parts) {
    sum.active += active;
    sum.watched += watched;
    sum.down += down;
    sum.outages += outages;
  }
  return sum;
};

/** The history of a target. Pauses and gaps, which include them, are merged. */
type Observed = {
  /** Null before its first check or report. */
  since: number | null;
  pauses: readonly Interval[];
  gaps: readonly Interval[];
  outages: OutageTimes;
};

const NO_OUTAGES: OutageTimes = { all: [], merged: [] };

/** The place of the first of ordered outages that ends after a time. */
const firstAfter = (times: readonly number[], time: number): number => {
  let [low, high] = [0, times.length / 2];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((times[2 * middle + 1] as number) > time) high = middle;
    else low = middle + 1;
  }
  return 2 * low;
};

const downWithin = (spans: readonly Interval[], { merged }: OutageTimes): number => {
  let length = 0;
  for (const { from, to } of spans) {
    for (let place = firstAfter(merged, from); place < merged.length && (merged[place] as number) < to; place += 2)
      length += Math.min(to, merged[place + 1] as number) - Math.max(from, merged[place] as number);
  }
  return length;
};

const countOutages = ({ all, merged }: OutageTimes, { from, to }: Interval): number => {
  let count = 0;
  const isOrdered = all === merged;
  for (let place = isOrdered ? firstAfter(all, from) : 0; place < all.length; place += 2) {
    const [start, end] = [all[place] as number, all[place + 1] as number];
    if (start < to && end > from) count++;
    else if (isOrdered) break;
  }
  return count;
};

const availabilityIn = ({ since, pauses, gaps, outages }: Observed, { from, to }: Interval): Availability => {
  const known = { from: Math.max(from, since ?? to), to };
  if (known.from >= to) return NOTHING_KNOWN;
  const spans = subtractIntervals(known, overlapping(gaps, known));
  return {
    active: lengthOf(subtractIntervals(known, overlapping(pauses, known))),
    watched: lengthOf(spans),
    down: downWithin(spans, outages),
    outages: countOutages(outages, known),
  };
};

/** Targets that are read at once. */
const BATCH = 500;

type Wanted = { type: TargetType; ids: readonly number[] };

const readObserved = async (
  store: Store,
  { type, ids }: Wanted,
  span: Interval,
  gaps: readonly Interval[],
): Promise<Map<number, Observed>> => {
  const outages = await readOutageTimes(store, { type, ids }, span.from);
  const watching = await viewOf(type).readWatching(store, ids, span);
  const maintenance = await readLeftOut(store, { type, ids }, span);
  return new Map(
    [...watching].map(([id, { since, pauses: paused, unknown }]) => {
      const pauses = mergeIntervals([...paused, ...(maintenance.get(id) ?? [])]);
      const isShared = pauses.length === 0 && unknown.length === 0;
      const own = isShared ? gaps : mergeIntervals([...gaps, ...pauses, ...unknown]);
      return [id, { since, pauses, gaps: own, outages: outages.get(id) ?? NO_OUTAGES }];
    }),
  );
};

/**
 * Reads the availability of targets in each of some intervals [from, to), which may lie before what is kept and in the
 * future: nothing is known there. Deleted targets are left out.
 */
export const readAvailability = async (
  store: Store,
  { type, ids }: Wanted,
  intervals: readonly Interval[],
): Promise<Map<number, Availability[]>> => {
  const now = store.clock.now();
  const oldest = now - store.config.retention.hourDays * DAY;
  const within = intervals.map(({ from, to }) => ({ from: Math.max(from, oldest), to: Math.min(to, now) }));
  const span = {
    from: within.reduce((first, { from }) => Math.min(first, from), now),
    to: within.reduce((last, { to }) => Math.max(last, to), oldest),
  };
  const gaps = mergeIntervals((await readGaps(store, span)).map(({ from, to }) => ({ from, to: to ?? span.to })));
  const byTarget = new Map<number, Availability[]>();
  for (let first = 0; first < ids.length; first += BATCH) {
    const batch = { type, ids: ids.slice(first, first + BATCH) };
    for (const [id, observed] of await readObserved(store, batch, span, gaps))
      byTarget.set(
        id,
        within.map((interval) => availabilityIn(observed, interval)),
      );
  }
  return byTarget;
};
