/** When monitors were paused, and when no instance of the hub ran: the time that uptimes leave out. */
import { and, eq, gte, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { hubGaps, lostPings, monitorPauses, monitorStates } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { Interval } from "../../../lib/intervals";
import { DAY } from "../../../shared/limits";
import type { Watching } from "../../alerting/targets";
import { readLostPings } from "../heartbeats/lost-pings";

/** The statement that begins or ends the pause of a monitor. It changes nothing if the monitor is paused or active already. */
export const writePause = (monitorId: number, active: boolean, now: number): SQL => {
  const ofIt = and(eq(monitorPauses.monitorId, monitorId), isNull(monitorPauses.endedAt));
  return active
    ? sql`update ${monitorPauses} set ended_at = case when started_at > ${now} then started_at else ${now} end where ${ofIt}`
    : sql`insert into ${monitorPauses} (monitor_id, started_at) select cast(${monitorId} as bigint), cast(${now} as bigint)
        where not exists (select 1 from ${monitorPauses} where ${ofIt})
        on conflict (monitor_id, started_at) do update set ended_at = null`;
};

/** Whether a monitor was paused at exactly this time. */
export const wasPausedAt = async ({ db }: Pick<Deps, "db">, monitorId: number, time: number): Promise<boolean> =>
  (await db.$count(monitorPauses, and(eq(monitorPauses.monitorId, monitorId), eq(monitorPauses.startedAt, time)))) > 0;

/** When monitors were watched in a span: since their first check, without pauses and lost pings. What lasts ends with the span. */
export const readWatching = async (
  { db }: Pick<Deps, "db">,
  ids: readonly number[],
  span: Interval,
): Promise<Map<number, Watching>> => {
  const { monitorId: id, startedAt, endedAt } = monitorPauses;
  const within = and(lt(startedAt, span.to), or(isNull(endedAt), gte(endedAt, span.from)));
  const rows = await db
    .select({ id, from: startedAt, to: endedAt })
    .from(monitorPauses)
    .where(and(isOneOf(id, ids), within));
  const pauses = Map.groupBy(rows, (row) => row.id);
  const lost = await readLostPings({ db }, ids, span);
  const { monitorId, firstCheckedAt: since } = monitorStates;
  const states = await db.select({ id: monitorId, since }).from(monitorStates).where(isOneOf(monitorId, ids));
  const ended = (one: { from: number; to: number | null }): Interval => ({ from: one.from, to: one.to ?? span.to });
  return new Map(
    states.map(({ id, since }) => [
      id,
      { since, pauses: (pauses.get(id) ?? []).map(ended), unknown: (lost.get(id) ?? []).map(ended) },
    ]),
  );
};

/** Deletes pauses, gaps of the hub and times of lost pings that ended before the oldest outages that are kept. */
export const deleteExpiredGaps = async ({
  db,
  clock,
  config,
}: Pick<Deps, "db" | "clock" | "config">): Promise<void> => {
  const before = clock.now() - config.retention.hourDays * DAY;
  await db.rows(sql`delete from ${monitorPauses} where ended_at < ${before}`);
  await db.rows(sql`delete from ${lostPings} where ended_at < ${before}`);
  await db.rows(sql`delete from ${hubGaps} where ended_at < ${before}`);
};
