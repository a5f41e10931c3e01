import { describe, expect, it, onTestFinished } from "bun:test";
import { sql } from "drizzle-orm";
import { processDialect } from "../config";
import { openTestDatabase } from "../testing/database";
import { settings } from "./schema";

/** A database, and a statement that fails with this code until it was run so many times. */
const setUp = async (code: string, failures: number) => {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  // What a sequence gave is not taken back with the transaction that asked for it.
  await db.rows(sql`create sequence tries`);
  const trouble = sql.raw(
    `do $$ begin if nextval('tries') <= ${failures} then raise exception 'in the way' using errcode = '${code}'; end if; end $$`,
  );
  const write = async () => db.atomically((tx) => [tx.insert(settings).values({ key: "a", value: "1" }), trouble]);
  const tries = async () => Number((await db.rows(sql`select last_value as tries from tries`))[0]?.tries);
  return { db, write, tries };
};

describe.if(processDialect === "postgres")("a transaction that has to give way to another", () => {
  it.each(["40P01", "40001"])("is run again, whole and once (%s)", async (code) => {
    const { db, write, tries } = await setUp(code, 3);
    await write();
    expect(await db.$count(settings)).toBe(1);
    expect(await tries()).toBe(4);
  });

  it("is given up after five times", async () => {
    const { db, write, tries } = await setUp("40P01", 1000);
    await expect(write()).rejects.toThrow();
    expect(await db.$count(settings)).toBe(0);
    expect(await tries()).toBe(5);
  });

  it("is not run again for what would fail again", async () => {
    const { write, tries } = await setUp("23505", 1000);
    await expect(write()).rejects.toThrow();
    expect(await tries()).toBe(1);
  });
});
