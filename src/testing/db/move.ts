import { Database as Sqlite } from "bun:sqlite";
import { afterAll, onTestFinished } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { readConfig } from "../../core/config";
import type { Kind } from "../../db/kind";
import { tables } from "../../db/move/store";
import { migrateFile, openSqliteFile } from "../../db/sqlite/file";

const server = readConfig(process.env).databaseUrl;

/** The path of a database file that does not exist yet, in a folder that is deleted after the test. */
export const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-move-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "wakeful.db");
};

let admin: SQL | undefined;
const made: string[] = [];
// The tests have closed them by then.
afterAll(async () => {
  for (const name of made) await admin?.unsafe(`drop database if exists ${name} with (force)`);
  await admin?.close();
});

/** The address of an empty database of the tested engine, which is deleted after the tests. */
export const newAddress = async (): Promise<string> => {
  if (!server) return `sqlite:${newFile()}`;
  admin ??= new SQL({ url: server, max: 1 });
  const name = `wakeful_move_${crypto.randomUUID().replaceAll("-", "")}`;
  await admin.unsafe(`create database ${name}`);
  made.push(name);
  return Object.assign(new URL(server), { pathname: name }).href;
};

/** A file with this version's tables and no rows. */
export const newMigratedFile = async (): Promise<string> => {
  const file = newFile();
  new Sqlite(file, { create: true }).close();
  const client = openSqliteFile(file);
  await migrateFile(client);
  client.close();
  return file;
};

const TEXTS = ["", 'it\'s "quoted", \\ and ü 商店 💥', "null", "line\nbreak\ttab\u0001", "0"];
const NUMBERS = [0, -1, 2 ** 31 - 1, -(2 ** 31), 7];
/** Only times need more than 32 bits. */
const TIMES = [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, 1_768_479_600_000];
const REALS = [0.1, 1 / 3, -1e300, 5e-324, 100, Number.POSITIVE_INFINITY];
const BYTES = [new Uint8Array([0, 255, 128, 10]), new Uint8Array(), new TextEncoder().encode("商店")];
const JSONS = ["{}", "[]", '{"a":"1","bb":"ü"}', "[1,2.5,9007199254740991]", '{"a":[{"b":null},true,"x"]}'];

const nasty = ({ name, kind }: { name: string; kind: Kind }, row: number): unknown => {
  const whole = /(^|_)(at|since)$/.test(name) ? TIMES : NUMBERS;
  const values = { whole, real: REALS, flag: [0, 1], text: TEXTS, json: JSONS, bytes: BYTES }[kind];
  return values[row % values.length];
};

type ColumnInfo = { name: string; notnull: number };

/**
 * Fills every table with extreme values of each type and with nulls where allowed. Ids and unique columns are the number
 * of the row, so that references are valid.
 */
export const fillEveryTable = (file: string, count: number): void => {
  const client = openSqliteFile(file);
  for (const { name, columns, key } of tables) {
    const info = client.query<ColumnInfo, []>(`pragma table_info("${name}")`).all();
    const required = new Set(info.filter(({ notnull }) => notnull).map((column) => column.name));
    const unique = new Set(
      client
        .query<{ name: string }, []>(`pragma index_list("${name}")`)
        .all()
        .flatMap((index) => client.query<{ name: string }, []>(`pragma index_info("${index.name}")`).all())
        .map((column) => column.name),
    );
    const insert = client.query(
      `insert into "${name}" (${columns.map((column) => `"${column.name}"`).join(", ")})
        values (${columns.map((column) => `$${column.name}`).join(", ")})`,
    );
    client.transaction(() => {
      for (let row = 1; row <= count; row++) {
        const values = columns.map((column): [string, unknown] => {
          const isKey = key.includes(column.name) || unique.has(column.name) || column.name.endsWith("_id");
          const numbered = isKey && column.kind !== "flag";
          if (numbered) return [`$${column.name}`, column.kind === "text" ? `${row} ${TEXTS[row % 5]}` : row];
          if (!required.has(column.name) && row % 4 === 0) return [`$${column.name}`, null];
          return [`$${column.name}`, nasty(column, row)];
        });
        insert.run(Object.fromEntries(values) as Record<string, string>);
      }
    })();
  }
  client.close();
};

/** Every row of every table as SQLite itself tells it. */
export const readEveryTable = (file: string): Record<string, unknown[]> => {
  const client = openSqliteFile(file);
  const rows = tables.map(({ name, key }): [string, unknown[]] => [
    name,
    client.query(`select * from "${name}" order by ${key.map((column) => `"${column}"`).join(", ")}`).all(),
  ]);
  client.close();
  return Object.fromEntries(rows);
};
