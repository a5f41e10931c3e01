import { and, sql } from "drizzle-orm";
import type { Deps } from "../core/deps";
import type { Queries } from "../db/database";
import { isOneOf, skipLocked } from "../db/sql";
import { bucketsSince } from "../lib/time";
import { DAY } from "../shared/limits";
import { type BucketTable, idColumn, type Shape } from "./shape";

/** Rows of a table that one call deletes. */
const SWEEP_ROWS = 5000;
/** Buckets per statement; each has at most one row of a target. */
const BUCKETS_AT_ONCE = 5000;

/** Deletes one batch of the rows of each table that are older than `kept` milliseconds. Returns whether more are left. */
export const deleteExpired = async <Row>(
  { db, clock }: Pick<Deps, "db" | "clock">,
  shape: Shape<Row>,
  tables: readonly (BucketTable & { kept: number })[],
): Promise<boolean> => {
  const results = (await db.atomically(() =>
    tables.map(({ table, bucket, length, kept }) => {
      const key = sql`${sql.raw(bucket)}, ${idColumn(shape)}`;
      const oldest = Math.floor((clock.now() - kept) / length);
      return sql`with old as (select ${key} from ${table} where ${sql.raw(bucket)} < ${oldest} limit ${SWEEP_ROWS}${skipLocked})
        delete from ${table} where (${key}) in (select ${key} from old) returning 1 as gone`;
    }),
  )) as unknown[][];
  return results.some((deleted) => deleted.length === SWEEP_ROWS);
};

/**
 * The statements that delete the rows of a target from each table since a time, by one seek for each bucket. Each is short,
 * and they may run in one transaction or in several.
 */
export const purgeRows = <Row>(
  tx: Queries,
  shape: Shape<Row>,
  tables: readonly (BucketTable & { since: number })[],
  { id, now }: { id: number; now: number },
) =>
  tables.flatMap(({ table, bucket, length, since }) => {
    // The clock may have been set.
    const buckets = bucketsSince(since, now + DAY, length);
    return Array.from({ length: Math.ceil(buckets.length / BUCKETS_AT_ONCE) }, (_, index) => {
      const some = buckets.slice(index * BUCKETS_AT_ONCE, (index + 1) * BUCKETS_AT_ONCE);
      return tx.delete(table).where(and(isOneOf(sql.raw(bucket), some), sql`${idColumn(shape)} = ${id}`));
    });
  });
