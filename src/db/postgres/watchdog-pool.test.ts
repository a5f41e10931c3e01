import { describe, expect, it, onTestFinished } from "bun:test";
import { sql } from "drizzle-orm";
import { processDialect } from "../../core/config";
import { until } from "../../testing/clock";
import { openTestDatabase } from "../../testing/db/database";
import { inTransaction, untilWaiting } from "../../testing/fixtures/session";
import { openLink } from "../../testing/servers/link";
import { openPooler } from "../../testing/servers/pooler";
import type { Database } from "../database";
import { isUnavailable } from "../errors";
import { openDatabase } from "../open";
import { appSettings } from "../schema";
import { TIMEOUTS, type Timeouts } from "./watchdog-pool";

/** Short enough for a test. Not too short, because nothing answers while they apply. */
const SHORT: Timeouts = { query: 40, inspection: 40 };

const one = sql`select 1 as one`;

const setUp = async () => {
  const link = await openLink();
  const timeouts = { ...TIMEOUTS };
  const db = await openTestDatabase(link.through, timeouts);
  onTestFinished(() => db.close());
  const sessions = async () => {
    const rows = await db.rows<{ pid: number }>(
      sql`select pid from pg_stat_activity where datname = current_database()`,
    );
    return new Set(rows.map(({ pid }) => pid));
  };
  const half = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  /** A transaction that has written a row and is not yet committed. */
  const transaction = inTransaction(db, async (run) => {
    await run(sql`insert into app_settings (key, value) values ('half', 'done')`);
    half.resolve();
    await rest.promise;
    await run(one);
  });
  await half.promise;
  return { link, timeouts, db, sessions, transaction, goOn: rest.resolve };
};

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error) => isUnavailable(error) || error,
  );

const write = (db: Database) => db.insert(appSettings).values({ key: "a", value: "1" }).onConflictDoNothing();

const untilBack = (db: Database) =>
  until(
    () =>
      db.rows(one).then(
        () => true,
        () => false,
      ),
    "the database to be back",
  );

/** Runs a statement on each connection of the pool, in transactions that all have to be open at once. */
const onEachConnection = async (db: Database, statement: string) => {
  const all = Promise.withResolvers<void>();
  let begun = 0;
  await Promise.all(
    Array.from({ length: 10 }, () =>
      inTransaction(db, async (run) => {
        await run(sql.raw(statement));
        if (++begun === 10) all.resolve();
        await all.promise;
      }),
    ),
  );
};

describe.if(processDialect === "postgres")("a PostgreSQL server that does not answer", () => {
  it("fails the queries in progress and new ones, and is used again when it answers", async () => {
    const { link, timeouts, db, sessions, transaction, goOn } = await setUp();
    const before = await sessions();
    link.freeze();
    Object.assign(timeouts, SHORT);
    goOn();
    // More queries than the pool has connections.
    const queries = [transaction, ...Array.from({ length: 15 }, () => db.rows(one)), db.atomically(() => [one])];
    expect(await Promise.all(queries.map(failureOf))).toEqual(Array(17).fill(true));
    expect(await failureOf(db.rows(one))).toBe(true);
    expect(await failureOf(db.atomically(() => [one]))).toBe(true);
    expect(await failureOf(db.assertWritable())).toBe(true);
    Object.assign(timeouts, TIMEOUTS);
    link.thaw();
    await untilBack(db);
    expect(await db.$count(appSettings)).toBe(0);
    await until(async () => before.isDisjointFrom(await sessions()), "the dropped connections to end");
    await Promise.all(Array.from({ length: 30 }, () => db.atomically(() => [one, one])));
  });

  it("on established connections is reconnected to, and the locks of those are released", async () => {
    const { link, timeouts, db, transaction, goOn } = await setUp();
    link.strand();
    timeouts.query = SHORT.query;
    goOn();
    expect(await failureOf(transaction)).toBe(true);
    Object.assign(timeouts, TIMEOUTS);
    await untilBack(db);
    // The server has not noticed the lost connection: unless its backend is terminated, the first transaction holds this key.
    await db.insert(appSettings).values({ key: "half", value: "second" });
    expect(await db.$count(appSettings)).toBe(1);
  });

  it("because a backend is busy is waited for", async () => {
    const { link, timeouts, db, transaction, goOn } = await setUp();
    const waiting = db.insert(appSettings).values({ key: "half", value: "late" }).onConflictDoNothing();
    const written = waiting.then(() => "written");
    await untilWaiting(db);
    const before = link.opened();
    timeouts.query = SHORT.query;
    await until(() => link.opened() >= before + 3, "the server to be inspected");
    Object.assign(timeouts, TIMEOUTS);
    goOn();
    await transaction;
    expect(await written).toBe("written");
    expect(await db.select().from(appSettings)).toEqual([{ key: "half", value: "done" }]);
  });
});

