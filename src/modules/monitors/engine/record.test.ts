import { describe, expect, it } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { processDialect } from "../../../core/config";
import { madeBy, viewerOf } from "../../../db/owner";
import { checkDays, checkHours, monitorStates, recentChecks } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { readState } from "../../../testing/fixtures/engine";
import { addMonitor, countHistory, record, rollUp, storedChecks } from "../../../testing/fixtures/monitors";
import { inTransaction, untilWaiting } from "../../../testing/fixtures/session";
import { deleteMonitor } from "../change";
import { lastChecks } from "../history/pack";
import { findMonitor } from "../service";
import { type Result, recordResults } from "./record";

const MINUTE = 60_000;

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const add = () => addMonitor(app, bob, { url: "https://shop.example/" });
  const claim = (id: number) =>
    app.db.update(monitorStates).set({ claimedBy: "one" }).where(eq(monitorStates.monitorId, id));
  const write = (instance: string, results: Result[]) => recordResults(app.deps, instance, results);
  return { app, add, claim, write };
};

const resultOf = (monitorId: number, more: Partial<Result> = {}): Result => ({
  monitorId,
  revision: 0,
  checkedAt: START,
  up: true,
  responseTime: 12.5,
  statusCode: 200,
  error: null,
  certExpiresAt: null,
  ...more,
});

describe("a result", () => {
  it("is written to the checks, the sums and the state, and releases the claim", async () => {
    const { app, add, claim, write } = await setUp();
    const id = await add();
    await claim(id);
    await write("one", [resultOf(id, { certExpiresAt: START + 1e9 })]);
    expect(await countHistory(app, id)).toEqual({ checks: 1, hours: 1, days: 1 });
    expect(await readState(app, id)).toMatchObject({
      status: "up",
      responseTime: 12.5,
      lastCheckedAt: START,
      certExpiresAt: START + 1e9,
      claimedBy: null,
    });
    expect(await storedChecks(app, id)).toEqual([
      { checkedAt: START, up: true, responseTime: 12.5, statusCode: 200, error: null },
    ]);
  });

  it("that is written twice counts once", async () => {
    const { app, add, claim, write } = await setUp();
    const id = await add();
    await claim(id);
    for (let time = 0; time < 3; time++) await write("one", [resultOf(id)]);
    expect(await storedChecks(app, id)).toHaveLength(1);
  });

  it("of an older revision, of another instance's claim or without a claim is not written", async () => {
    const { app, add, claim, write } = await setUp();
    const [older, others, unclaimed] = [await add(), await add(), await add()];
    for (const id of [older, others]) await claim(id);
    await app.db.update(monitorStates).set({ revision: 1 }).where(eq(monitorStates.monitorId, older));
    await write("one", [resultOf(older)]);
    await write("two", [resultOf(others), resultOf(unclaimed)]);
    for (const id of [older, others, unclaimed]) {
      expect(await countHistory(app, id)).toEqual({ checks: 0, hours: 0, days: 0 });
      expect((await readState(app, id)).status).toBe("pending");
    }
    expect((await readState(app, older)).claimedBy).toBeNull();
    expect((await readState(app, others)).claimedBy).toBe("one");
  });

  it("of a deleted monitor does not prevent the others from being written", async () => {
    const { app, add, claim, write } = await setUp();
    const id = await add();
    await claim(id);
    await write("one", [resultOf(id + 999), resultOf(id)]);
    expect((await countHistory(app, id)).checks).toBe(1);
    expect(await countHistory(app, id + 999)).toEqual({ checks: 0, hours: 0, days: 0 });
  });

  it("without a certificate keeps the stored expiry date", async () => {
    const { app, add, claim, write } = await setUp();
    const id = await add();
    for (const certExpiresAt of [START + 5, null]) {
      await claim(id);
      await write("one", [resultOf(id, { certExpiresAt, checkedAt: START + (certExpiresAt ? 0 : MINUTE) })]);
    }
    expect((await readState(app, id)).certExpiresAt).toBe(START + 5);
  });
});

