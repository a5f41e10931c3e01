import { Database as Sqlite } from "bun:sqlite";
import { describe, expect, it, onTestFinished } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { processDialect } from "../core/config";
import { createTestApp } from "../testing/app";
import { openTestDatabase } from "../testing/db/database";
import { addMonitor, record } from "../testing/fixtures/monitors";
import { addUser } from "../testing/fixtures/people";
import { getOrCreateSetting, readSetting, writeSetting } from "./app-settings";
import { createHealthProbe } from "./health-probe";
import { isOfNewerVersion, openDatabase } from "./open";
import { appSettings, monitorStates, monitors, users } from "./schema";
import { withValues } from "./sql";

const open = async () => {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  return db;
};

describe("atomically", () => {
  it("writes all statements and returns the rows of each", async () => {
    const db = await open();
    const results = await db.atomically((tx) => [
      tx.insert(appSettings).values({ key: "a", value: "1" }).returning(),
      sql`insert into app_settings (key, value) values ('b', '2') returning key`,
      tx
        .update(appSettings)
        .set({ value: "3" })
        .where(eq(appSettings.key, "a"))
        .returning({ value: appSettings.value }),
    ]);
    expect([...(results as unknown[][])].map((rows) => [...rows])).toEqual([
      [{ key: "a", value: "1" }],
      [{ key: "b" }],
      [{ value: "3" }],
    ]);
  });

  it("writes nothing when any statement fails", async () => {
    const db = await open();
    await db.insert(appSettings).values({ key: "kept", value: "1" });
    for (const position of [0, 1, 2]) {
      const writing = db.atomically((tx) => {
        const statements = [
          tx.insert(appSettings).values({ key: "new", value: "1" }),
          tx.delete(appSettings).where(eq(appSettings.key, "kept")),
        ];
        return statements.toSpliced(position, 0, tx.insert(appSettings).values({ key: "kept", value: "again" }));
      });
      if (position === 2) await writing;
      else await expect(writing).rejects.toThrow();
      const keys = (await db.select().from(appSettings)).map(({ key, value }) => `${key}=${value}`).toSorted();
      expect(keys).toEqual(position === 2 ? ["kept=again", "new=1"] : ["kept=1"]);
    }
  });

  it("writes nothing when building the statements throws", async () => {
    const db = await open();
    const writing = async () =>
      db.atomically(() => {
        throw new Error("no statements");
      });
    await expect(writing()).rejects.toThrow("no statements");
    await db.insert(appSettings).values({ key: "after", value: "1" });
    expect(await db.$count(appSettings)).toBe(1);
  });

  it("may be called many times concurrently", async () => {
    const db = await open();
    await db.insert(appSettings).values({ key: "count", value: "0" });
    const add = sql`update app_settings set value = cast(cast(value as integer) + 1 as text) where key = 'count'`;
    await Promise.all(Array.from({ length: 30 }, () => db.atomically(() => [add, add])));
    expect((await db.select().from(appSettings))[0]?.value).toBe("60");
  });
});

it("cached statements use the current tables and their own parameters", async () => {
  const db = await open();
  const read = (least: number) => db.rows(sql`select * from shelf where a >= ${least} order by a`);
  await db.rows(sql`create table shelf (a integer)`);
  await db.rows(sql`insert into shelf (a) values (1), (2)`);
  expect(await read(1)).toEqual([{ a: 1 }, { a: 2 }]);
  await db.rows(sql`alter table shelf add column b integer default 5`);
  const found = await Promise.all([read(2), read(3), read(1)]);
  expect(found.map((rows) => rows.map(({ a, b }) => [a, b]))).toEqual([
    [[2, 5]],
    [],
    [
      [1, 5],
      [2, 5],
    ],
  ]);
  await db.rows(sql`drop table shelf`);
  await expect((async () => read(1))()).rejects.toThrow();
  expect(await db.$count(appSettings)).toBe(0);
});

describe("a table of values", () => {
  it("joins rows of every type, including nulls, with stored rows", async () => {
    const db = await open();
    const rows = [
      [1, 1_768_479_600_000, 12.5, 'it\'s "quoted", \\ and ü 💥', true],
      [2, null, null, null, false],
      [3, 2 ** 53 - 1, 15, "", null],
      [4, -1, 0.1, "null", true],
    ];
    const columns = { a: "integer", b: "bigint", c: "double precision", d: "text", e: "boolean" } as const;
    const found = await db.rows(sql`${withValues("given", columns, rows)} select a, b, c, d, e from given order by a`);
    const plain = found.map(({ a, b, c, d, e }) => [
      a,
      b === null ? null : Number(b),
      c,
      d,
      e === null ? null : Boolean(e),
    ]);
    expect(plain).toEqual(rows);
  });

  it("holds thousands of rows", async () => {
    const db = await open();
    const rows = Array.from({ length: 20_000 }, (_, index) => [index]);
    const [row] = await db.rows(
      sql`${withValues("given", { n: "bigint" }, rows)} select count(*) as count, sum(n) as total from given`,
    );
    expect([Number(row?.count), Number(row?.total)]).toEqual([20_000, 199_990_000]);
  });
});

it("an app setting keeps the first stored value until it is written", async () => {
  const db = await open();
  expect(await readSetting(db, "jwt_secret")).toBeUndefined();
  const settled = await Promise.all(["a", "b", "c"].map((value) => getOrCreateSetting(db, "jwt_secret", value)));
  expect(new Set(settled).size).toBe(1);
  await writeSetting(db, "jwt_secret", "written");
  expect(await getOrCreateSetting(db, "jwt_secret", "late")).toBe("written");
});

