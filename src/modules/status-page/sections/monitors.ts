import type { Static } from "@sinclair/typebox";
import { readGaps } from "../../../cluster/gaps";
import type { Deps } from "../../../core/deps";
import { createExpiringMap } from "../../../lib/expiring-map";
import { lengthOf, mergeIntervals, subtractIntervals } from "../../../lib/intervals";
import { bucketsSince, isoTime, isoTimeOrNull } from "../../../lib/time";
import {
  boolean,
  component,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  time,
} from "../../../server/answers";
import { DAY, MINUTE, SECOND } from "../../../shared/limits";
import { PASSIVE_KINDS } from "../../../shared/monitor";
import { STATUS_DAYS } from "../../../shared/status-page";
import { readLostPings, type UnknownTime } from "../../monitors/heartbeats/lost-pings";
import { readDailyCounts } from "../../monitors/history/checks";
import { lastChecks } from "../../monitors/history/pack";
import { readUptime, readUptimes, type Shares, Uptimes, uptimeField, Watched } from "../../monitors/history/uptime";
import { shownStatus, statusField } from "../../monitors/present";
import { type PublicMonitorRow, readPublicMonitors } from "../../monitors/service";
import type { StatusPage } from "../pages/find";
import { marksField } from "./incidents";
import { maintenanceUntilField, readDayMaintenance, readUntil } from "./maintenance";
import {
  type Health,
  healthOf,
  inOrder,
  measuredField,
  measuredStatus,
  presentUnknownSince,
  type Section,
  type Store,
  statedField,
  unknownSinceField,
} from "./section";

export const PublicMonitorSchema = component("PublicMonitor", {
  id: id("The monitor's id.", 3),
  name: text("Its name.", "Payments API"),
  status: statusField,
  unknown: unknownSinceField,
  maintenance: maintenanceUntilField,
  component_status: statedField,
  measured_status: measuredField,
  incidents: marksField,
  since: nullable(
    time(
      "Since when it is down, or else the start of the incident that gives it its status; null otherwise.",
      "2026-01-15T12:05:00.000Z",
    ),
  ),
  response_time: nullable(number("Response time of the last check in milliseconds; null for heartbeats.", 84.2)),
  uptime: uptimeField("30 days"),
  uptimes: Uptimes,
  watched: Watched,
  page_uptime: optional(uptimeField("days of the page's history, where these are not 90")),
  last_checked: nullable(time("When it was last checked.")),
  history: list(
    object({
      status: oneOf("The outcome.", ["up", "down"]),
      slow: optional(boolean("Whether the response was slow.", true)),
      timestamp: time("When the check started."),
    }),
    "The last 24 checks, oldest first.",
  ),
  days: list(
    object({
      date: text("The day (UTC).", "2026-01-15", { format: "date" }),
      up: integer("Checks that were up.", 1440),
      down: integer("Checks that were down.", 0),
      unknown_seconds: integer("Seconds in which nothing could be known: neither up nor down.", 0),
      maintenance_seconds: optional(integer("Seconds of maintenance; absent on days without.", 3600)),
      held: optional(integer("How many of the checks that were down do not count: by time, those in maintenance.", 3)),
    }),
    "The days of the page's history, oldest first.",
  ),
});
export type PublicMonitor = Static<typeof PublicMonitorSchema>;

type Sum = { up: number; down: number };

/** The checks of a monitor by day number. */
type Days = Map<number, Sum>;

/** The checks of some monitors on some days. */
const readDays = async (store: Store, ids: number[], days: number[]): Promise<Map<number, Days>> => {
  const daysById = new Map<number, Days>(ids.map((id) => [id, new Map()]));
  for (const { monitorId, day, up, down } of await readDailyCounts(store, ids, days)) {
    const sum = daysById.get(monitorId)?.get(day) ?? { up: 0, down: 0 };
    daysById.get(monitorId)?.set(day, { up: sum.up + up, down: sum.down + down });
  }
  return daysById;
};

const KEEP_PAST = 5 * MINUTE;

/**
 * Creates a reader of the checks of some monitors on each day. Past days hardly ever change: the reader caches them for five
 * minutes, and reads the last two days each time.
 */
const createDayReader = (store: Store, count: number) => {
  let cache: { key: string; until: number; days: Map<number, Days> } | undefined;
  return async (ids: number[]): Promise<Map<number, Days>> => {
    const now = store.clock.now();
    const today = Math.floor(now / DAY);
    const key = `${today}:${ids}`;
    if (cache?.key !== key || cache.until <= now || cache.until > now + KEEP_PAST) {
      const past = bucketsSince(now - (count - 1) * DAY, now, DAY).slice(0, -2);
      cache = { key, until: now + KEEP_PAST, days: await readDays(store, ids, past) };
    }
    const past = cache.days;
    // Checks of yesterday may not be moved from packs to sums yet.
    const current = await readDays(store, ids, [today - 1, today]);
    return new Map([...current].map(([id, days]) => [id, new Map([...(past.get(id) ?? []), ...days])]));
  };
};

type Published = {
  row: PublicMonitorRow;
  days: Days;
  unknown: readonly number[];
  shares: Shares;
  /** The uptime over the days of the page's history, where these are not 90. */
  pageUptime: number | null | undefined;
  maintenance: Static<typeof maintenanceUntilField>;
  held: ReturnType<Awaited<ReturnType<typeof readDayMaintenance>>>;
};
/** The shares of a monitor that was deleted since the page was read. */
const NONE = { "24h": null, "7d": null, "30d": null, "90d": null };

