import { describe, expect, it, onTestFinished, setDefaultTimeout } from "bun:test";
import { sql } from "drizzle-orm";
import { processDialect } from "../config";
import { until } from "../testing/clock";
import { openTestDatabase } from "../testing/database";
import { openLink } from "../testing/link";
import { inTransaction, untilWaiting } from "../testing/session";
import type { Database } from "./database";
import { PATIENCE, type Patience } from "./patient";
import { settings } from "./schema";
import { isDatabaseTrouble } from "./trouble";

setDefaultTimeout(30_000);

/** While nothing comes through this is too short on no machine. */
const SHORT: Patience = { answer: 40, look: 40 };

const one = sql`select 1 as one`;

const setUp = async () => {
  const link = await openLink();
  const patience = { ...PATIENCE };
  const db = await openTestDatabase(link.through, patience);
  onTestFinished(() => db.close());
  const sessions = async () => {
    const rows = await db.rows<{ pid: number }>(
      sql`select pid from pg_stat_activity where datname = current_database()`,
    );
    return new Set(rows.map(({ pid }) => pid));
  };
  const half = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  /** A transaction that has written something and is still to end. */
  const transaction = inTransaction(db, async (run) => {
    await run(sql`insert into settings (key, value) values ('half', 'done')`);
    half.resolve();
    await rest.promise;
    await run(one);
  });
  await half.promise;
  return { link, patience, db, sessions, transaction, goOn: rest.resolve };
};

const troubleOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error) => isDatabaseTrouble(error) || error,
  );

const untilBack = (db: Database) =>
  until(
    () =>
      db.rows(one).then(
        () => true,
        () => false,
      ),
    "the database to be back",
  );

describe.if(processDialect === "postgres")("a PostgreSQL that does not answer", () => {
  it("fails what was asked of it, whatever it was, and what is asked then", async () => {
    const { link, patience, db, sessions, transaction, goOn } = await setUp();
    const before = await sessions();
    link.freeze();
    Object.assign(patience, SHORT);
    goOn();
    // More than there are connections.
    const asked = [transaction, ...Array.from({ length: 15 }, () => db.rows(one)), db.atomically(() => [one])];
    expect(await Promise.all(asked.map(troubleOf))).toEqual(Array(17).fill(true));
    expect(await troubleOf(db.rows(one))).toBe(true);
    expect(await troubleOf(db.atomically(() => [one]))).toBe(true);
    expect(await troubleOf(db.assertWritable())).toBe(true);
    Object.assign(patience, PATIENCE);
    link.thaw();
    await untilBack(db);
    expect(await db.$count(settings)).toBe(0);
    await until(async () => before.isDisjointFrom(await sessions()), "what was given up to end");
    await Promise.all(Array.from({ length: 30 }, () => db.atomically(() => [one, one])));
  });

  it("on the connections of before is asked on new ones, and what those held is free", async () => {
    const { link, patience, db, transaction, goOn } = await setUp();
    link.strand();
    patience.answer = SHORT.answer;
    goOn();
    expect(await troubleOf(transaction)).toBe(true);
    Object.assign(patience, PATIENCE);
    await untilBack(db);
    // The server was told of nothing: but for its being ended, the other transaction would hold this key.
    await db.insert(settings).values({ key: "half", value: "anew" });
    expect(await db.$count(settings)).toBe(1);
  });

  it("because it works on something is waited for", async () => {
    const { link, patience, db, transaction, goOn } = await setUp();
    const waiting = db.insert(settings).values({ key: "half", value: "late" }).onConflictDoNothing();
    const written = waiting.then(() => "written");
    await untilWaiting(db);
    const before = link.opened();
    patience.answer = SHORT.answer;
    await until(() => link.opened() >= before + 3, "it to be looked into");
    Object.assign(patience, PATIENCE);
    goOn();
    await transaction;
    expect(await written).toBe("written");
    expect(await db.select().from(settings)).toEqual([{ key: "half", value: "done" }]);
  });
});
