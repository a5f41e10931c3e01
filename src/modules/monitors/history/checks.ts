import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { checkHours, checks } from "../../../db/schema";
import { isOneOf, skipLocked } from "../../../db/sql";
import { DAY, HOUR } from "../../../shared/limits";
import { storedError } from "../../../shared/monitor";
import { presentCheck } from "../present";

/** Hours of checks that the first query reads, the newest first. */
const HOURS_AT_ONCE = 48;

/** Reads a monitor's checks before a time, newest first. */
export const readHistory = async (
  { db, clock, config }: Deps,
  monitorId: number,
  { status, before = clock.now() + DAY, limit = 50 }: { status?: "up" | "down"; before?: number; limit?: number },
) => {
  const found: ReturnType<typeof presentCheck>[] = [];
  const newest = Math.floor(Math.min(before, clock.now() + DAY) / HOUR);
  const oldest = Math.floor(clock.now() / HOUR) - config.retention.checkDays * 24;
  // The first range is short, because it is nearly always enough; each later one is twice as long.
  for (
    let hour = newest, stretch = HOURS_AT_ONCE;
    hour >= oldest && found.length < limit;
    hour -= stretch, stretch *= 2
  ) {
    const hours = Array.from({ length: stretch }, (_, index) => hour - index);
    const rows = await db
      .select()
      .from(checks)
      .where(
        and(
          isOneOf(checks.hour, hours),
          eq(checks.monitorId, monitorId),
          lt(checks.checkedAt, before),
          status && eq(checks.up, status === "up"),
        ),
      )
      .orderBy(desc(checks.hour), desc(checks.checkedAt))
      .limit(limit - found.length);
    found.push(...rows.map((row) => presentCheck({ ...row, error: storedError(row) })));
  }
  return found;
};

const SWEEP_ROWS = 5000;

/** Purges one batch of checks and sums that are older than their retention. Returns whether more are left. */
export const deleteExpiredHistory = async ({ db, clock, config }: Deps): Promise<boolean> => {
  const now = clock.now();
  const lastHour = Math.floor(now / HOUR) - config.retention.checkDays * 24;
  const lastSum = Math.floor(now / HOUR) - config.retention.hourDays * 24;
  const [first, second] = (await db.atomically(() => [
    sql`with old as (select hour, monitor_id, checked_at from ${checks} where hour < ${lastHour} limit ${SWEEP_ROWS}${skipLocked})
      delete from ${checks} where (hour, monitor_id, checked_at) in (select hour, monitor_id, checked_at from old) returning 1 as gone`,
    sql`with old as (select bucket, monitor_id from ${checkHours} where bucket < ${lastSum} limit ${SWEEP_ROWS}${skipLocked})
      delete from ${checkHours} where (bucket, monitor_id) in (select bucket, monitor_id from old) returning 1 as gone`,
  ])) as unknown[][];
  return first?.length === SWEEP_ROWS || second?.length === SWEEP_ROWS;
};
