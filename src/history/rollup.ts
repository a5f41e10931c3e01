/**
 * Moves the rows of past hours out of packs:
 *
 *   1. read     the packs whose oldest row belongs to a past hour, and what is stored of those hours
 *   2. compute  a block for each target and hour, the sums of each bucket, and the latest rows of each target
 *   3. write    all of it in one transaction, for each target whose pack has not changed since it was read
 */
import { type SQL, sql, type Table } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { hex, isOneOf, lockRows, withValues } from "../db/sql";
import { HOUR, MINUTE } from "../shared/limits";
import { type Columns, hourOf, idColumn, type Shape, type SumTable } from "./shape";

/** Targets per transaction. */
const BATCH = 500;
/** An hour is moved this long after its end, when most of its rows have arrived. */
const GRACE_MS = MINUTE;

type Rolling = Pick<Deps, "db" | "log">;
type Packed = { id: number; hour: number; bytes: Uint8Array };
/** The rows that leave a pack, and those that stay. */
type Move<Row> = { packed: Packed; past: Row[]; rest: Row[] };
/** The values of a row to be written, unless the pack has changed. */
type Written = { packed: Packed; values: unknown[] };
/** A table whose key is the id of a target, and a bucket unless that is null. */
type KeyedTable = { table: Table; bucket: string | null; columns: Columns };

const readPacks = async <Row>({ db }: Rolling, shape: Shape<Row>, before: number): Promise<Packed[]> => {
  const { table, hour, data } = shape.packs;
  const rows = await db.rows(sql`select ${idColumn(shape)} as id, ${sql.raw(hour)} as hour, ${sql.raw(data)} as data
    from ${table} where ${sql.raw(hour)} < ${before} and ${sql.raw(data)} is not null order by 1 limit ${BATCH}`);
  return rows.map((row) => ({ id: Number(row.id), hour: Number(row.hour), bytes: row.data as Uint8Array }));
};

const planMove = <Row>(deps: Rolling, shape: Shape<Row>, packed: Packed, before: number): Move<Row> => {
  const { rows, corrupt } = shape.pack.decode(packed.bytes);
  if (corrupt)
    deps.log.error(`a pack of ${shape.rows} is damaged, its readable part is kept`, { [shape.target]: packed.id });
  const isPast = (row: Row): boolean => hourOf(shape, row) < before;
  const last = rows.at(-1);
  // The next entry of a chained pack follows the last one, which therefore has to stay with the others. With instances
  // whose clocks differ it may belong to a past hour; then all rows are moved.
  const keepsRest = !shape.pack.isChained || (!corrupt && last !== undefined && !isPast(last));
  if (!keepsRest) return { packed, past: rows, rest: [] };
  return { packed, past: rows.filter(isPast), rest: rows.filter((row) => !isPast(row)) };
};

/** The condition that a target's pack has not changed since it was read. */
const unchanged = <Row>(shape: Shape<Row>): SQL => {
  const { table, hour, data } = shape.packs;
  return sql`${table}.${idColumn(shape)} = m.id and ${table}.${sql.raw(hour)} = m.read_hour and octet_length(${table}.${sql.raw(data)}) = m.read_length`;
};

const valuesOf = (columns: Columns, rows: readonly Written[]): SQL =>
  withValues(
    "m",
    { id: "bigint", read_hour: "integer", read_length: "integer", ...columns },
    rows.map(({ packed, values }) => [packed.id, packed.hour, packed.bytes.length, ...values]),
  );

/** Inserts or replaces rows, whose values are their bucket, if the table has one, and its columns. */
const writeRows = <Row>(shape: Shape<Row>, { table, bucket, columns }: KeyedTable, rows: readonly Written[]): SQL => {
  const names = Object.keys(columns);
  const all = [...(bucket ? [bucket] : []), ...names];
  const id = idColumn(shape);
  return sql`${valuesOf({ ...(bucket && { [bucket]: "integer" }), ...columns }, rows)}
    insert into ${table} (${id}, ${sql.raw(all.join(", "))})
    select m.id, ${sql.raw(all.map((name) => `m.${name}`).join(", "))} from m join ${shape.packs.table} on ${unchanged(shape)} where true
    on conflict (${bucket ? sql`${sql.raw(bucket)}, ${id}` : id}) do update set ${sql.raw(names.map((name) => `${name} = excluded.${name}`).join(", "))}`;
};

type Addition<Row, Sums> = {
  table: SumTable<Row, Sums>;
  added: ReadonlyMap<Packed, readonly Row[]>;
  /** Gets what is stored of each bucket before and after. Returning all of it would keep it in memory. */
  visit?: (packed: Packed, before: Sums | null, after: Sums) => void;
};

