/** Uptimes of monitors in windows that end now, as lists, details, badges, metrics and status pages have them. */
import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../core/deps";
import type { Interval } from "../../../lib/intervals";
import { component, nullable, number } from "../../../server/answers";
import { DAY } from "../../../shared/limits";
import { type Availability, readAvailability, uptimeOf, watchedShareOf } from "../../alerting/outages/availability";
import { WINDOWS, windowsUntil } from "../../alerting/outages/windows";

export const uptimeField = (span: string) =>
  nullable(
    number(
      `Percent of the watched time of the last ${span} during which it was up, weighted by time; null before the first check.`,
      99.93,
    ),
  );

export const watchedField = (span: string) =>
  nullable(
    number(
      `Percent of the ${span}, since its first check and without pauses, in which its state could be known; null without such time.`,
      97.2,
    ),
  );

export const Uptimes = component("Uptimes", {
  "24h": uptimeField("24 hours"),
  "7d": uptimeField("7 days"),
  "30d": uptimeField("30 days"),
  "90d": uptimeField("90 days"),
});
export type Uptimes = Static<typeof Uptimes>;

export const Watched = component("Watched", {
  "24h": watchedField("last 24 hours"),
  "7d": watchedField("last 7 days"),
  "30d": watchedField("last 30 days"),
  "90d": watchedField("last 90 days"),
});
/** The uptimes of a monitor, and the share of the time that each is about. */
export type Shares = { uptimes: Uptimes; watched: Static<typeof Watched> };

type Store = Pick<Deps, "db" | "clock" | "config">;

/** Reads the availability of monitors over windows of these lengths. Deleted monitors are left out. */
const readWindows = (store: Store, ids: readonly number[], lengths: readonly number[]) =>
  readAvailability(store, { type: "monitor", ids }, windowsUntil(store.clock.now(), lengths));

/** Reads for how many milliseconds monitors were down within spans of each. Deleted monitors are left out. */
export const readDowntimes = async (
  store: Store,
  spans: ReadonlyMap<number, readonly Interval[]>,
): Promise<Map<number, number[]>> => {
  const downtimes = new Map<number, number[]>();
  // Most monitors have the same spans.
  for (const alike of Map.groupBy(spans, ([, own]) => JSON.stringify(own)).values()) {
    const ids = alike.map(([id]) => id);
    const found = await readAvailability(store, { type: "monitor", ids }, alike[0]?.[1] ?? []);
    for (const [id, parts] of found)
      downtimes.set(
        id,
        parts.map(({ down }) => down),
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
  const uptimes = new Map<number, number>();
  for (const [id, [window]] of await readWindows(store, monitorIds, [days * DAY])) {
    const uptime = window ? uptimeOf(window) : null;
    if (uptime !== null) uptimes.set(id, uptime);
  }
  return uptimes;
};

/** An uptime, and the percentage of the time that it is about; null without such time. */
export type Share = { uptime: number | null; watched: number | null };
export const NO_SHARE: Share = { uptime: null, watched: null };
const shareOf = (window: Availability | undefined): Share =>
  window ? { uptime: uptimeOf(window), watched: watchedShareOf(window) } : NO_SHARE;

/** Reads the uptime of monitors over 30 days, and the watched share of them. Deleted monitors are left out. */
export const readShares = async (store: Store, monitorIds: readonly number[]): Promise<Map<number, Share>> => {
  const byMonitor = await readWindows(store, monitorIds, [WINDOWS["30d"]]);
  return new Map([...byMonitor].map(([id, [window]]) => [id, shareOf(window)]));
};

/** Reads the uptime of monitors over each window, and the watched share of it. Deleted monitors are left out. */
export const readUptimes = async (store: Store, monitorIds: readonly number[]): Promise<Map<number, Shares>> => {
  const byMonitor = await readWindows(store, monitorIds, Object.values(WINDOWS));
  return new Map(
    [...byMonitor].map(([id, windows]) => {
      const [day = NO_SHARE, week = NO_SHARE, month = NO_SHARE, quarter = NO_SHARE] = windows.map(shareOf);
      return [
        id,
        {
          uptimes: { "24h": day.uptime, "7d": week.uptime, "30d": month.uptime, "90d": quarter.uptime },
          watched: { "24h": day.watched, "7d": week.watched, "30d": month.watched, "90d": quarter.watched },
        },
      ];
    }),
  );
};
