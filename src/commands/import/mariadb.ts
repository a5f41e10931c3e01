/**
 * Copies the database of an Uptime Kuma 2 on MariaDB or MySQL to a SQLite file, which is imported like its own ones. The
 * hub needs no way to that database, and its password stays on this machine.
 */
import { Database } from "bun:sqlite";
import { chmodSync, rmSync } from "node:fs";
import { SQL } from "bun";
import { systemClock } from "../../lib/time";
import { HISTORY_TABLES } from "../../modules/transfer/sources/kuma/history";
import { OBJECT_TABLES } from "../../modules/transfer/sources/kuma/rows";
import { MAX_ROWS, MAX_VALUE } from "../../modules/transfer/sources/sqlite";
import { HOUR, SECOND } from "../../shared/limits";

/** Rows of one query. */
const PAGE = 20_000;
const LIMITS = { connect: 15, statement: 60, copy: HOUR, historyRows: 200_000_000 };

const TABLES: Record<string, readonly string[]> = { ...OBJECT_TABLES, ...HISTORY_TABLES, knex_migrations: ["id"] };

type Column = { name: string; type: string };
type Row = Record<string, unknown>;

/** The expression of a column in SQLite's form: times as text, and null for a very long value. */
const selected = ({ name, type }: Column): string => {
  const quoted = `\`${name}\``;
  if (/^(datetime|timestamp|date)$/.test(type)) return `cast(${quoted} as char) as ${quoted}`;
  if (/^(decimal|float|double)$/.test(type)) return `cast(${quoted} as double) as ${quoted}`;
  return /text|json|char/.test(type)
    ? `if(octet_length(${quoted}) > ${MAX_VALUE}, null, ${quoted}) as ${quoted}`
    : quoted;
};

const storedValue = (value: unknown): string | number | null => {
  if (typeof value === "boolean" || typeof value === "bigint") return Number(value);
  if (typeof value === "string" || typeof value === "number") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
};

/** A connection that can only read one state of the database. */
const connect = async (url: string) => {
  const pool = new SQL(url, { max: 1, connectionTimeout: LIMITS.connect });
  const connection = await pool.reserve();
  const run = (text: string, values: (string | number)[] = []): Promise<Row[]> => connection.unsafe(text, values);
  // MariaDB's limit is in seconds, MySQL's in milliseconds, and each knows only its own.
  await run(`set session max_statement_time = ${LIMITS.statement}`).catch(() =>
    run(`set session max_execution_time = ${LIMITS.statement * SECOND}`),
  );
  await run("set session time_zone = '+00:00'");
  await run("start transaction with consistent snapshot, read only");
  return { run, close: () => pool.close({ timeout: 0 }) };
};

const copyTables = async ({ run }: Awaited<ReturnType<typeof connect>>, target: Database): Promise<void> => {
  const until = systemClock.now() + LIMITS.copy;
  const all = await run(
    "select table_name as `table`, column_name as `name`, data_type as `type` from information_schema.columns where table_schema = database()",
  );
  if (!all.some(({ table }) => table === "monitor")) throw new Error("the database has no monitors of Uptime Kuma");
  for (const [table, wanted] of Object.entries(TABLES)) {
    const existing = all.filter((row) => row.table === table) as (Row & Column)[];
    const columns = ["id", ...wanted.filter((name) => name !== "id")].flatMap(
      (name) => existing.find((column) => column.name === name) ?? [],
    );
    if (columns[0]?.name !== "id") continue;
    const names = columns.map(({ name }) => `"${name}"`);
    target.run(`create table "${table}" (${names.join(", ").replace('"id"', '"id" integer primary key')})`);
    const insert = target.prepare(`insert into "${table}" values (${names.map(() => "?").join(", ")})`);
    const query = `select ${columns.map(selected).join(", ")} from \`${table}\` where id > ? order by id limit ${PAGE}`;
    const limit = Object.hasOwn(HISTORY_TABLES, table) ? LIMITS.historyRows : MAX_ROWS;
    for (let after = 0, count = 0; count < limit; ) {
      const rows = await run(query, [after]);
      target.transaction(() => {
        for (const row of rows) insert.run(...columns.map(({ name }) => storedValue(row[name])));
      })();
      if (rows.length < PAGE) break;
      count += rows.length;
      after = Number(rows.at(-1)?.id);
      if (systemClock.now() > until) throw new Error("copying the database takes longer than an hour");
    }
  }
};

/** Copies what an import reads to a new file, which only this user of the machine can read. @throws {Error} with the reason */
export const copyDatabase = async (url: string, file: string): Promise<void> => {
  const target = new Database(file, { create: true });
  chmodSync(file, 0o600);
  target.run("pragma journal_mode = off");
  target.run("pragma synchronous = off");
  try {
    const source = await connect(url).catch((error: Error) => {
      throw new Error(`the database can't be reached: ${error.message}`);
    });
    try {
      await copyTables(source, target);
    } finally {
      await source.close();
    }
  } catch (error) {
    rmSync(file);
    throw error;
  } finally {
    target.close();
  }
};