describe.if(processDialect === "postgres")("a pooler that runs each transaction on another connection", () => {
  const setUpPooler = async () => {
    const pooler = await openPooler();
    const timeouts = { ...TIMEOUTS };
    let databaseUrl = "";
    const db = await openTestDatabase((url) => {
      databaseUrl = pooler.through(url);
      return databaseUrl;
    }, timeouts);
    onTestFinished(() => db.close());
    return { pooler, timeouts, db, databaseUrl };
  };

  it("serves several instances that start together", async () => {
    const { db, databaseUrl } = await setUpPooler();
    const others = await Promise.all(Array.from({ length: 3 }, () => openDatabase({ databaseUrl, dataDir: "" })));
    onTestFinished(async () => void (await Promise.all(others.map((other) => other.close()))));
    const add = (key: string) => sql`insert into app_settings (key, value) values (${key}, ${"1"})`;
    await Promise.all(
      [db, ...others].flatMap((each, instance) =>
        Array.from({ length: 10 }, (_, index) =>
          each.atomically(() => [add(`${instance} ${index} a`), add(`${instance} ${index} b`)]),
        ),
      ),
    );
    expect(await db.$count(appSettings)).toBe(80);
  });

  it("counts as unavailable while it has no server, and is used again when it has one", async () => {
    const { pooler, timeouts, db } = await setUpPooler();
    await onEachConnection(db, "select 1");
    pooler.pause();
    Object.assign(timeouts, { query: SHORT.query });
    expect(await failureOf(db.rows(one))).toBe(true);
    expect(await failureOf(db.rows(one))).toBe(true);
    Object.assign(timeouts, TIMEOUTS);
    pooler.resume();
    // The pooler may still use connections that the reconnection has terminated.
    await until(async () => (await failureOf(write(db))) === "none", "the pooler to be back");
  });
});

describe.if(processDialect === "postgres")("connections that the server ends because they were idle", () => {
  it("are replaced without a failure of a query or a transaction that was sent on them", async () => {
    const link = await openLink();
    const db = await openTestDatabase(link.through);
    onTestFinished(() => db.close());
    const other = await openTestDatabase();
    onTestFinished(() => other.close());
    const [row] = await db.rows<{ name: string }>(sql`select current_database() as name`);
    for (const use of [() => db.rows(one), () => db.atomically(() => [one])]) {
      await onEachConnection(db, "set session idle_session_timeout = 50");
      // The client learns of the end only after it has sent something.
      link.freeze();
      await until(async () => {
        const [{ left } = { left: -1 }] = await other.rows<{ left: number }>(
          sql`select count(*) as left from pg_stat_activity where datname = ${row?.name}`,
        );
        return Number(left) === 0;
      }, "the idle connections to be ended");
      const failures = Promise.all(Array.from({ length: 12 }, () => failureOf(use())));
      await Promise.resolve();
      link.thaw();
      expect(await failures).toEqual(Array(12).fill("none"));
    }
  });
});

describe.if(processDialect === "postgres")("connections to a server that has become read-only", () => {
  const setUpReadOnly = async () => {
    const link = await openLink();
    const db = await openTestDatabase(link.through);
    onTestFinished(() => db.close());
    await onEachConnection(db, "set session characteristics as transaction read only");
    return { link, db };
  };

  it.each([
    ["a write", async (db: Database) => write(db)],
    ["a transaction", (db: Database) => db.atomically((tx) => [one, tx.delete(appSettings)])],
  ])("are replaced after %s when new connections can write", async (_, change) => {
    const { db } = await setUpReadOnly();
    expect(await failureOf(change(db))).toBe(true);
    await until(async () => (await failureOf(change(db))) === "none", "a connection that can write");
  });

  it("are kept for reading when new connections cannot write either", async () => {
    const { link, db } = await setUpReadOnly();
    const [row] = await db.rows<{ name: string }>(sql`select current_database() as name`);
    const setDefault = (value: string) =>
      inTransaction(db, async (run) => {
        await run(sql`set transaction read write`);
        await run(sql.raw(`alter database ${row?.name} set default_transaction_read_only = ${value}`));
      });
    await setDefault("on");
    const inspections = Array.from({ length: 2 }, (_, index) => link.opened() + index + 1);
    await inTransaction(db, async (run) => {
      for (const opened of inspections)
        await until(async () => {
          expect(await failureOf(write(db))).toBe(true);
          return link.opened() >= opened;
        }, "the server to be inspected");
      await run(one);
    });
    await setDefault("off");
    expect(await failureOf(db.rows(one))).toBe("none");
  });
});
