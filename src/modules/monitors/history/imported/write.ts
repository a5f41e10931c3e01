/** History of monitors from other products: sums without a distribution of response times, and the time that is known. */
import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import type { Database } from "../../../../db/database";
import { insertMany } from "../../../../db/insert-many";
import { checkDays, checkHours, monitorPauses, monitors, monitorStates as states } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { DAY, HOUR } from "../../../../shared/limits";

/** Figures of a monitor, by its id at the other product, in an hour or a day; response times are in milliseconds. */
type ImportedSum = {
  id: number;
  bucket: number;
  up: number;
  down: number;
  answered: number;
  totalTime: number;
  minTime: number | null;
  maxTime: number | null;
};

const TABLES = { hours: { table: checkHours, length: HOUR }, days: { table: checkDays, length: DAY } };

/**
 * Adds sums of hours or days; those that are stored already stay. Percentiles of such times are unknown. Sums of
 * hours that are older than their retention are left out, and so are those that the hub may still write.
 */
export const importSums = async (
  { db, clock, config }: Pick<Deps, "db" | "clock" | "config">,
  kind: keyof typeof TABLES,
  sums: readonly ImportedSum[],
  idOf: (id: number) => number,
): Promise<number> => {
  const { table, length } = TABLES[kind];
  const now = clock.now();
  const oldest = kind === "hours" ? Math.floor((now - config.retention.hourDays * DAY) / length) : 0;
  // The rollup adds the checks of a day to what is stored of it, but an hour is written once.
  const latest = Math.floor(now / length) - (kind === "hours" ? 1 : 0);
  const kept = sums
    .filter(({ bucket }) => bucket >= oldest && bucket <= latest)
    .map((sum) => Object.assign(sum, { monitorId: idOf(sum.id) }));
  await insertMany(db, table, kept, { skipExisting: true });
  return kept.length;
};

/** The creation times of monitors, by id. */
export const readCreated = async ({ db }: Pick<Deps, "db">, ids: readonly number[]): Promise<Map<number, number>> => {
  const { id, createdAt } = monitors;
  const rows = await db.select({ id, createdAt }).from(monitors).where(isOneOf(id, ids));
  return new Map(rows.map((row) => [row.id, row.createdAt]));
};

/**
 * Extends the watched time of a monitor to the past, within a transaction: from `from` on, without `gaps`, which are stored as
 * pauses.
 */
export const extendWatched = async (
  tx: Database,
  id: number,
  { from, gaps }: { from: number; gaps: readonly { from: number; to: number }[] },
): Promise<void> => {
  await tx
    .update(monitors)
    .set({ createdAt: from })
    .where(and(eq(monitors.id, id), gt(monitors.createdAt, from)));
  await tx
    .update(states)
    .set({ firstCheckedAt: from })
    .where(and(eq(states.monitorId, id), or(isNull(states.firstCheckedAt), gt(states.firstCheckedAt, from))));
  const rows = gaps.map((gap) => ({ monitorId: id, startedAt: gap.from, endedAt: gap.to }));
  await insertMany(tx, monitorPauses, rows, { skipExisting: true });
};
