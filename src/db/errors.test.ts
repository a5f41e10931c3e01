import { describe, expect, it, onTestFinished } from "bun:test";
import { sql } from "drizzle-orm";
import { processDialect } from "../core/config";
import { openTestDatabase } from "../testing/db/database";
import { failureOf } from "./errors";
import { appSettings } from "./schema";

it("a failed query is refused with the reason why the database can't be written, as far as that is known", () => {
  const failures: [failure: object, code: string][] = [
    [{ code: "SQLITE_FULL", message: "database or disk is full" }, "database_full"],
    [{ code: "ERR_POSTGRES_SERVER_ERROR", errno: "53100" }, "database_full"],
    [{ code: "SQLITE_READONLY", message: "attempt to write a readonly database" }, "database_read_only"],
    [{ code: "ERR_POSTGRES_SERVER_ERROR", errno: "25006" }, "database_read_only"],
    [{ code: "SQLITE_BUSY", message: "database is locked" }, "unavailable"],
    [{ code: "ERR_POSTGRES_SERVER_ERROR", errno: "57P01" }, "unavailable"],
    [{ code: "SQLITE_ERROR", message: "no such table" }, "internal"],
  ];
  for (const [failure, code] of failures)
    expect([failure, failureOf(new Error("Failed query", { cause: failure })).code]).toEqual([failure, code as never]);
});

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
