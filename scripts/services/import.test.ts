/** The database of an Uptime Kuma on MariaDB is copied to a file that is imported as its SQLite file. */
import { Database } from "bun:sqlite";
import { expect, it } from "bun:test";
import { join } from "node:path";
import { SQL } from "bun";
import { copyDatabase } from "../../src/commands/import/mariadb";
import { kuma } from "../../src/modules/transfer/sources/kuma/kuma";
import { beatTime, createKuma, type KumaContent, SHOP } from "../../src/testing/fixtures/imports/kuma";
import { mariadb } from "./lib/daemons";
import { startService } from "./lib/service";

/** Stores the tables and rows of a SQLite file in a database. */
const upload = async (file: string, sql: SQL): Promise<void> => {
  const source = new Database(file, { readonly: true });
  const tables = source
    .query<{ name: string; sql: string }, []>("select name, sql from sqlite_master where name not like 'sqlite_%'")
    .all();
  await sql.unsafe("set session sql_mode = 'ANSI_QUOTES'");
  for (const { name, sql: definition } of tables) {
    // Some names are keywords of MariaDB, which keeps milliseconds only where the type says so.
    const quoted = definition.replace(/([(,]\s*)(\w+)(?= \w)/g, '$1"$2"');
    await sql.unsafe(
      quoted
        .replaceAll("autoincrement", "auto_increment")
        .replaceAll("datetime", "datetime(3)")
        .replaceAll("varchar2", "varchar"),
    );
    for (const row of source.query<Record<string, string | number | null>, []>(`select * from "${name}"`).all())
      await sql.unsafe(
        `insert into "${name}" (${Object.keys(row).map((column) => `"${column}"`)}) values (${Object.keys(row).map(() => "?")})`,
        Object.values(row),
      );
  }
  source.close();
};

/** The objects and the history of a file. */
const readFile = async (file: string) => {
  const source = { file, size: Bun.file(file).size, hasWal: false };
  const draft = await kuma.read(source, { config: { minInterval: 60 }, now: 0 });
  const ids = new Set(draft.items.flatMap(({ content }) => content?.id ?? []));
  return { draft, history: await Array.fromAsync(kuma.readHistory?.(source, ids) ?? []) };
};

const CONTENT: KumaContent = {
  ...SHOP,
  stat_daily: [{ monitor_id: 2, timestamp: 86_400, up: 1430, down: 10, ping: 20.5, ping_min: 10, ping_max: 90 }],
  stat_hourly: [{ monitor_id: 2, timestamp: 90_000, up: 60, down: 0, ping: 22, ping_min: 10, ping_max: 40 }],
  heartbeat: Array.from({ length: 200 }, (_, index) => ({
    ...{ monitor_id: 2, status: index % 50 < 3 ? 0 : 1, important: Number(index % 50 === 0 || index % 50 === 3) },
    ...{ msg: "connect ECONNREFUSED", ping: 20, time: beatTime(86_400_000 + index * 60_000 + 7) },
  })),
};

it("a database on MariaDB has the same objects, sums and outages as the SQLite file", async () => {
  const service = await startService(mariadb());
  const origin = `mysql://root@127.0.0.1:${service.port}`;
  const admin = new SQL(`${origin}/information_schema`, { max: 1 });
  await admin.unsafe("create database kuma character set utf8mb4");
  await admin.unsafe("create database empty");
  const sql = new SQL(`${origin}/kuma`, { max: 1 });
  const file = createKuma(2, CONTENT);
  await upload(file, sql);
  const copy = join(service.folder, "copy.db");
  await copyDatabase(`${origin}/kuma`, copy);
  const [original, copied] = [await readFile(file), await readFile(copy)];
  expect(copied).toEqual(original);
  expect(copied.history.flatMap(({ outages = [] }) => outages)).not.toBeEmpty();
  await expect(copyDatabase(`${origin}/empty`, join(service.folder, "empty.db"))).rejects.toThrow("no monitors");
  await expect(copyDatabase(`${origin}/kuma?sslmode=require`, join(service.folder, "tls.db"))).rejects.toThrow(
    "can't be reached",
  );
  await Promise.all([admin, sql].map((pool) => pool.close()));
  await service.stop();
});
