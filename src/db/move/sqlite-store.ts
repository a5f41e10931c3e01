import type { Database as Sqlite } from "bun:sqlite";
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { Kind } from "../kind";
import { migrationsWith } from "../migrate";
import { fsync, isBusy, isCorrupt, migrateFile, openSqliteFile } from "../sqlite/file";
import type { TableShape } from "./store";
import { MARK, markStatement, movedPart, neutral, quoted, type Row, type Store } from "./store";

const encode = (kind: Kind, value: unknown): string | number | Uint8Array | null => {
  if (value === null) return null;
  if (kind === "bytes") return Buffer.from(String(value), "hex");
  if (kind === "json") return JSON.stringify(value);
  return kind === "text" ? String(value) : Number(value);
};

/** Creates the target file, readable by its owner only. */
const make = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) closeSync(openSync(file, "wx", 0o600));
};

/** Opens a file exclusively. */
const openAlone = (file: string): Sqlite => {
  const client = openSqliteFile(file);
  try {
    client.exec("pragma busy_timeout = 500; pragma locking_mode = exclusive; select count(*) from sqlite_master");
    return client;
  } catch (error) {
    client.close();
    if (isBusy(error)) throw new Error(`${file} is open in another program: stop the hub that runs on it first`);
    throw isCorrupt(error) ? new Error(`${file} is no SQLite database`) : error;
  }
};

/** @throws when a source does not exist or another process has the file open */
export const openSqliteStore = (file: string, use: "source" | "target"): Store => {
  if (use === "target") make(file);
  else if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const client = openAlone(file);
  client.exec("pragma cache_size = -65536");
  const has = (table: string) => client.query("select 1 from sqlite_master where name = ?").get(table) !== null;
  const number = (text: string, ...values: (string | number)[]) =>
    Number(Object.values(client.query(text).get(...values) ?? { 0: 0 })[0]);
  const setMark = (mark: string | null) =>
    mark === null
      ? client.query("delete from app_settings where key = ?").run(MARK)
      : client
          .query("insert into app_settings values (?, ?) on conflict do update set value = excluded.value")
          .run(MARK, mark);
  const insertAll = client.transaction((table: TableShape, rows: Row[], mark: string) => {
    const names = table.columns.map(({ name }) => name);
    const insert = client.query(
      `insert into "${table.name}" (${quoted(names)}) values (${names.map(() => "?").join(", ")})`,
    );
    for (const row of rows)
      insert.run(...row.map((value, index) => encode(table.columns[index]?.kind ?? "text", value)));
    setMark(mark);
  });
  return {
    engine: "sqlite",
    name: file,
    migrated: async () =>
      has("__drizzle_migrations")
        ? client
            .query("select created_at from __drizzle_migrations")
            .values()
            .map(([at]) => Number(at))
        : [],
    migrate: async (mark) => {
      client.exec("pragma journal_mode = wal; pragma synchronous = normal");
      await migrateFile(client, mark === undefined ? undefined : migrationsWith("sqlite", markStatement(mark)));
    },
    // The snapshot begins with the first read.
    beginSnapshot: async () => void client.exec("begin; select count(*) from sqlite_master"),
    endSnapshot: async () => {
      if (client.inTransaction) client.exec("rollback");
    },
    count: async (table) => number(`select count(*) from "${table.name}" where ${movedPart(table)}`),
    read: async (table, after, limit) => {
      const names = quoted(table.columns.map(({ name }) => name));
      const behind = after ? `and (${quoted(table.key)}) > (${after.map(() => "?").join(", ")})` : "";
      const text = `select ${names} from "${table.name}" where ${movedPart(table)} ${behind} order by ${quoted(table.key)} limit ${limit}`;
      const rows = client.query(text).values(...((after ?? []) as (string | number)[]));
      return rows.map((row) => row.map((value, index) => neutral(table.columns[index]?.kind ?? "text", value)));
    },
    write: async (table, rows, mark) => void insertAll.immediate(table, rows, mark),
    readMark: async () => {
      const row = client.query<{ value: string }, [string]>("select value from app_settings where key = ?").get(MARK);
      return row?.value ?? null;
    },
    writeMark: async (mark) => void setMark(mark),
    lastId: async ({ name }) =>
      Math.max(
        number("select seq from sqlite_sequence where name = ?", name),
        number(`select coalesce(max(id), 0) from "${name}"`),
      ),
    raiseLastId: async ({ name }, id) => {
      client
        .query(
          "insert into sqlite_sequence (name, seq) select ?1, 0 where not exists (select 1 from sqlite_sequence where name = ?1)",
        )
        .run(name);
      client.query("update sqlite_sequence set seq = max(seq, ?) where name = ?").run(id, name);
    },
    // The file is locked, so a recent heartbeat in it only means that it is a copy of a running hub's database.
    lastSeen: async () => 0,
    settle: async () => {
      client.exec("pragma wal_checkpoint(truncate); analyze");
      fsync(file);
    },
    close: async () => client.close(),
  };
};
