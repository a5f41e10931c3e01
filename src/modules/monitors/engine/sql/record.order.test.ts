import { describe, expect, it } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { processDialect } from "../../../../core/config";
import { checkHours, checks, monitorStates } from "../../../../db/schema";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { addMonitor, countHistory } from "../../../../testing/fixtures/monitors";
import { inTransaction, untilWaiting } from "../../../../testing/fixtures/session";
import { deleteMonitor, findMonitor } from "../../service";
import { type Result, recordResults } from "./record";

const resultOf = (monitorId: number, checkedAt: number): Result => ({
  monitorId,
  revision: 0,
  checkedAt,
  up: true,
  responseTime: 10,
  statusCode: 200,
  error: null,
  certExpiresAt: null,
});

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const add = async () => {
    const id = await addMonitor(app, bob, { url: "https://shop.example/" });
    await app.db.update(monitorStates).set({ claimedBy: "one" }).where(eq(monitorStates.monitorId, id));
    return id;
  };
  const write = (results: Result[]) => app.db.atomically(() => recordResults("one", results));
  return { app, bob, add, write };
};

describe.if(processDialect === "postgres")("recording results on PostgreSQL", () => {
  it("locks the states first, so that a transaction with that lock can write the history", async () => {
    const { app, add, write } = await setUp();
    const id = await add();
    let writing: Promise<unknown> | undefined;
    await inTransaction(app.db, async (run) => {
      await run(sql`update monitor_states set claimed_by = 'one' where monitor_id = ${id}`);
      writing = write([resultOf(id, START)]);
      await untilWaiting(app.db);
      // If the check were written before the lock, these two would now wait for each other.
      for (const statement of recordResults("one", [resultOf(id, START)])) await run(statement);
    });
    await writing;
    expect(await countHistory(app, id)).toEqual({ checks: 1, hours: 1, days: 1 });
    expect((await app.db.select().from(checkHours))[0]?.up).toBe(1);
  });

  it("leaves no rows of a monitor that is deleted at the same time", async () => {
    const { app, bob, add, write } = await setUp();
    const [gone, kept] = [await add(), await add()];
    const row = await findMonitor(app.deps, { id: bob.id, role: "user" }, gone);
    let writing: Promise<unknown> | undefined;
    let deleting: Promise<unknown> | undefined;
    await inTransaction(app.db, async (run) => {
      await run(sql`select 1 from monitor_states where monitor_id = ${gone} for update`);
      deleting = deleteMonitor(app.deps, row);
      await untilWaiting(app.db);
      writing = write([resultOf(kept, START), resultOf(gone, START)]);
      await untilWaiting(app.db, 2);
    });
    await Promise.all([deleting, writing]);
    expect(await countHistory(app, gone)).toEqual({ checks: 0, hours: 0, days: 0 });
    expect(await countHistory(app, kept)).toEqual({ checks: 1, hours: 1, days: 1 });
  });
});

it("concurrent transactions that record and delete the same monitors in any order succeed, and the sums equal the checks", async () => {
  const { app, bob, add, write } = await setUp();
  const ids: number[] = [];
  for (let count = 0; count < 12; count++) ids.push(await add());
  for (let round = 0; round < 8; round++) {
    await app.db.update(monitorStates).set({ claimedBy: "one" });
    const order = round % 2 ? ids : ids.toReversed();
    const results = order.map((id) => resultOf(id, START + round));
    const gone = await findMonitor(app.deps, { id: bob.id, role: "user" }, ids[round]!);
    await Promise.all([write(results), write(results.toReversed()), deleteMonitor(app.deps, gone), write(results)]);
    expect(await countHistory(app, gone.monitor.id)).toEqual({ checks: 0, hours: 0, days: 0 });
  }
  const summed = await app.db.select().from(checkHours);
  expect(summed.map(({ up }) => up)).toEqual([8, 8, 8, 8]);
  expect(await app.db.$count(checks)).toBe(32);
});
