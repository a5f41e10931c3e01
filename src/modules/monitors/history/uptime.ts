import type { Static } from "@sinclair/typebox";
import { and, gte, lte, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { checkDays } from "../../../db/schema";
import { bucketsSince } from "../../../lib/time";
import { component, nullable, number } from "../../../server/answers";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { readCounts } from "./sums";

type Store = Pick<Deps, "db" | "clock">;
export const uptimeField = (span: string) =>
  nullable(number(`Share of up checks over the last ${span}, 0 to 100; null before the first check.`, 99.93));

export const Uptimes = component("Uptimes", {
  "24h": uptimeField("24 hours"),
  "7d": uptimeField("7 days"),
  "30d": uptimeField("30 days"),
  "90d": uptimeField("90 days"),
});
export type Uptimes = Static<typeof Uptimes>;
const share = (up: number, down: number): number | null =>
  up + down === 0 ? null : Math.round((up / (up + down)) * 100_000) / 1000;

type Sum = { up: number; down: number };

/** Up to this many monitors are read one by one; more are read by one query over the sums of all monitors. */
const FEW = 100;

/** The sums of some past days of all monitors. */
const readAllDays = async ({ db }: Pick<Store, "db">, days: number[]): Promise<Map<number, Sum>> => {
  const rows = await db
    .select({
      id: checkDays.monitorId,
      up: sql`sum(${checkDays.up})`.mapWith(Number),
      down: sql`sum(${checkDays.down})`.mapWith(Number),
    })
    .from(checkDays)
    .where(and(gte(checkDays.bucket, days[0] ?? 0), lte(checkDays.bucket, days.at(-1) ?? 0)))
    .groupBy(checkDays.monitorId);
  return new Map(rows.map(({ id, ...sum }) => [id, sum]));
};

/** The sums of some days of these monitors, with the checks that are still in packs. */
const readDays = async (store: Pick<Store, "db">, days: number[], monitorIds: number[]): Promise<Map<number, Sum>> => {
  const sums = new Map<number, Sum>();
  for (const { monitorId, up, down } of await readCounts(store, "days", monitorIds, days)) {
    const sum = sums.get(monitorId) ?? { up: 0, down: 0 };
    sums.set(monitorId, { up: sum.up + up, down: sum.down + down });
  }
  return sums;
};

/** Sums of past days hardly ever change, so those of all monitors are cached for a short time. */
const pastDays = new WeakMap<Store["db"], { until: number; day: number; sums: Map<number, Sum> }>();
const KEEP_PAST_DAYS = 5 * MINUTE;

const readPastDays = async ({ db, clock }: Store, days: number[]): Promise<Map<number, Sum>> => {
  const [now, day] = [clock.now(), days[0] ?? 0];
  const kept = pastDays.get(db);
  if (kept && kept.day === day && kept.until > now && kept.until <= now + KEEP_PAST_DAYS) return kept.sums;
  const sums = await readAllDays({ db }, days);
  pastDays.set(db, { until: now + KEEP_PAST_DAYS, day, sums });
  return sums;
};

/** Reads the share of up checks over the last 30 days by monitor. Monitors without a check are left out. */
export const uptimeOfMonth = async (store: Store, monitorIds: number[]): Promise<Map<number, number>> => {
  const days = bucketsSince(store.clock.now() - 29 * DAY, store.clock.now(), DAY);
  const few = monitorIds.length <= FEW;
  const past = few ? await readDays(store, days, monitorIds) : await readPastDays(store, days.slice(0, -2));
  // Packs may hold checks of yesterday.
  const recent = few ? new Map<number, Sum>() : await readDays(store, days.slice(-2), monitorIds);
  const uptimes = new Map<number, number>();
  for (const id of monitorIds) {
    const [before, now] = [past.get(id), recent.get(id)];
    const uptime = share((before?.up ?? 0) + (now?.up ?? 0), (before?.down ?? 0) + (now?.down ?? 0));
    if (uptime !== null) uptimes.set(id, uptime);
  }
  return uptimes;
};

/** Reads the share of up checks over each span: the first two from hours, the others from days (UTC). */
export const uptimesOf = async (store: Store, monitorId: number): Promise<Uptimes> => {
  const now = store.clock.now();
  const hours = await readCounts(store, "hours", [monitorId], bucketsSince(now - 7 * DAY + HOUR, now, HOUR));
  const days = await readCounts(store, "days", [monitorId], bucketsSince(now - 89 * DAY, now, DAY));
  const over = (rows: typeof days, first: number) => {
    const within = rows.filter(({ bucket }) => bucket >= first);
    return share(
      within.reduce((total, { up }) => total + up, 0),
      within.reduce((total, { down }) => total + down, 0),
    );
  };
  const [hour, day] = [Math.floor(now / HOUR), Math.floor(now / DAY)];
  return {
    "24h": over(hours, hour - 23),
    "7d": over(hours, hour - 167),
    "30d": over(days, day - 29),
    "90d": over(days, day - 89),
  };
};
