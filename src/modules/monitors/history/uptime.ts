/**
 * Uptime: the share of the watched time that a monitor was up. It is weighted by time, and the same everywhere: in lists,
 * details, badges, metrics and on status pages. Unwatched time is left out: before the first check, during pauses, while
 * the hub could know nothing, and while a ping may have been lost.
 */
import type { Static } from "@sinclair/typebox";
import { and, gte, isNull, or } from "drizzle-orm";
import { readGaps } from "../../../cluster/gaps";
import type { Deps } from "../../../core/deps";
import { monitorPauses, monitorStates as states } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { type Interval, lengthOf, mergeIntervals, subtractIntervals } from "../../../lib/intervals";
import { component, integer, nullable, number, object } from "../../../server/answers";
import { DAY, SECOND } from "../../../shared/limits";
import { LONGEST_WINDOW, type OutageTimes, readOutageTimes } from "../../alerting/outages/times";
import { readLostPings } from "../heartbeats/lost-pings";

const WINDOWS = { "24h": DAY, "7d": 7 * DAY, "30d": 30 * DAY, "90d": LONGEST_WINDOW } as const;
type Window = keyof typeof WINDOWS;

export const uptimeField = (span: string) =>
  nullable(
    number(
      `Percent of the watched time of the last ${span} during which it was up, weighted by time; null before the first check.`,
      99.93,
    ),
  );

export const Uptimes = component("Uptimes", {
  "24h": uptimeField("24 hours"),
  "7d": uptimeField("7 days"),
  "30d": uptimeField("30 days"),
  "90d": uptimeField("90 days"),
});
export type Uptimes = Static<typeof Uptimes>;

export const watchedField = (span: string) =>
  nullable(
    number(
      `Percent of the ${span}, since its first check and without pauses, in which its state could be known; null without such time.`,
      97.2,
    ),
  );

export const Watched = component("Watched", {
  "24h": watchedField("last 24 hours"),
  "7d": watchedField("last 7 days"),
  "30d": watchedField("last 30 days"),
  "90d": watchedField("last 90 days"),
});
/** The uptimes of a monitor, and the share of the time that each is about. */
export type Shares = { uptimes: Uptimes; watched: Static<typeof Watched> };

const AvailabilityOfWindow = component("Availability", {
  uptime: nullable(number("Percent of the watched time during which it was up; null without watched time.", 99.93)),
  watched_seconds: integer(
    "Watched time: since its first check, without pauses and the time in which nothing could be known.",
    86_400,
  ),
  watched: watchedField("window"),
  down_seconds: integer("Watched time during which it was down.", 60),
  outages: integer("How many outages were open at some time of the window.", 1),
});
export const Availability = object({
  "24h": AvailabilityOfWindow,
  "7d": AvailabilityOfWindow,
  "30d": AvailabilityOfWindow,
  "90d": AvailabilityOfWindow,
});

type Store = Pick<Deps, "db" | "clock" | "config">;

/** The history of a monitor. */
type Observed = {
  /** Null before its first check. */
  since: number | null;
  /** When it was paused, merged. */
  pauses: readonly Interval[];
  /** When it was not watched, merged. */
  gaps: readonly Interval[];
  outages: OutageTimes;
};

const NO_OUTAGES: OutageTimes = { all: [], merged: [] };

/** How long a monitor was down within spans in their order. Neither spans nor outages overlap. */
const downWithin = (spans: readonly Interval[], { merged }: OutageTimes): number => {
  let [length, first] = [0, 0];
  for (const { from, to } of spans) {
    while (first < merged.length && (merged[first + 1] as number) <= from) first += 2;
    for (let index = first; index < merged.length && (merged[index] as number) < to; index += 2) {
      length += Math.min(to, merged[index + 1] as number) - Math.max(from, merged[index] as number);
    }
  }
  return length;
};

const countOutages = ({ all }: OutageTimes, { from, to }: Interval): number => {
  let count = 0;
  for (let index = 0; index < all.length; index += 2) {
    if ((all[index] as number) <= to && (all[index + 1] as number) >= from) count++;
  }
  return count;
};

const percent = (share: number): number => Math.round(share * 100_000) / 1000;

const watchedTime = ({ since, gaps, outages }: Observed, { from, to }: Interval) => {
  const window = { from: Math.max(from, since ?? to), to };
  const spans = subtractIntervals(window, gaps);
  const [length, down] = [lengthOf(spans), downWithin(spans, outages)];
  const share = percent(1 - down / length);
  // Rounding must not hide an outage.
  return { window, length, down, uptime: length === 0 ? null : down > 0 ? Math.min(99.999, share) : 100 };
};

/** The watched percentage of a window, since the first check and without pauses. */
const watchedShare = ({ since, pauses, gaps }: Observed, { from, to }: Interval): number | null => {
  const window = { from: Math.max(from, since ?? to), to };
  const [active, watched] = [pauses, gaps].map((left) => lengthOf(subtractIntervals(window, left))) as [number, number];
  if (active === 0) return null;
  return watched === active ? 100 : Math.min(99.999, percent(watched / active));
};

/** A window that ends now. It goes back as far as outages are kept. */
const lately = ({ clock, config }: Store, length: number): Interval => {
  const now = clock.now();
  return { from: now - Math.min(length, config.retention.hourDays * DAY), to: now };
};

