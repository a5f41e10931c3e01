import type { Static } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy } from "../../../db/owner";
import { monitorStates, monitors, outages, recentChecks } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { createExpiringMap } from "../../../lib/expiring-map";
import { bucketsSince, isoTime, isoTimeOrNull } from "../../../lib/time";
import { component, id, integer, list, nullable, number, object, oneOf, text, time } from "../../../server/answers";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { STATUS_DAYS } from "../../../shared/status-page";
import { lastChecks, type RecentPacks } from "../../monitors/history/pack";
import { readCounts } from "../../monitors/history/sums";
import { Uptimes, uptimeField } from "../../monitors/history/uptime";
import { statusField } from "../../monitors/present";
import { isOpenOutage } from "../../outages/statements";
import type { StatusPage } from "../service";
import { inOrder, type Section, type Store } from "./section";

export const PublicMonitorSchema = component("PublicMonitor", {
  id: id("The monitor's id.", 3),
  name: text("Its name.", "Payments API"),
  status: statusField,
  since: nullable(time("Since when it is down; null unless it is.", "2026-01-15T12:05:00.000Z")),
  response_time: nullable(number("Response time of the last check in milliseconds.", 84.2)),
  uptime: uptimeField("30 days"),
  uptimes: Uptimes,
  last_checked: nullable(time("When it was last checked.")),
  history: list(
    object({ status: oneOf("The outcome.", ["up", "down"]), timestamp: time("When the check started.") }),
    "The last 24 checks, oldest first.",
  ),
  days: list(
    object({
      date: text("The day (UTC).", "2026-01-15", { format: "date" }),
      up: integer("Checks that were up.", 1440),
      down: integer("Checks that were down.", 0),
    }),
    "The last 90 days, oldest first.",
  ),
});
export type PublicMonitor = Static<typeof PublicMonitorSchema>;

type Sum = { up: number; down: number };

/** Counts of a monitor's checks: of each day by day number, and of the last 24 hours and 7 days. */
export type Figures = { days: Map<number, Sum>; last24h: Sum; last7d: Sum };

/** The share of up checks in percent, or null without a check. */
export const shareOf = ({ up, down }: Sum): number | null =>
  up + down === 0 ? null : Math.round((up / (up + down)) * 100_000) / 1000;

const plus = (a: Sum, b: Sum | undefined): Sum => ({ up: a.up + (b?.up ?? 0), down: a.down + (b?.down ?? 0) });
const nothing: Sum = { up: 0, down: 0 };

/** The sum over some days, today included. */
export const sumOf = ({ days }: Figures, today: number, count: number): Sum => {
  let total = nothing;
  for (let day = today - count + 1; day <= today; day++) total = plus(total, days.get(day));
  return total;
};

/** The figures of some monitors over some days and hours. `late` is the first of the last 24 hours. */
const readFigures = async (store: Store, ids: number[], days: number[], hours: number[], late: number) => {
  const figures = new Map<number, Figures>(
    ids.map((id) => [id, { days: new Map(), last24h: nothing, last7d: nothing }]),
  );
  for (const { monitorId, bucket, ...count } of await readCounts(store, "days", ids, days)) {
    const found = figures.get(monitorId)?.days;
    found?.set(bucket, plus(count, found.get(bucket)));
  }
  for (const { monitorId, bucket, ...count } of await readCounts(store, "hours", ids, hours)) {
    const found = figures.get(monitorId);
    if (!found) continue;
    found.last7d = plus(count, found.last7d);
    if (bucket >= late) found.last24h = plus(count, found.last24h);
  }
  return figures;
};

type Kept = { key: string; until: number; figures: Map<number, Figures> };
const KEEP_PAST = 5 * MINUTE;

/**
 * Reads the figures of some monitors. Those of past hours and days hardly ever change: a reader that is kept between
 * calls reads them once in five minutes, and the last two hours and days each time.
 */
