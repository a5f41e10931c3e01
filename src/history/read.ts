/*
 * Rows move from memory to packs, if they wait there, and from packs to blocks and sums. What waits is taken before the one
 * statement that reads the others, so that no row is missed, and none is read twice.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { logErrorOnce } from "../core/log";
import { isOneOf } from "../db/sql";
import { firstOfEach, idColumn, type Shape, type SumTable } from "./shape";

type Reading = Pick<Deps, "db" | "log">;

/** Logs once that stored rows were skipped. `hour` is null for a pack. */
export const logDamage = <Row>({ log }: Reading, { rows, target }: Shape<Row>, id: number, hour: number | null): void =>
  logErrorOnce(log, `stored ${rows} are damaged, they are skipped`, { [target]: id, hour });

/** A selection in a union with the packs of some targets: their ids, `empty` nulls, and the bytes as the last column. */
export const unionPacks = <Row>(shape: Shape<Row>, selected: SQL, empty: number, ids: readonly number[]): SQL => {
  const { table, data } = shape.packs;
  const nulls = sql.raw("null, ".repeat(empty));
  return sql`${selected} union all select ${idColumn(shape)}, ${nulls}${sql.raw(data)} from ${table}
    where ${isOneOf(idColumn(shape), ids)} and ${sql.raw(data)} is not null`;
};

/**
 * Reads the sums of a target in some buckets, in their order. Buckets without rows are left out, and what is damaged is
 * skipped and logged. `where` selects stored rows.
 */
export const readBuckets = async <Row, Sums>(
  deps: Reading,
  shape: Shape<Row>,
  table: SumTable<Row, Sums>,
  { id, buckets, where = sql`true` }: { id: number; buckets: readonly number[]; where?: SQL | undefined },
): Promise<{ bucket: number; sums: Sums }[]> => {
  const waiting = shape.waiting?.(deps.db, id) ?? null;
  const names = Object.keys(table.columns);
  const bucketColumn = sql.raw(table.bucket);
  const sums = sql`select ${idColumn(shape)}, ${bucketColumn} as place, ${sql.raw(names.join(", "))}, null as pack from ${table.table}
    where ${isOneOf(bucketColumn, buckets)} and ${idColumn(shape)} = ${id} and ${where}`;
  const rows = await deps.db.rows(unionPacks(shape, sums, 1 + names.length, [id]));
  const sumsById = new Map<number, Sums[]>();
  const add = (bucket: number, part: Sums) => sumsById.set(bucket, [...(sumsById.get(bucket) ?? []), part]);
  for (const row of rows.filter(({ place }) => place !== null)) {
    const part = table.read(row, Number(row.place));
    if (part === null) logDamage(deps, shape, id, Number(row.place));
    else add(Number(row.place), part);
  }
  const packs = [...rows.flatMap(({ pack }) => (pack === null ? [] : [pack as Uint8Array])), waiting];
  const running = packs.flatMap((pack) => {
    const { rows, corrupt } = shape.pack.decode(pack);
    if (corrupt) logDamage(deps, shape, id, null);
    return rows;
  });
  const wanted = new Set(buckets);
  for (const [bucket, own] of Map.groupBy(firstOfEach(running, shape.keyOf), (row) =>
    Math.floor(shape.timeOf(row) / table.length),
  ))
    if (wanted.has(bucket)) add(bucket, table.sum(own));
  return [...sumsById]
    .sort(([a], [b]) => a - b)
    .map(([bucket, parts]) => ({ bucket, sums: parts.length === 1 ? (parts[0] as Sums) : table.add(parts) }));
};

/** Reads a target's rows of some hours, oldest first. `where` selects blocks. Damaged blocks are skipped and logged. */
export const readRows = async <Row>(
  deps: Reading,
  shape: Shape<Row>,
  { id, hours, where }: { id: number; hours: readonly number[]; where?: SQL },
): Promise<Row[]> => {
  const blocks = await readBuckets(deps, shape, shape.blocks, { id, buckets: hours, where });
  return blocks.flatMap(({ sums }) => sums);
};
