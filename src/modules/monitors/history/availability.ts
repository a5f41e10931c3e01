/**
 * Availability over time: the share of the watched time during which a monitor was up. Time without knowledge is left
 * out: before its first check, while it was paused, and while no instance of the hub ran.
 */
import type { Static } from "@sinclair/typebox";
import { and, eq, gte, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { hubGaps, monitorPauses, monitorStates as states } from "../../../db/schema";
import { commonLength, type Interval, lengthOf, mergeIntervals, subtractIntervals } from "../../../lib/intervals";
import { component, integer, nullable, number } from "../../../server/answers";
import { DAY, SECOND } from "../../../shared/limits";
import { readOutageTimes } from "../../outages/service";

const WINDOWS = { "24h": DAY, "7d": 7 * DAY, "30d": 30 * DAY, "90d": 90 * DAY } as const;
type Window = keyof typeof WINDOWS;

export const AvailabilityOfWindow = component("Availability", {
  uptime: nullable(number("Percent of the watched time during which it was up; null without watched time.", 99.93)),
  watched_seconds: integer(
    "Watched time: since its first check, without pauses and the time during which the hub did not run.",
    86_400,
  ),
  down_seconds: integer("Watched time during which it was down.", 60),
  outages: integer("How many outages were open at some time of the window.", 1),
});

/** What is known of a monitor; `since` is null before its first check. */
export type Watched = {
  since: number | null;
  /** When it was not watched. */
  gaps: Interval[];
  outages: Interval[];
};

/** The availability of a monitor from `from` to `to`, in milliseconds. */
export const availabilityOf = (
  { since, gaps, outages }: Watched,
  { from, to }: Interval,
): Static<typeof AvailabilityOfWindow> => {
  const start = Math.max(from, since ?? to);
  const watched = subtractIntervals({ from: start, to }, mergeIntervals(gaps));
  const [length, down] = [lengthOf(watched), commonLength(watched, mergeIntervals(outages))];
  return {
    uptime: length === 0 ? null : Math.round((1 - down / length) * 100_000) / 1000,
    watched_seconds: Math.round(length / SECOND),
    down_seconds: Math.round(down / SECOND),
    outages: outages.filter((outage) => outage.to >= start && outage.from <= to).length,
  };
};

type Store = Pick<Deps, "db" | "clock" | "config">;

const readWatched = async ({ db }: Store, monitorId: number, from: number, now: number): Promise<Watched> => {
  const [state] = await db.select({ since: states.firstCheckedAt }).from(states).where(eq(states.monitorId, monitorId));
  const pauses = await db
    .select({ from: monitorPauses.startedAt, to: monitorPauses.endedAt })
    .from(monitorPauses)
    .where(
      and(eq(monitorPauses.monitorId, monitorId), or(isNull(monitorPauses.endedAt), gte(monitorPauses.endedAt, from))),
    );
  const stops = await db
    .select({ from: hubGaps.startedAt, to: hubGaps.endedAt })
    .from(hubGaps)
    .where(gte(hubGaps.endedAt, from));
  const outages = await readOutageTimes({ db }, { type: "monitor", id: monitorId, kind: "down" }, from);
  const closed = (one: { from: number; to: number | null }): Interval => ({ from: one.from, to: one.to ?? now });
  return { since: state?.since ?? null, gaps: [...pauses, ...stops].map(closed), outages: outages.map(closed) };
};

/** Reads the availability of a monitor over each window that ends now, as far as outages are kept. */
export const readAvailability = async (
  store: Store,
  monitorId: number,
): Promise<Record<Window, Static<typeof AvailabilityOfWindow>>> => {
  const now = store.clock.now();
  const oldest = now - store.config.retention.hourDays * DAY;
  const watched = await readWatched(store, monitorId, now - WINDOWS["90d"], now);
  const of = (window: Window) => availabilityOf(watched, { from: Math.max(now - WINDOWS[window], oldest), to: now });
  return { "24h": of("24h"), "7d": of("7d"), "30d": of("30d"), "90d": of("90d") };
};

/** The statement that begins the pause of a monitor, or ends it. It changes nothing for one that is paused or active already. */
export const writePause = (monitorId: number, active: boolean, now: number): SQL => {
  const ofIt = and(eq(monitorPauses.monitorId, monitorId), isNull(monitorPauses.endedAt));
  return active
    ? sql`update ${monitorPauses} set ended_at = case when started_at > ${now} then started_at else ${now} end where ${ofIt}`
    : sql`insert into ${monitorPauses} (monitor_id, started_at) select cast(${monitorId} as bigint), cast(${now} as bigint)
        where not exists (select 1 from ${monitorPauses} where ${ofIt})
        on conflict (monitor_id, started_at) do update set ended_at = null`;
};

/** Deletes pauses and interruptions of the hub that ended before the oldest outages that are kept. */
export const deleteExpiredGaps = async ({ db, clock, config }: Store): Promise<void> => {
  const before = clock.now() - config.retention.hourDays * DAY;
  await db.rows(sql`delete from ${monitorPauses} where ended_at < ${before}`);
  await db.rows(sql`delete from ${hubGaps} where ended_at < ${before}`);
};
