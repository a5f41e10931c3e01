import { assertKnown, migrationTimes } from "../migrate";
import { openPostgresStore } from "./postgres-store";
import { openSqliteStore } from "./sqlite-store";
import { fingerprint, keyOf, type Row, type Store, type TableShape, tables } from "./store";

/**
 * Opens one side of a move, named as `sqlite:FILE` or `postgres://…`.
 * @throws when the name has another form or a source does not exist
 */
export const openStore = (address: string, use: "source" | "target"): Store => {
  const [, file] = /^sqlite:(.+)$/.exec(address) ?? [];
  if (file) return openSqliteStore(file, use);
  if (/^postgres(ql)?:\/\//.test(address) && URL.canParse(address)) return openPostgresStore(address);
  throw new Error(`${use === "source" ? "--from" : "--to"} is not usable: expected sqlite:FILE or postgres://…`);
};

/** Progress of a move: the source, and the last key of each table that was started. */
type Mark = { source: string; reached: Record<string, Row> };

/** Receives the progress of a move. */
export type Progress = (step: "copy" | "compare", table: string, done: number, total: number) => void;

/** Rows in the target, rows copied by this run, and its duration in seconds. */
type Moved = { rows: number; copied: number; seconds: number; resumed: boolean };

/** Rows with JSON may be long, so fewer are read at once. */
const batchOf = ({ columns }: TableShape): number => (columns.some(({ kind }) => kind === "json") ? 200 : 5000);

/** Iterates over a table's rows in batches. */
async function* batchesOf(store: Store, table: TableShape, after: Row | null): AsyncGenerator<Row[]> {
  for (let last = after; ; ) {
    const rows = await store.read(table, last, batchOf(table));
    if (rows.length === 0) return;
    yield rows;
    last = keyOf(table, rows.at(-1) as Row);
  }
}

/** Counts a table's rows and sums their fingerprints, which does not depend on their order. */
const sumUp = async (store: Store, table: TableShape, onProgress: (done: number) => void) => {
  let [count, sum] = [0, 0n];
  for await (const rows of batchesOf(store, table, null)) {
    for (const row of rows) sum = BigInt.asUintN(64, sum + fingerprint(table, row));
    count += rows.length;
    onProgress(count);
  }
  return { count, sum };
};

/** @throws when a database is not at this version's tables */
export const assertCurrent = async (
  { engine, name, migrated }: Store,
  ownTimes: number[] = migrationTimes(engine),
): Promise<void> => {
  const had = await migrated();
  if (had.length === 0) throw new Error(`${name} is not a database of Wakeful's`);
  assertKnown(name, had, ownTimes);
  if (had.length < ownTimes.length)
    throw new Error(`${name} was written by an older version: start this version's hub on it once before`);
};

const nameTable = <T>(table: TableShape, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw new Error(`${table.name}: ${error instanceof Error ? error.message : error}`);
  });

/** Identifies a source, and detects that a hub has run on it since. */
const identify = async (source: Store): Promise<string> => {
  const parts: string[] = [];
  for (const table of tables.filter(({ name }) => ["users", "app_settings", "monitors", "instances"].includes(name))) {
    const { count, sum } = await sumUp(source, table, () => {});
    parts.push(`${count}-${sum.toString(36)}`);
  }
  return parts.join(" ");
};

/** Reads where an earlier run ended, or an empty mark. @throws when the target holds other data */
const readMark = async (source: Store, target: Store, identity: string): Promise<Mark> => {
  const text = await target.readMark();
  if (text === null) {
    const counts = await Promise.all(tables.map(async (table) => ({ table, count: await target.count(table) })));
    const full = counts.filter(({ count }) => count > 0).map(({ table }) => table.name);
    if (full.length > 0)
      throw new Error(`${target.name} holds data already (${full.join(", ")}): move into an empty database`);
    return { source: identity, reached: {} };
  }
  const mark = JSON.parse(text) as Mark;
  if (mark.source === identity) return mark;
  throw new Error(
    `${target.name} holds an unfinished move of another source, or ${source.name} was changed since it began: start again with an empty database`,
  );
};

type Move = { source: Store; target: Store; onProgress: Progress };

const copyTable = async ({ source, target, onProgress }: Move, table: TableShape, mark: Mark) => {
  const total = await source.count(table);
  const after = mark.reached[table.name] ?? null;
  const before = after ? await target.count(table) : 0;
  let copied = 0;
  for await (const rows of batchesOf(source, table, after)) {
    mark.reached[table.name] = keyOf(table, rows.at(-1) as Row);
    await target.write(table, rows, JSON.stringify(mark));
    copied += rows.length;
    onProgress("copy", table.name, before + copied, total);
  }
  if (table.numbered) await target.raiseLastId(table, await source.lastId(table));
  return copied;
};

const compareTable = async ({ source, target, onProgress }: Move, table: TableShape): Promise<number> => {
  const total = await source.count(table);
  const [there, here] = await Promise.all([
    sumUp(source, table, (done) => onProgress("compare", table.name, done, total)),
    sumUp(target, table, () => {}),
  ]);
  if (there.count !== here.count)
    throw new Error(`${here.count} rows arrived of ${there.count}: start again with an empty database`);
  if (there.sum !== here.sum) throw new Error("some rows arrived changed: start again with an empty database");
  return here.count;
};

/**
 * Copies every table of one database into an empty one and compares them. An interrupted run is
 * resumed. The source must be migrated to this version and is read in one snapshot.
 * @throws naming the table that differs; the target stays marked as unfinished
 */
export const moveData = async (source: Store, target: Store, onProgress: Progress): Promise<Moved> => {
  await source.beginSnapshot();
  if ((await source.readMark()) !== null) throw new Error(`${source.name} is itself only half moved`);
  const identity = await identify(source);
  // An empty target has the mark from its first moment, so that no hub takes it for a new database.
  const begun = (await target.migrated()).length === 0 ? JSON.stringify({ source: identity, reached: {} }) : undefined;
  await target.migrate(begun);
  await assertCurrent(target);
  const mark = await readMark(source, target, identity);
  const resumed = Object.keys(mark.reached).length > 0;
  await target.writeMark(JSON.stringify(mark));
  let [rows, copied] = [0, 0];
  const move = { source, target, onProgress };
  const startedAt = performance.now();
  for (const table of tables) copied += await nameTable(table, copyTable(move, table, mark));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const table of tables) rows += await nameTable(table, compareTable(move, table));
  await source.endSnapshot();
  await target.writeMark(null);
  await target.settle();
  return { rows, copied, seconds, resumed };
};
