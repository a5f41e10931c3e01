import { describe, expect, it, onTestFinished } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { processDialect } from "../core/config";
import { createTestClock, START } from "../testing/clock";
import { openTestDatabase } from "../testing/db/database";
import { createDueCheck } from "./due";
import { appSettings, users } from "./schema";

const open = async () => {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  return db;
};

describe("the version of a table", () => {
  it.if(processDialect === "sqlite")("is another one after each statement that may have changed it", async () => {
    const db = await open();
    const row = { key: "a", value: "1" };
    const isA = eq(appSettings.key, "a");
    const writes: (() => unknown)[] = [
      () => db.insert(appSettings).values(row),
      () => db.update(appSettings).set({ value: "2" }).where(isA),
      () => db.delete(appSettings).where(isA),
      () => db.rows(sql`insert into ${appSettings} (key, value) values ('a', '1') on conflict do nothing`),
      () => db.rows(sql`with v as (select '3' as value) update ${appSettings} set value = v.value from v`),
      () => db.rows(sql`with v as (select 'a' as key) delete from app_settings where key in (select key from v)`),
      () => db.atomically((tx) => [tx.select().from(users), tx.insert(appSettings).values(row)]),
      () => db.atomically((tx) => [sql`update app_settings set value = '4'`, tx.select().from(users)]),
    ];
    for (const write of [...writes, ...writes.slice(1)]) {
      const before = [db.version(appSettings), db.version(appSettings, users), db.version(users), db.version()];
      await write();
      const after = [db.version(appSettings), db.version(appSettings, users), db.version(users), db.version()];
      expect(after.map((version, index) => version !== before[index])).toEqual([true, true, false, false]);
    }
  });

  it.if(processDialect === "sqlite")(
    "stays the same while tables are read, and grows after a failed transaction",
    async () => {
      const db = await open();
      const before = db.version(users);
      await db.select().from(users);
      await db.rows(sql`select * from users`);
      await db.$count(users);
      expect(db.version(users)).toBe(before);
      await expect(db.atomically(() => [sql`select no_column from users`])).rejects.toThrow();
      expect(db.version(users)).not.toBe(before);
    },
  );

  it.if(processDialect === "postgres")("is unknown, because other instances write as well", async () => {
    expect((await open()).version(users)).toBeNull();
  });
});

it.if(processDialect === "sqlite")("a due time is read again after its table changed, and not before", async () => {
  const db = await open();
  const clock = createTestClock();
  let [at, reads]: [number | null, number] = [START + 10, 0];
  const read = async () => {
    reads++;
    return at;
  };
  const isDue = createDueCheck({ db, clock, tables: [appSettings], read });
  expect([await isDue(), await isDue(), reads]).toEqual([false, false, 1]);
  clock.set(START + 10);
  expect([await isDue(), reads]).toEqual([true, 1]);
  at = null;
  await db.insert(appSettings).values({ key: "a", value: "1" });
  expect([await isDue(), await isDue(), reads]).toEqual([false, false, 2]);
});