/** Reads how many seconds of each day, the oldest first, nothing could be known of a monitor. */
const readUnknownSeconds = async (
  store: Store,
  ids: readonly number[],
  count: number,
): Promise<(id: number) => number[]> => {
  const now = store.clock.now();
  const first = Math.floor(now / DAY) - count + 1;
  const span = { from: first * DAY, to: now };
  const secondsOf = (times: readonly UnknownTime[]): number[] => {
    const unknown = mergeIntervals(times.map(({ from, to }) => ({ from, to: to ?? now })));
    return Array.from({ length: count }, (_, place) => {
      const day = { from: (first + place) * DAY, to: (first + place + 1) * DAY };
      return Math.round((DAY - lengthOf(subtractIntervals(day, unknown))) / SECOND);
    });
  };
  const gaps = await readGaps(store, span);
  const lostPings = await readLostPings(store, ids, span);
  const ofAll = secondsOf(gaps);
  return (id) => {
    const own = lostPings.get(id);
    return own ? secondsOf([...gaps, ...own]) : ofAll;
  };
};

/** The latest checks that a page shows. */
const HISTORY = 24;

const presentDay = (held: Published["held"][number] | undefined, down: number) =>
  held && held.seconds > 0 ? { maintenance_seconds: held.seconds, held: Math.round(down * held.held) } : {};

/** A monitor as visitors of the page see it. */
const presentMonitor = (
  { row, days, unknown, shares, pageUptime, maintenance, held }: Published,
  { historyDays }: StatusPage,
  now: number,
): PublicMonitor => {
  const today = Math.floor(now / DAY);
  return {
    id: row.id,
    name: row.name,
    status: shownStatus(row.active, row),
    unknown: presentUnknownSince(row.unknown),
    maintenance,
    since: row.active && row.status === "down" ? isoTimeOrNull(row.downSince) : null,
    // The duration of a job says nothing to visitors.
    response_time: PASSIVE_KINDS.includes(row.kind) ? null : row.responseTime,
    uptime: shares.uptimes["30d"],
    ...shares,
    ...(pageUptime !== undefined && { page_uptime: pageUptime }),
    last_checked: isoTimeOrNull(row.lastCheckedAt),
    history: lastChecks(row, HISTORY).map(({ at, up, slow }) => ({
      status: up ? ("up" as const) : ("down" as const),
      ...(slow && { slow }),
      timestamp: isoTime(at),
    })),
    days: Array.from({ length: historyDays }, (_, place) => {
      const day = today - historyDays + 1 + place;
      const { up, down } = days.get(day) ?? { up: 0, down: 0 };
      return {
        date: isoTime(day * DAY).slice(0, 10),
        ...{ up, down, unknown_seconds: unknown[place] ?? 0 },
        ...presentDay(held[place], down),
      };
    }),
  };
};

type Reader = ReturnType<typeof createDayReader>;
/** Days of monitors that are kept, about 100 bytes each. */
const MAX_DAYS = 90_000;
const readers = new WeakMap<Deps["db"], ReturnType<typeof createExpiringMap<string, Reader>>>();

const daysOf = (store: Store, ids: readonly number[], count: number): Reader => {
  const byMonitors = readers.get(store.db) ?? createExpiringMap<string, Reader>(MAX_DAYS);
  readers.set(store.db, byMonitors);
  const now = store.clock.now();
  const key = Bun.hash(`${count} ${ids.join()}`).toString(36);
  const reader = byMonitors.get(key, now) ?? createDayReader(store, count);
  byMonitors.set(key, reader, now, { lifetime: 5 * MINUTE, weight: ids.length * count });
  return reader;
};

const read = async (store: Store, page: StatusPage): Promise<Published[]> => {
  const { monitors: ids, historyDays } = page;
  if (ids.length === 0) return [];
  const chosen = inOrder(await readPublicMonitors(store, ids, page.teamId), ids);
  if (chosen.length === 0) return [];
  const shownIds = chosen.map(({ id }) => id);
  const days = await daysOf(store, shownIds, historyDays)(shownIds);
  const shares = await readUptimes(store, shownIds);
  const uptimes = historyDays === STATUS_DAYS ? undefined : await readUptime(store, shownIds, historyDays);
  const unknownOf = await readUnknownSeconds(store, shownIds, historyDays);
  const maintenanceOf = await readUntil(store, page, "monitor", shownIds);
  const first = Math.floor(store.clock.now() / DAY) - historyDays + 1;
  const heldOf = await readDayMaintenance(store, shownIds, first, historyDays);
  return chosen.map((row) => ({
    row,
    days: days.get(row.id) ?? new Map(),
    unknown: unknownOf(row.id),
    shares: shares.get(row.id) ?? { uptimes: NONE, watched: NONE },
    pageUptime: uptimes && (uptimes.get(row.id) ?? null),
    maintenance: maintenanceOf(row.id),
    held: heldOf(row.id),
  }));
};

const HEALTH = { up: "good", degraded: "slow", down: "bad", pending: null, paused: null } as const;

const measuredHealth = ({ status, unknown, maintenance }: PublicMonitor): Health =>
  unknown ? null : maintenance && status !== "paused" ? "maintenance" : HEALTH[status];

/** The services: monitors with their uptime and latest checks. */
export const monitorsSection: Section<"monitors", Published, PublicMonitor> = {
  key: "monitors",
  read,
  present: presentMonitor,
  changedAt: ({ row }) => row.lastCheckedAt,
  health: (shown) => healthOf(shown, measuredHealth(shown)),
  measured: measuredStatus,
};