/** The statement that adds rows to the stored data of their buckets; damaged data is replaced. */
const addRows = async <Row, Sums>(
  { db, log }: Rolling,
  shape: Shape<Row>,
  { table, added, visit }: Addition<Row, Sums>,
): Promise<SQL> => {
  const bucketOf = (row: Row): number => Math.floor(shape.timeOf(row) / table.length);
  const parts = [...added].flatMap(([packed, rows]) =>
    [...Map.groupBy(rows, bucketOf)].map(([bucket, own]) => ({ packed, bucket, rows: own })),
  );
  const [id, place, columns] = [idColumn(shape), sql.raw(table.bucket), sql.raw(Object.keys(table.columns).join(", "))];
  const buckets = [...new Set(parts.map(({ bucket }) => bucket))];
  const ids = [...added.keys()].map((packed) => packed.id);
  const storedRows = await db.rows(sql`select ${id} as id, ${place} as place, ${columns} from ${table.table}
    where ${isOneOf(place, buckets)} and ${isOneOf(id, ids)}`);
  const rowsByKey = new Map(storedRows.map((row) => [`${row.id} ${row.place}`, row]));
  const sums = parts.map(({ packed, bucket, rows }) => {
    const row = rowsByKey.get(`${packed.id} ${bucket}`);
    const before = row ? table.read(row, bucket) : null;
    if (row && before === null)
      log.error(`stored ${shape.rows} are damaged, they are replaced by newer ones`, {
        [shape.target]: packed.id,
        bucket,
      });
    const sum = table.sum(rows);
    const after = before ? table.add([before, sum]) : sum;
    visit?.(packed, before, after);
    return { packed, values: [bucket, ...table.values(after, bucket)] };
  });
  return writeRows(shape, table, sums);
};

/** Keeps the latest of the moved rows. */
const planRecent = async <Row>({ db }: Rolling, shape: Shape<Row>, moves: readonly Move<Row>[]): Promise<SQL[]> => {
  if (!shape.recent) return [];
  const { table, data, count } = shape.recent;
  const id = idColumn(shape);
  const ids = moves.map(({ packed }) => packed.id);
  const stored = await db.rows(
    sql`select ${id} as id, ${sql.raw(data)} as data from ${table} where ${isOneOf(id, ids)}`,
  );
  const before = new Map(stored.map((row) => [Number(row.id), shape.pack.decode(row.data as Uint8Array).rows]));
  const rows = moves.map(({ packed, past }) => {
    const all = [...(before.get(packed.id) ?? []), ...past].sort((a, b) => shape.timeOf(a) - shape.timeOf(b));
    return { packed, values: [hex(shape.pack.encode(all.slice(-count)))] };
  });
  return [writeRows(shape, { table, bucket: null, columns: { [data]: "bytes" } }, rows)];
};

/** Leaves in packs what was not moved, and returns a row for each pack that was written. */
const writeRest = <Row>(shape: Shape<Row>, moves: readonly Move<Row>[]): SQL => {
  const { table, hour, data } = shape.packs;
  const rows = moves.map(({ packed, rest }) => {
    const oldest = rest.length > 0 ? Math.min(...rest.map((row) => hourOf(shape, row))) : null;
    return { packed, values: [oldest, oldest === null ? null : hex(shape.pack.encode(rest))] };
  });
  return sql`${valuesOf({ rest_hour: "integer", rest: "bytes" }, rows)}
    update ${table} set ${sql.raw(hour)} = m.rest_hour, ${sql.raw(data)} = m.rest from m where ${unchanged(shape)} returning 1 as moved`;
};

/** Moves one batch of rows of the hours before `before`. Returns how many targets had some, and how many were moved. */
const moveBatch = async <Row>(deps: Rolling, shape: Shape<Row>, before: number) => {
  const packs = await readPacks(deps, shape, before);
  if (packs.length === 0) return { found: 0, moved: 0 };
  const moves = packs.map((packed) => planMove(deps, shape, packed, before));
  /** The rows that blocks did not have before. */
  const added = new Map<Packed, Row[]>();
  const blocks = await addRows(deps, shape, {
    table: shape.blocks,
    added: new Map(moves.map(({ packed, past }) => [packed, past])),
    visit: (packed, before, after) => {
      const earlierIds = new Set(before);
      const fresh = after.filter((row) => !earlierIds.has(row));
      added.set(packed, [...(added.get(packed) ?? []), ...fresh]);
    },
  });
  const sums = await Promise.all(shape.sums.map((table) => addRows(deps, shape, { table, added })));
  const recent = await planRecent(deps, shape, moves);
  const id = sql`${shape.states}.${idColumn(shape)}`;
  const ids = packs.map((packed) => packed.id);
  const results = await deps.db.atomically(() => [
    ...lockRows(shape.states, id, isOneOf(id, ids)),
    blocks,
    ...sums,
    ...recent,
    writeRest(shape, moves),
  ]);
  return { found: packs.length, moved: (results.at(-1) as unknown[]).length };
};

/**
 * Creates the job that moves the rows of each past hour once. A call makes no query when there is nothing to move. Packs
 * that changed while they were moved are left to the next call, and late rows to the next hour.
 */
export const createRollup = <Row>(deps: Rolling & Pick<Deps, "clock">, shape: Shape<Row>) => {
  let movedBefore = 0;
  return async (): Promise<void> => {
    const before = Math.floor((deps.clock.now() - GRACE_MS) / HOUR);
    if (before === movedBefore) return;
    await shape.beforeMove?.(deps);
    for (;;) {
      const { found, moved } = await moveBatch(deps, shape, before);
      if (found < BATCH && moved === found) movedBefore = before;
      if (found < BATCH || moved === 0) return;
      await deps.clock.sleep(50);
    }
  };
};
