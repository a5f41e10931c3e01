import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { sampleDays, sampleHours, samples, sampleTens } from "../../../db/schema";
import { skipLocked } from "../../../db/sql";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";

/** How long samples are stored and accepted: a duplicate of an older one could not be detected. */
export const SAMPLES_KEPT = 48 * HOUR;
const SUMS = [
  { table: sampleTens, length: 10 * MINUTE, kept: 30 * DAY },
  { table: sampleHours, length: HOUR, kept: 365 * DAY },
  { table: sampleDays, length: DAY, kept: 365 * DAY },
] as const;

const SWEEP_ROWS = 5000;

/** Deletes expired rows of each tier in small pieces. Returns whether more are left. */
export const deleteExpiredSamples = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  const now = clock.now();
  const before = (length: number, kept: number) => Math.floor((now - kept) / length);
  const results = (await db.atomically(() => [
    sql`with old as (select hour, agent_id, at from ${samples} where hour < ${before(HOUR, SAMPLES_KEPT)} limit ${SWEEP_ROWS}${skipLocked})
      delete from ${samples} where (hour, agent_id, at) in (select hour, agent_id, at from old) returning 1 as gone`,
    ...SUMS.map(
      ({ table, length, kept }) =>
        sql`with old as (select bucket, agent_id from ${table} where bucket < ${before(length, kept)} limit ${SWEEP_ROWS}${skipLocked})
          delete from ${table} where (bucket, agent_id) in (select bucket, agent_id from old) returning 1 as gone`,
    ),
  ])) as unknown[][];
  return results.some((gone) => gone.length === SWEEP_ROWS);
};
