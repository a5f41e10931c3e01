/**
 * Uptime: the share of the watched time that a monitor was up. It is weighted by time, and the same everywhere: in lists,
 * details, badges, metrics and on status pages. Unwatched time is left out: before the first check, during pauses, and while
 * the hub could know nothing.
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

const AvailabilityOfWindow = component("Availability", {
  uptime: nullable(number("Percent of the watched time during which it was up; null without watched time.", 99.93)),
  watched_seconds: integer(
    "Watched time: since its first check, without pauses and the time in which the hub could know nothing.",
    86_400,
  ),
  watched: nullable(
    number(
      "Percent of the window, since its first check and without pauses, in which the hub could watch it; null without such time.",
      97.2,
    ),
  ),
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
type Watched = {
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

const watchedTime = ({ since, pauses, gaps, outages }: Watched, { from, to }: Interval) => {
  const window = { from: Math.max(from, since ?? to), to };
  const spans = subtractIntervals(window, gaps);
  const [length, down] = [lengthOf(spans), downWithin(spans, outages)];
  const share = percent(1 - down / length);
  const active = lengthOf(subtractIntervals(window, pauses));
  const watched = active === 0 ? null : length === active ? 100 : Math.min(99.999, percent(length / active));
  // Rounding must not hide an outage.
  return { window, length, down, watched, uptime: length === 0 ? null : down > 0 ? Math.min(99.999, share) : 100 };
};

/** A window that ends now. It goes back as far as outages are kept. */
const lately = ({ clock, config }: Store, length: number): Interval => {
  const now = clock.now();
  return { from: now - Math.min(length, config.retention.hourDays * DAY), to: now };
};

const readWatched = async (store: Store, monitorIds: readonly number[]): Promise<Map<number, Watched>> => {
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
  const rows = await db
    .select({ id: states.monitorId, since: states.firstCheckedAt })
    .from(states)
    .where(isOneOf(states.monitorId, monitorIds));
  const ofAll = mergeIntervals(hubGaps);
  return new Map(
    rows.map(({ id, since }) => {
      const pauses = mergeIntervals((pausesOf.get(id) ?? []).map(closed));
      const gaps = pauses.length > 0 ? mergeIntervals([...ofAll, ...pauses]) : ofAll;
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
    const { window, length, down, uptime, watched: share } = watchedTime(watched, lately(store, WINDOWS[name]));
    return {
      uptime,
      watched: share,
      watched_seconds: Math.round(length / SECOND),
      down_seconds: Math.round(down / SECOND),
      outages: countOutages(watched.outages, window),
    };
  };
  return { "24h": of("24h"), "7d": of("7d"), "30d": of("30d"), "90d": of("90d") };
};

/** Monitors that are read at once. */
const BATCH = 500;

/**
 * Reads the uptime of monitors over windows that end now, in percent, in the order of the windows. Deleted monitors are
 * left out.
 */
const readUptimesOver = async (
  store: Store,
  monitorIds: readonly number[],
  lengths: readonly number[],
): Promise<Map<number, (number | null)[]>> => {
  const uptimes = new Map<number, (number | null)[]>();
  for (let first = 0; first < monitorIds.length; first += BATCH) {
    const watched = await readWatched(store, monitorIds.slice(first, first + BATCH));
    const windows = lengths.map((length) => lately(store, length));
    for (const [id, each] of watched)
      uptimes.set(
        id,
        windows.map((window) => watchedTime(each, window).uptime),
      );
  }
  return uptimes;
};

/** Reads the uptime of monitors over some days, 30 unless given. Monitors without watched time are left out. */
export const readUptime = async (
  store: Store,
  monitorIds: readonly number[],
  days = 30,
): Promise<Map<number, number>> => {
  const cachedUptimes = new Map<number, number>();
  for (const [id, [uptime]] of await readUptimesOver(store, monitorIds, [days * DAY])) {
    if (typeof uptime === "number") cachedUptimes.set(id, uptime);
  }
  return cachedUptimes;
};

/** Reads the uptime of monitors over each window. Deleted monitors are left out. */
export const readUptimes = async (store: Store, monitorIds: readonly number[]): Promise<Map<number, Uptimes>> => {
  const uptimesByWindow = await readUptimesOver(store, monitorIds, Object.values(WINDOWS));
  return new Map(
    [...uptimesByWindow].map(([id, [day = null, week = null, month = null, quarter = null]]) => [
      id,
      { "24h": day, "7d": week, "30d": month, "90d": quarter },
    ]),
  );
};
