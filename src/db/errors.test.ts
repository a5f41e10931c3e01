import { describe, expect, it, onTestFinished } from "bun:test";
import { sql } from "drizzle-orm";
import { processDialect } from "../core/config";
import { openTestDatabase } from "../testing/db/database";
import { appSettings } from "./schema";

/** A database, and a transaction whose last statement fails with this code the first `failures` times. */
const setUp = async (code: string, failures: number) => {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  // A rollback does not reset a sequence.
  await db.rows(sql`create sequence tries`);
  const failing = sql.raw(
    `do $$ begin if nextval('tries') <= ${failures} then raise exception 'test' using errcode = '${code}'; end if; end $$`,
  );
  const write = async () => db.atomically((tx) => [tx.insert(appSettings).values({ key: "a", value: "1" }), failing]);
  const tries = async () => Number((await db.rows(sql`select last_value as tries from tries`))[0]?.tries);
  return { db, write, tries };
};

describe.if(processDialect === "postgres")("a transaction that fails by a deadlock or a serialization failure", () => {
  it.each(["40P01", "40001"])("is retried as a whole and takes effect once (%s)", async (code) => {
    const { db, write, tries } = await setUp(code, 3);
    await write();
    expect(await db.$count(appSettings)).toBe(1);
    expect(await tries()).toBe(4);
  });

  it("is retried at most five times", async () => {
    const { db, write, tries } = await setUp("40P01", 1000);
    await expect(write()).rejects.toThrow();
    expect(await db.$count(appSettings)).toBe(0);
    expect(await tries()).toBe(5);
  });

  it("is not retried after another error", async () => {
    const { write, tries } = await setUp("23505", 1000);
    await expect(write()).rejects.toThrow();
    expect(await tries()).toBe(1);
  });
});
