import { describe, expect, it, onTestFinished } from "bun:test";
import { aliasedTable, eq, sql } from "drizzle-orm";
import { processDialect } from "../core/config";
import { openTestDatabase } from "../testing/db/database";
import type { Database } from "./database";
import { appSettings } from "./schema";
import { lockRows } from "./sql";

const open = async () => {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  return db;
};

const read = async (db: Database, key: string): Promise<string | undefined> =>
  (await db.select().from(appSettings).where(eq(appSettings.key, key)))[0]?.value;
const write = (db: Database, key: string, value: string) => db.insert(appSettings).values({ key, value });
const keysOf = async (db: Database): Promise<string[]> =>
  (await db.select().from(appSettings)).map(({ key }) => key).toSorted();

describe("transact", () => {
  it("stores all writes and returns the result", async () => {
    const db = await open();
    const result = await db.transact(async (tx) => {
      await write(tx, "a", "1");
      await tx.rows(sql`insert into app_settings (key, value) values ('b', '2')`);
      await tx.update(appSettings).set({ value: "3" }).where(eq(appSettings.key, "a"));
      return [await read(tx, "a"), await tx.$count(appSettings)];
    });
    expect(result).toEqual(["3", 2]);
    expect(await keysOf(db)).toEqual(["a", "b"]);
  });

  it("stores nothing when the body throws, and rejects with its error", async () => {
    const db = await open();
    const writing = db.transact(async (tx) => {
      await write(tx, "a", "1");
      if ((await read(tx, "a")) === "1") throw new Error("refused");
    });
    await expect(writing).rejects.toThrow("refused");
    expect(await keysOf(db)).toEqual([]);
  });

  it("stores nothing when a statement fails", async () => {
    const db = await open();
    await write(db, "taken", "1");
    const writing = db.transact(async (tx) => {
      await write(tx, "a", "1");
      await write(tx, "taken", "2");
    });
    await expect(writing).rejects.toThrow();
    expect(await keysOf(db)).toEqual(["taken"]);
  });

  it("hides its writes from queries outside it, which do not join it", async () => {
    const db = await open();
    await write(db, "stored", "1");
    await write(db, "unwanted", "1");
    const other = aliasedTable(appSettings, "other");
    const outside: Promise<unknown>[] = [];
    const writing = db.transact(async (tx) => {
      await write(tx, "inside", "1");
      if (outside.length === 0)
        outside.push(
          read(db, "inside"),
          Promise.resolve(write(db, "outside", "1")),
          Promise.resolve(db.$count(appSettings, eq(appSettings.key, "inside"))),
          db.rows(sql`select key from app_settings where key = 'inside'`),
          Promise.resolve(db.delete(appSettings).where(eq(appSettings.key, "unwanted"))),
          db.atomically((own) => [own.insert(appSettings).values({ key: "atomic", value: "1" })]),
          db
            .select({ key: appSettings.key, other })
            .from(appSettings)
            .leftJoin(other, eq(other.key, "inside"))
            .where(eq(appSettings.key, "stored"))
            .then((rows) => rows),
        );
      await tx.$count(appSettings);
      throw new Error("refused");
    });
    await expect(writing).rejects.toThrow("refused");
    const [seen, , count, rows, , , joined] = await Promise.all(outside);
    expect([seen, count, rows]).toEqual([undefined, 0, []]);
    expect(joined).toEqual([{ key: "stored", other: null }]);
    expect(await keysOf(db)).toEqual(["atomic", "outside", "stored"]);
  });

  it("loses no update of concurrent transactions that lock what they read", async () => {
    const db = await open();
    await write(db, "count", "0");
    const add = () =>
      db.transact(async (tx) => {
        await tx.atomically(() => lockRows(appSettings, appSettings.key, eq(appSettings.key, "count")));
        const value = String(Number(await read(tx, "count")) + 1);
        await tx.update(appSettings).set({ value }).where(eq(appSettings.key, "count"));
      });
    await Promise.all(Array.from({ length: 30 }, add));
    expect(await read(db, "count")).toBe("30");
  });

  it("contains the transactions that its body starts with it", async () => {
    const db = await open();
    const create = (own: Database, key: string) =>
      own.transact(async (tx) => {
        await write(tx, key, "1");
        return (await tx.atomically((build) => [build.select({ key: appSettings.key }).from(appSettings)])).length;
      });
    const writing = db.transact(async (tx) => {
      expect(await create(tx, "a")).toBe(1);
      throw new Error("refused");
    });
    await expect(writing).rejects.toThrow("refused");
    expect(await keysOf(db)).toEqual([]);
    await create(db, "b");
    expect(await keysOf(db)).toEqual(["b"]);
  });

  it("calls what waits for its commit once with the database, and never after a failure", async () => {
    const db = await open();
    const called: string[] = [];
    const wait = (tx: Database, key: string) => tx.afterCommit((database) => called.push(`${key} ${database === db}`));
    await db.transact(async (tx) => {
      wait(tx, "outer");
      await tx.transact(async (inner) => wait(inner, "inner"));
      expect(called).toEqual([]);
    });
    const failing = db.transact(async (tx) => {
      wait(tx, "failed");
      throw new Error("refused");
    });
    await expect(failing).rejects.toThrow("refused");
    wait(db, "outside");
    expect(called).toEqual(["outer true", "inner true", "outside true"]);
  });

  it("changes the version of a table, also when it fails", async () => {
    const db = await open();
    const versions: (number | null)[] = [db.version(appSettings)];
    await db.transact((tx) => write(tx, "a", "1"));
    versions.push(db.version(appSettings));
    await expect(db.transact((tx) => write(tx, "a", "2"))).rejects.toThrow();
    versions.push(db.version(appSettings));
    expect(new Set(versions).size).toBe(processDialect === "sqlite" ? 3 : 1);
  });

  it.skipIf(processDialect !== "postgres")("runs again after a serialization failure", async () => {
    const db = await open();
    let [runs, commits] = [0, 0];
    await db.transact(async (tx) => {
      tx.afterCommit(() => commits++);
      await write(tx, "a", "1");
      if (++runs < 3) throw Object.assign(new Error("could not serialize access"), { errno: "40001" });
    });
    expect([runs, commits, await keysOf(db)]).toEqual([3, 1, ["a"]]);
  });

  it.skipIf(processDialect !== "sqlite")("is rolled back when it awaits anything but its own queries", async () => {
    const db = await open();
    const late: { query?: () => Promise<unknown> } = {};
    const sleeping = db.transact(async (tx) => {
      await write(tx, "a", "1");
      late.query = async () => write(tx, "late", "1");
      await Bun.sleep(1);
    });
    await expect(sleeping).rejects.toThrow("awaited something other than its own queries");
    const stuck = db.transact(async (tx) => {
      await write(tx, "b", "1");
      await read(db, "b");
    });
    await expect(stuck).rejects.toThrow("awaited something other than its own queries");
    await expect(late.query?.()).rejects.toThrow("The transaction has ended.");
    expect(await keysOf(db)).toEqual([]);
    await write(db, "after", "1");
    expect(await keysOf(db)).toEqual(["after"]);
  });
});