describe("the sums", () => {
  it("equal the checks by hour and by day", async () => {
    const { app, add } = await setUp();
    const id = await add();
    const midnight = Date.UTC(2026, 0, 16);
    await record(app, id, [
      { at: midnight - 2, time: null, up: false },
      { at: midnight - 1, time: 30 },
      { at: midnight, time: 10.5, up: false },
      { at: midnight + MINUTE, time: 20 },
      { at: midnight + 2 * MINUTE, time: null, up: false },
    ]);
    const sums = [
      { up: 1, down: 1, answered: 1, totalTime: 30, minTime: 30, maxTime: 30 },
      { up: 1, down: 2, answered: 2, totalTime: 30.5, minTime: 10.5, maxTime: 20 },
    ];
    app.clock.set(midnight + 5 * MINUTE);
    await rollUp(app, "now");
    for (const table of [checkHours, checkDays]) {
      const rows = await app.db.select().from(table).orderBy(table.bucket);
      expect(rows.map(({ bucket: _, monitorId: __, histogram: ___, ...sum }) => sum)).toEqual(sums);
    }
  });

  it("include the results of many monitors in one transaction", async () => {
    const { app, add, claim, write } = await setUp();
    const ids = [];
    for (let count = 0; count < 30; count++) ids.push(await add());
    for (const id of ids) await claim(id);
    await write(
      "one",
      ids.map((id, index) =>
        resultOf(
          id,
          index % 2
            ? {}
            : {
                up: false,
                responseTime: null,
                statusCode: null,
                error: { code: "timeout", detail: { seconds: `"it's" \\ ü` } },
              },
        ),
      ),
    );
    for (const id of ids) expect((await countHistory(app, id)).checks).toBe(1);
    const states = await app.db.select().from(monitorStates).orderBy(monitorStates.monitorId);
    expect(states.map(({ status }) => status)).toEqual(ids.map((_, index) => (index % 2 ? "up" : "down")));
  });

  it("are written with the last 40 checks before those in the pack, oldest first", async () => {
    const { app, add } = await setUp();
    const id = await add();
    const found = Array.from({ length: 45 }, (_, index) => ({ at: START + index, up: index % 4 > 0 }));
    await record(app, id, found);
    const latest = found.map(({ at, up }) => ({ at, up, responseTime: 10, slow: false })).slice(5);
    const { pack } = await readState(app, id);
    expect(lastChecks({ pack, tail: null }, 40)).toEqual(latest);
    await rollUp(app, "now");
    const [stored] = await app.db.select().from(recentChecks);
    expect(lastChecks({ pack: null, tail: stored?.checks ?? null }, 40)).toEqual(latest);
    await record(app, id, [{ at: START + MINUTE }]);
    const after = { pack: (await readState(app, id)).pack, tail: stored?.checks ?? null };
    expect(lastChecks(after, 40).map(({ at }) => at)).toEqual([...latest.slice(1).map(({ at }) => at), START + MINUTE]);
    expect(lastChecks(after, 1)).toEqual([{ at: START + MINUTE, up: true, responseTime: 10, slow: false }]);
  });
});

/** Monitors that instance one has claimed. */
const setUpClaimed = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const add = async () => {
    const id = await addMonitor(app, bob, { url: "https://shop.example/" });
    await app.db.update(monitorStates).set({ claimedBy: "one" }).where(eq(monitorStates.monitorId, id));
    return id;
  };
  const write = (results: Result[]) => recordResults(app.deps, "one", results);
  return { app, bob, add, write };
};

describe.if(processDialect === "postgres")("recording results on PostgreSQL", () => {
  it("locks the states first, so that a transaction with that lock can write the history", async () => {
    const { app, add, write } = await setUpClaimed();
    const id = await add();
    let writing: Promise<unknown> | undefined;
    await app.db.transact(async (tx) => {
      await tx.rows(sql`update monitor_states set claimed_by = 'one' where monitor_id = ${id}`);
      writing = write([resultOf(id)]);
      await untilWaiting(app.db);
      // If the check were written before the lock, these two would now wait for each other.
      await recordResults({ ...app.deps, db: tx }, "one", [resultOf(id)]);
    });
    await writing;
    expect(await countHistory(app, id)).toEqual({ checks: 1, hours: 1, days: 1 });
  });

  it("leaves no rows of a monitor that is deleted at the same time", async () => {
    const { app, bob, add, write } = await setUpClaimed();
    const [gone, kept] = [await add(), await add()];
    const row = await findMonitor(app.deps, viewerOf(madeBy(bob)), gone);
    let writing: Promise<unknown> | undefined;
    let deleting: Promise<unknown> | undefined;
    await inTransaction(app.db, async (run) => {
      await run(sql`select 1 from monitor_states where monitor_id = ${gone} for update`);
      deleting = deleteMonitor(app.deps, row);
      await untilWaiting(app.db);
      writing = write([resultOf(kept), resultOf(gone)]);
      await untilWaiting(app.db, 2);
    });
    await Promise.all([deleting, writing]);
    expect(await countHistory(app, gone)).toEqual({ checks: 0, hours: 0, days: 0 });
    expect(await countHistory(app, kept)).toEqual({ checks: 1, hours: 1, days: 1 });
  });
});

it("concurrent transactions that record and delete the same monitors in any order succeed, and the sums equal the checks", async () => {
  const { app, bob, add, write } = await setUpClaimed();
  const ids: number[] = [];
  for (let count = 0; count < 12; count++) ids.push(await add());
  for (let round = 0; round < 8; round++) {
    await app.db.update(monitorStates).set({ claimedBy: "one" });
    const order = round % 2 ? ids : ids.toReversed();
    const results = order.map((id) => resultOf(id, { checkedAt: START + round }));
    const gone = await findMonitor(app.deps, viewerOf(madeBy(bob)), ids[round]!);
    await Promise.all([write(results), write(results.toReversed()), deleteMonitor(app.deps, gone), write(results)]);
    expect(await countHistory(app, gone.monitor.id)).toEqual({ checks: 0, hours: 0, days: 0 });
  }
  const kept = await Promise.all(ids.map((id) => countHistory(app, id)));
  expect(kept.map(({ checks }) => checks).filter((count) => count > 0)).toEqual([8, 8, 8, 8]);
});