it("deleting a user deletes their monitors", async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  for (const owner of [bob, charlie]) await addMonitor(app, owner, { url: "https://shop.example/" });
  await app.db.delete(users).where(eq(users.id, bob.id));
  expect((await app.db.select().from(monitors)).map(({ userId }) => userId)).toEqual([charlie.id]);
  expect(await app.db.$count(monitorStates)).toBe(1);
});

describe.if(processDialect === "sqlite")("a database file", () => {
  const directory = () => {
    const path = mkdtempSync(join(tmpdir(), "wakeful-database-"));
    onTestFinished(() => rmSync(path, { recursive: true }));
    return join(path, "data");
  };

  it("is created with its folder, and keeps its rows when it is opened again", async () => {
    const dataDir = directory();
    const first = await openDatabase({ databaseUrl: "", dataDir });
    const app = await createTestApp({ db: first });
    const bob = await addUser(app.deps, "bob");
    const id = await addMonitor(app, bob, { url: "https://shop.example/", headers: { a: "b" } });
    await record(app, id, [{ at: 1_768_479_600_000 }, { at: 1_768_479_660_000, up: false }]);
    const before = await Promise.all([users, monitors, monitorStates].map((table) => first.select().from(table)));
    await first.close();
    const second = await openDatabase({ databaseUrl: "", dataDir });
    const after = await Promise.all([users, monitors, monitorStates].map((table) => second.select().from(table)));
    expect(after).toEqual(before);
    // Keys are off while it is migrated, and on again afterwards.
    await expect(
      (async () => second.insert(monitorStates).values({ monitorId: 99, status: "up" }))(),
    ).rejects.toThrow();
    await second.close();
  });

  it("with broken foreign keys is not opened", async () => {
    const dataDir = directory();
    await (await openDatabase({ databaseUrl: "", dataDir })).close();
    const raw = new Sqlite(join(dataDir, "wakeful.db"));
    raw.exec("pragma foreign_keys = off; insert into monitor_states (monitor_id, status) values (99, 'up')");
    raw.close();
    await expect(openDatabase({ databaseUrl: "", dataDir })).rejects.toThrow("1 rows that refer to missing ones");
  });

  it("throws when it cannot be written", async () => {
    const dataDir = directory();
    const db = await openDatabase({ databaseUrl: "", dataDir });
    await db.assertWritable();
    const other = new Sqlite(join(dataDir, "wakeful.db"));
    await db.rows(sql`pragma busy_timeout = 1`);
    other.exec("begin immediate");
    await expect(db.assertWritable()).rejects.toThrow();
    other.exec("rollback");
    other.close();
    await db.assertWritable();
    await db.close();
  });
});

describe.skipIf(processDialect === "postgres" || process.platform === "win32")("the database file", () => {
  const rightsOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
  const openIn = async (dataDir: string) => {
    const db = await openDatabase({ databaseUrl: "", dataDir });
    await writeSetting(db, "registration", "open");
    return db;
  };
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "wakeful-"));
    onTestFinished(() => rmSync(made, { recursive: true }));
    chmodSync(made, 0o755);
    return made;
  };

  it("is readable by its owner only, as are the files beside it, in any folder", async () => {
    const dataDir = folder();
    const db = await openIn(dataDir);
    const rights = readdirSync(dataDir).map((name) => [name, rightsOf(join(dataDir, name))]);
    expect(rights.toSorted()).toEqual([
      ["wakeful.db", "600"],
      ["wakeful.db-shm", "600"],
      ["wakeful.db-wal", "600"],
    ]);
    await db.close();
  });

  it("loses the permissions of others when it has them, and keeps those of its group", async () => {
    const dataDir = folder();
    await (await openIn(dataDir)).close();
    chmodSync(join(dataDir, "wakeful.db"), 0o664);
    await (await openIn(dataDir)).close();
    expect(rightsOf(join(dataDir, "wakeful.db"))).toBe("660");
  });

  it("names the setting in the error when it cannot be created", async () => {
    const dataDir = join(folder(), "a file");
    writeFileSync(dataDir, "");
    expect(openIn(dataDir)).rejects.toThrow(`DATA_DIR=${dataDir} is not usable: `);
  });
});

it.skipIf(processDialect === "postgres")(
  "a database with migrations that are not known is of a newer version",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "wakeful-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const settings = { databaseUrl: "", dataDir };
    expect(isOfNewerVersion(settings)).toBe(false);
    const db = await openDatabase(settings);
    expect(isOfNewerVersion(settings)).toBe(false);
    await db.rows(sql`insert into __drizzle_migrations (hash, created_at) values ('new', 9999999999999)`);
    expect(isOfNewerVersion(settings)).toBe(true);
    await db.close();
  },
);

const broken = () => {
  throw new Error("no");
};

it("a database is healthy when it can be read and written", async () => {
  const written: string[] = [];
  const probe = createHealthProbe({ size: 3, look: () => {}, write: (statement) => written.push(statement) });
  await probe();
  expect(written).toHaveLength(1);
  expect(written[0]).toInclude("'probe', '000'");
});

it("a database is not healthy when reading or writing fails or does not end", async () => {
  const never = () => new Promise(() => {});
  for (const parts of [{ look: broken }, { write: broken }, { look: never }, { write: never }]) {
    const probe = createHealthProbe({ size: 1, look: () => {}, write: () => {}, timeout: 5, ...parts });
    await expect(probe()).rejects.toThrow();
  }
});
