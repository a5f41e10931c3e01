import { describe, expect, it } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { events, monitorStates } from "../../db/schema";
import { checkError } from "../../shared/check-error";
import { DAY, MINUTE, SECOND } from "../../shared/limits";
import type { EventKind } from "../../shared/notifications";
import { createTestApp, type TestApp } from "../../testing/app";
import { addWatchedMonitor, createAlertApp, readEvents, recordDown, recover } from "../../testing/fixtures/alerts";
import { finishChecks, readState } from "../../testing/fixtures/engine";
import { addMonitor, countHistory, record } from "../../testing/fixtures/monitors";
import { serveStatus } from "../../testing/servers/targets";
import { recordResults } from "../monitors/engine/record";
import { deleteExpiredEvents } from "./history/events";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  const play = async (outcomes: string) => {
    for (const outcome of outcomes) {
      await app.clock.advance(MINUTE);
      await (outcome === "u" ? recover(app, id) : recordDown(app, id));
    }
    return (await readEvents(app)).map(({ kind }) => kind);
  };
  return { app, alice, bob, id, play };
};

describe("the events of a monitor", () => {
  const cases: [string, string, EventKind[]][] = [
    ["its first checks succeed", "uuu", []],
    ["it goes down at its first check", "d", ["down"]],
    ["it goes down after it was up", "ud", ["down"]],
    ["it stays down", "uddd", ["down"]],
    ["it recovers", "uddu", ["down", "recovery"]],
    ["it recovers after it was down from the start", "du", ["down", "recovery"]],
    ["it flaps", "ududu", ["down", "recovery", "down", "recovery"]],
  ];
  it.each(cases)("are written for changes of state: %s", async (_, outcomes, kinds) => {
    const { play } = await setUp();
    expect(await play(outcomes)).toEqual(kinds);
  });

  it("hold everything that a message needs", async () => {
    const { app, bob, id, play } = await setUp();
    await play("uddu");
    const start = app.clock.now() - 2 * MINUTE;
    const common = {
      userId: bob.id,
      targetType: "monitor",
      targetId: id,
      targetName: "shop",
      plannedAt: null,
    } as const;
    expect(await readEvents(app)).toMatchObject([
      {
        ...common,
        kind: "down" as const,
        at: start,
        since: start,
        errorCode: "status",
        errorDetail: { actual: 503, expected: "200" },
      },
      { ...common, kind: "recovery" as const, at: start + 2 * MINUTE, since: start },
    ]);
  });
});

it("a result of the same instant as the stored one changes nothing, and has no event", async () => {
  const { app, id } = await setUp();
  await recover(app, id);
  await recordDown(app, id);
  expect([(await readState(app, id)).status, await readEvents(app)]).toEqual(["up", []]);
});

/** Waits for work that sleeps: the clock goes on until it is done. */
const whileTimePasses = async <T>({ clock }: Pick<TestApp, "clock">, work: Promise<T>): Promise<T> => {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await Bun.sleep(2);
    await clock.advance(20);
  }
  return done;
};

describe("a paused monitor", () => {
  it("has no events, whatever a manual check finds", async () => {
    const { app, alice } = await createAlertApp();
    const target = serveStatus(500);
    const id = await addMonitor(app, alice, { url: target.url, active: false });
    const client = app.as(alice);
    for (const status of [500, 200, 500]) {
      target.answer.status = status;
      await app.clock.advance(SECOND);
      const checked = await whileTimePasses(app, client.post(`/api/monitors/${id}/check`));
      expect(checked.body.check.status).toBe(status === 200 ? "up" : "down");
    }
    expect(await readEvents(app)).toEqual([]);
  });

  it("has an event after it is resumed, regardless of manual checks during the pause", async () => {
    const { app, bob, id, play } = await setUp();
    const [client, pause] = [app.as(bob), async (how: "pause" | "resume") => client.post(`/api/monitors/${id}/${how}`)];
    await play("u");
    await pause("pause");
    expect(await play("d")).toEqual([]);
    await pause("resume");
    expect(await play("dd")).toEqual(["down"]);
    await pause("pause");
    await play("ud");
    await pause("resume");
    expect(await play("du")).toEqual(["down", "recovery"]);
    const [down, recovery] = await readEvents(app);
    expect(recovery?.since).toBe(down?.at as number);
  });
});

describe("an event and its state", () => {
  it("are written together or not at all", async () => {
    const { app, id, play } = await setUp();
    await play("u");
    const before = await readState(app, id);
    await app.db.update(monitorStates).set({ claimedBy: "one" }).where(eq(monitorStates.monitorId, id));
    const result = {
      monitorId: id,
      revision: 0,
      checkedAt: app.clock.now() + 1,
      up: false,
      responseTime: 1,
      statusCode: 500,
    };
    const write = (db = app.db) =>
      recordResults({ ...app.deps, db }, "one", [
        { ...result, error: checkError("status", { actual: 500, expected: 200 }), certExpiresAt: null },
      ]);
    const writing = app.db.transact(async (tx) => {
      await write(tx);
      await tx.rows(sql`insert into no_such_table values (1)`);
    });
    await expect(writing).rejects.toThrow();
    expect(await readEvents(app)).toEqual([]);
    expect(await readState(app, id)).toMatchObject({ status: before.status, lastCheckedAt: before.lastCheckedAt });
    expect((await countHistory(app, id)).checks).toBe(1);
    await write();
    expect((await readEvents(app)).map(({ kind }) => kind)).toEqual(["down"]);
    expect((await readState(app, id)).status).toBe("down");
  });

  it("are written once when two instances write the same result", async () => {
    const { app, id } = await setUp();
    await app.db.update(monitorStates).set({ claimedBy: "one" }).where(eq(monitorStates.monitorId, id));
    const result = { monitorId: id, revision: 0, checkedAt: 5, up: false, responseTime: 1, statusCode: 500 };
    const write = (instance: string) =>
      recordResults(app.deps, instance, [
        { ...result, error: checkError("status", { actual: 500, expected: 200 }), certExpiresAt: null },
      ]);
    await Promise.all([write("one"), write("two"), write("one")]);
    expect(await readEvents(app)).toHaveLength(1);
  });
});

it("the running engine starts a delivery as soon as a change is written", async () => {
  const { app, alice } = await createAlertApp();
  const target = serveStatus(500);
  const id = await addMonitor(app, alice, { url: target.url });
  await whileTimePasses(app, finishChecks(app));
  expect((await readEvents(app)).map(({ kind, targetId }) => [kind, targetId])).toEqual([["down", id]]);
});

it("events are deleted with their monitor, and after the retention of a year", async () => {
  const { app, bob, telegram } = await createAlertApp();
  const [kept, gone] = [await addWatchedMonitor(app, bob, []), await addWatchedMonitor(app, bob, [])];
  for (const id of [kept, gone]) await recordDown(app, id);
  expect((await app.as(bob).delete(`/api/monitors/${gone}`)).status).toBe(200);
  expect((await readEvents(app)).map(({ targetId }) => targetId)).toEqual([kept]);
  await app.clock.advance(365 * DAY);
  await deleteExpiredEvents(app.deps);
  expect(await app.db.$count(events)).toBe(1);
  await app.clock.advance(1);
  await deleteExpiredEvents(app.deps);
  expect(await app.db.$count(events)).toBe(0);
  expect(telegram.messages).toEqual([]);
  await record(app, kept, [{ at: app.clock.now() }]);
});