const readWatched = async (store: Store, monitorIds: readonly number[]): Promise<Map<number, Observed>> => {
  const { db } = store;
  const outages = await readOutageTimes(store, monitorIds);
  const { from, to } = lately(store, LONGEST_WINDOW);
  const closed = (one: { from: number; to: number | null }): Interval => ({ from: one.from, to: one.to ?? to });
  const hubGaps = (await readGaps(store, { from, to })).map(closed);
  const pauses = await db
    .select({ monitorId: monitorPauses.monitorId, from: monitorPauses.startedAt, to: monitorPauses.endedAt })
    .from(monitorPauses)
    .where(
      and(
        isOneOf(monitorPauses.monitorId, monitorIds),
        or(isNull(monitorPauses.endedAt), gte(monitorPauses.endedAt, from)),
      ),
    );
  const pausesOf = Map.groupBy(pauses, ({ monitorId }) => monitorId);
  const lostPings = await readLostPings(store, monitorIds, { from, to });
  const rows = await db
    .select({ id: states.monitorId, since: states.firstCheckedAt })
    .from(states)
    .where(isOneOf(states.monitorId, monitorIds));
  const ofAll = mergeIntervals(hubGaps);
  return new Map(
    rows.map(({ id, since }) => {
      const pauses = mergeIntervals((pausesOf.get(id) ?? []).map(closed));
      const own = [...pauses, ...(lostPings.get(id) ?? []).map(closed)];
      const gaps = own.length > 0 ? mergeIntervals([...ofAll, ...own]) : ofAll;
      return [id, { since, pauses, gaps, outages: outages.get(id) ?? NO_OUTAGES }];
    }),
  );
};

/** Reads the availability of a monitor over each window that ends now. */
export const readAvailability = async (store: Store, monitorId: number): Promise<Static<typeof Availability>> => {
  const watched = (await readWatched(store, [monitorId])).get(monitorId) ?? {
    since: null,
    pauses: [],
    gaps: [],
    outages: NO_OUTAGES,
  };
  const of = (name: Window): Static<typeof AvailabilityOfWindow> => {
    const { window, length, down, uptime } = watchedTime(watched, lately(store, WINDOWS[name]));
    return {
      uptime,
      watched: watchedShare(watched, lately(store, WINDOWS[name])),
      watched_seconds: Math.round(length / SECOND),
      down_seconds: Math.round(down / SECOND),
      outages: countOutages(watched.outages, window),
    };
  };
  return { "24h": of("24h"), "7d": of("7d"), "30d": of("30d"), "90d": of("90d") };
};

/** Monitors that are read at once. */
const BATCH = 500;

/** Reads what `of` returns of each monitor and of each window that ends now. Deleted monitors are left out. */
const readOver = async <T>(
  store: Store,
  monitorIds: readonly number[],
  lengths: readonly number[],
  of: (monitor: Observed, window: Interval) => T,
): Promise<Map<number, T[]>> => {
  const byMonitor = new Map<number, T[]>();
  for (let first = 0; first < monitorIds.length; first += BATCH) {
    const observed = await readWatched(store, monitorIds.slice(first, first + BATCH));
    const windows = lengths.map((length) => lately(store, length));
    for (const [id, monitor] of observed)
      byMonitor.set(
        id,
        windows.map((window) => of(monitor, window)),
      );
  }
  return byMonitor;
};

/** Reads for how many milliseconds monitors were down within spans of each. Deleted monitors are left out. */
export const readDowntimes = async (
  store: Store,
  spans: ReadonlyMap<number, readonly Interval[]>,
): Promise<Map<number, number[]>> => {
  const ids = [...spans.keys()];
  const downtimes = new Map<number, number[]>();
  const now = store.clock.now();
  for (let first = 0; first < ids.length; first += BATCH) {
    for (const [id, monitor] of await readWatched(store, ids.slice(first, first + BATCH)))
      downtimes.set(
        id,
        (spans.get(id) ?? []).map(({ from, to }) => watchedTime(monitor, { from, to: Math.min(to, now) }).down),
      );
  }
  return downtimes;
};

/** Reads the uptime of monitors over some days, 30 unless given. Monitors without watched time are left out. */
export const readUptime = async (
  store: Store,
  monitorIds: readonly number[],
  days = 30,
): Promise<Map<number, number>> => {
  const uptimeOf = (monitor: Observed, window: Interval) => watchedTime(monitor, window).uptime;
  const uptimes = new Map<number, number>();
  for (const [id, [uptime]] of await readOver(store, monitorIds, [days * DAY], uptimeOf)) {
    if (typeof uptime === "number") uptimes.set(id, uptime);
  }
  return uptimes;
};

/** An uptime, and the percentage of the time that it is about; null without such time. */
export type Share = { uptime: number | null; watched: number | null };
const shareOf = (monitor: Observed, window: Interval): Share => ({
  uptime: watchedTime(monitor, window).uptime,
  watched: watchedShare(monitor, window),
});
export const NO_SHARE: Share = { uptime: null, watched: null };

/** Reads the uptime of monitors over 30 days, and the watched share of them. Deleted monitors are left out. */
export const readShares = async (store: Store, monitorIds: readonly number[]): Promise<Map<number, Share>> => {
  const byMonitor = await readOver(store, monitorIds, [WINDOWS["30d"]], shareOf);
  return new Map([...byMonitor].map(([id, [share = NO_SHARE]]) => [id, share]));
};

/** Reads the uptime of monitors over each window, and the watched share of it. Deleted monitors are left out. */
export const readUptimes = async (store: Store, monitorIds: readonly number[]): Promise<Map<number, Shares>> => {
  const byWindow = await readOver(store, monitorIds, Object.values(WINDOWS), shareOf);
  return new Map(
    [...byWindow].map(([id, [day = NO_SHARE, week = NO_SHARE, month = NO_SHARE, quarter = NO_SHARE]]) => [
      id,
      {
        uptimes: { "24h": day.uptime, "7d": week.uptime, "30d": month.uptime, "90d": quarter.uptime },
        watched: { "24h": day.watched, "7d": week.watched, "30d": month.watched, "90d": quarter.watched },
      },
    ]),
  );
};
