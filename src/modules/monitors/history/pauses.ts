/** When monitors were paused, and when no instance of the hub ran: the time that uptimes leave out. */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { hubGaps, lostPings, monitorPauses } from "../../../db/schema";
import { DAY } from "../../../shared/limits";

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