export const createFigureReader = (store: Store) => {
  let kept: Kept | undefined;
  return async (ids: number[]): Promise<Map<number, Figures>> => {
    const now = store.clock.now();
    const [hour, today] = [Math.floor(now / HOUR), Math.floor(now / DAY)];
    const key = `${hour}:${ids}`;
    if (kept?.key !== key || kept.until <= now || kept.until > now + KEEP_PAST) {
      const days = bucketsSince(now - (STATUS_DAYS - 1) * DAY, now, DAY).slice(0, -2);
      const hours = bucketsSince(now - 7 * DAY + HOUR, now, HOUR).slice(0, -2);
      kept = { key, until: now + KEEP_PAST, figures: await readFigures(store, ids, days, hours, hour - 23) };
    }
    const past = kept.figures;
    // Checks of the last hour and of yesterday may not be moved from packs to sums yet.
    const current = await readFigures(store, ids, [today - 1, today], [hour - 1, hour], hour - 1);
    return new Map(
      [...current].map(([id, { days, last24h, last7d }]) => {
        const before = past.get(id);
        return [
          id,
          {
            days: new Map([...(before?.days ?? []), ...days]),
            last24h: plus(last24h, before?.last24h),
            last7d: plus(last7d, before?.last7d),
          },
        ];
      }),
    );
  };
};

/** What is read of a monitor: only what visitors may see. */
type MonitorRow = Pick<typeof monitors.$inferSelect, "id" | "name" | "active"> &
  Pick<typeof monitorStates.$inferSelect, "status" | "responseTime" | "lastCheckedAt"> &
  RecentPacks & { downSince: number | null };

/** The latest checks that a page shows. */
const HISTORY = 24;

/** A monitor as visitors of the page see it. */
const presentMonitor = (row: MonitorRow, figures: Figures, now: number): PublicMonitor => {
  const today = Math.floor(now / DAY);
  const month = shareOf(sumOf(figures, today, 30));
  return {
    id: row.id,
    name: row.name,
    status: row.active ? row.status : ("paused" as const),
    since: row.active && row.status === "down" ? isoTimeOrNull(row.downSince) : null,
    response_time: row.responseTime,
    uptime: month,
    uptimes: {
      "24h": shareOf(figures.last24h),
      "7d": shareOf(figures.last7d),
      "30d": month,
      "90d": shareOf(sumOf(figures, today, STATUS_DAYS)),
    },
    last_checked: isoTimeOrNull(row.lastCheckedAt),
    history: lastChecks(row, HISTORY).map(({ at, up }) => ({
      status: up ? ("up" as const) : ("down" as const),
      timestamp: isoTime(at),
    })),
    days: Array.from({ length: STATUS_DAYS }, (_, place) => {
      const day = today - STATUS_DAYS + 1 + place;
      const { up, down } = figures.days.get(day) ?? { up: 0, down: 0 };
      return { date: isoTime(day * DAY).slice(0, 10), up, down };
    }),
  };
};

type Reader = ReturnType<typeof createFigureReader>;
/** Monitors whose past figures are kept, about 10 kB each. */
const MAX_MONITORS = 1000;
const readers = new WeakMap<Deps["db"], ReturnType<typeof createExpiringMap<number, Reader>>>();

const figuresOf = (store: Store, { userId, monitors: ids }: StatusPage): Reader => {
  const known = readers.get(store.db) ?? createExpiringMap<number, Reader>(MAX_MONITORS);
  readers.set(store.db, known);
  const now = store.clock.now();
  const reader = known.get(userId, now) ?? createFigureReader(store);
  known.set(userId, reader, now, 5 * MINUTE, ids.length);
  return reader;
};

const read = async (store: Store, page: StatusPage): Promise<{ row: MonitorRow; figures: Figures }[]> => {
  const ids = page.monitors;
  if (ids.length === 0) return [];
  const { status, responseTime, lastCheckedAt, pack } = monitorStates;
  const rows = await store.db
    .select({
      id: monitors.id,
      name: monitors.name,
      active: monitors.active,
      status,
      responseTime,
      lastCheckedAt,
      pack,
      tail: recentChecks.checks,
      downSince: outages.startedAt,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorId, monitors.id))
    .leftJoin(recentChecks, eq(recentChecks.monitorId, monitors.id))
    .leftJoin(outages, isOpenOutage("monitor", monitors.id, "down"))
    .where(and(ownedBy(monitors, page.userId), isOneOf(monitors.id, ids)));
  const chosen = inOrder(rows, ids);
  const figures = chosen.length > 0 ? await figuresOf(store, page)(chosen.map(({ id }) => id)) : new Map();
  return chosen.map((row) => ({ row, figures: figures.get(row.id) }));
};

/** The services: monitors with their uptime and latest checks. */
export const monitorsSection: Section<"monitors", { row: MonitorRow; figures: Figures }, PublicMonitor> = {
  key: "monitors",
  read,
  present: ({ row, figures }, _page, now) => presentMonitor(row, figures, now),
  changedAt: ({ row }) => row.lastCheckedAt,
  health: ({ status }) => (status === "down" ? "bad" : status === "up" ? "good" : null),
};
