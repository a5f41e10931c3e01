import type { ReservedSQL, SQL } from "bun";
import type { Kind } from "../kind";
import { migrationsWith } from "../migrate";
import { openClient } from "../postgres/client";
import { migratePostgres } from "../postgres/migrate";
import { MARK, markStatement, movedPart, neutral, quoted, type Row, type Store, type TableShape } from "./store";

type Client = Pick<SQL, "unsafe">;

/** Types of the casts; values are sent as text. */
const CASTS = {
  whole: "bigint",
  real: "double precision",
  text: "text",
  flag: "boolean",
  json: "jsonb",
  bytes: "bytea",
} as const;

/** PostgreSQL reads hexadecimal digits as bytes after a prefix. */
const encode = (kind: Kind | undefined, value: unknown): unknown =>
  kind === "bytes" && value !== null ? `\\x${value}` : value;

const nameOf = (url: string): string => {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
};

const setMark = (client: Client, mark: string | null) =>
  mark === null
    ? client.unsafe("delete from app_settings where key = $1", [MARK])
    : client.unsafe(
        "insert into app_settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value",
        [MARK, mark],
      );

const insertText = ({ name, columns }: TableShape): string => {
  const names = quoted(columns.map((column) => column.name));
  // The table's row type determines the type of each column.
  return `insert into "${name}" (${names}) select ${names} from json_populate_recordset(cast(null as "${name}"), cast(cast($1 as text) as json))`;
};

const readText = (table: TableShape, after: boolean, limit: number): string => {
  const cast = (name: string, index: number) =>
    `cast(cast($${index + 1} as text) as ${CASTS[table.columns.find((column) => column.name === name)?.kind ?? "text"]})`;
  const behind = after ? `and (${quoted(table.key)}) > (${table.key.map(cast).join(", ")})` : "";
  const names = quoted(table.columns.map(({ name }) => name));
  return `select ${names} from "${table.name}" where ${movedPart(table)} ${behind} order by ${quoted(table.key)} limit ${limit}`;
};

export const openPostgresStore = (url: string): Store => {
  const client = openClient({ url, max: 2 });
  let snapshot: ReservedSQL | null = null;
  const reader = (): Client => snapshot ?? client;
  const number = async (text: string, values: unknown[] = []): Promise<number> => {
    const [row] = (await reader().unsafe(text, values).values()) as unknown as unknown[][];
    return Number(row?.[0] ?? 0);
  };
  const endSnapshot = async () => {
    if (!snapshot) return;
    await snapshot.unsafe("rollback");
    snapshot.release();
    snapshot = null;
  };
  return {
    engine: "postgres",
    name: nameOf(url),
    migrated: async () => {
      const tables = await number(
        "select count(*) from information_schema.tables where table_schema = 'drizzle' and table_name = '__drizzle_migrations'",
      ).catch((error: unknown) => {
        throw new Error(`${nameOf(url)}: ${error instanceof Error ? error.message : error}`);
      });
      if (tables === 0) return [];
      const rows = (await client
        .unsafe("select created_at from drizzle.__drizzle_migrations")
        .values()) as unknown as unknown[][];
      return rows.map(([at]) => Number(at));
    },
    migrate: (mark) =>
      migratePostgres(url, mark === undefined ? undefined : migrationsWith("postgres", markStatement(mark))),
    beginSnapshot: async () => {
      snapshot = await client.reserve();
      await snapshot.unsafe("begin isolation level repeatable read read only");
    },
    endSnapshot,
    count: (table) => number(`select count(*) from "${table.name}" where ${movedPart(table)}`),
    read: async (table, after, limit) => {
      const text = readText(table, after !== null, limit);
      const rows = (await reader()
        .unsafe(text, (after ?? []).map(String))
        .values()) as unknown as Row[];
      return rows.map((row) => table.columns.map(({ kind }, index) => neutral(kind, row[index])));
    },
    write: async (table, rows, mark) => {
      const named = rows.map((row) =>
        Object.fromEntries(table.columns.map(({ name, kind }, index) => [name, encode(kind, row[index])])),
      );
      await client.begin(async (tx) => {
        await tx.unsafe(insertText(table), [JSON.stringify(named)]);
        await setMark(tx, mark);
      });
    },
    readMark: async () => {
      const rows = (await client.unsafe("select value from app_settings where key = $1", [MARK])) as {
        value: string;
      }[];
      return rows[0]?.value ?? null;
    },
    writeMark: async (mark) => void (await setMark(client, mark)),
    lastId: async ({ name }) =>
      Math.max(
        await number("select pg_sequence_last_value(cast(pg_get_serial_sequence($1, 'id') as regclass))", [name]),
        await number(`select max(id) from "${name}"`),
      ),
    raiseLastId: async ({ name }, id) => {
      if (id > 0)
        await number("select setval(pg_get_serial_sequence($1, 'id'), cast(cast($2 as text) as bigint))", [
          name,
          String(id),
        ]);
    },
    lastSeen: () => number("select max(seen_at) from instances"),
    settle: async () => void (await client.unsafe("analyze")),
    close: async () => {
      await endSnapshot();
      await client.close();
    },
  };
};
