import { describe, expect, it } from "bun:test";
import { madeBy, viewerOf } from "../../../db/owner";
import { monitorStates } from "../../../db/schema";
import { checkError } from "../../../shared/check-error";
import { MINUTE } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { withAtomically } from "../../../testing/db/writes";
import {
  addChannel,
  createAlertApp,
  readDeliveries,
  readEvents,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { addMonitor, inputWith, recordOnly, rollUp, storedChecks } from "../../../testing/fixtures/monitors";
import { addOutage, readOutageRows } from "../../../testing/fixtures/outages";
import { publish, readStatusData } from "../../../testing/fixtures/status-page";
import { updateMonitor } from "../change";
import { type Result, recordResults } from "../engine/record";
import { findMonitor } from "../service";
import { isMostlySlow, withAnswer } from "./slow";

const setUp = async () => {
  const made = await createAlertApp();
  const { app, bob } = made;
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const id = await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
  const find = () => findMonitor(app.deps, viewerOf(madeBy(bob)), id);
  /** One step a minute: s is slow, f is fast, u has no limit, r is refused, P pauses, R resumes and E edits. */
  const play = async (steps: string) => {
    for (const step of steps) {
      await app.clock.advance(MINUTE);
      if ("PRE".includes(step)) {
        const row = await find();
        const { config } = inputWith({ url: `https://shop.example/${app.clock.now()}` });
        const changes = step === "E" ? { config: { ...row.monitor.config, ...config } } : { active: step === "R" };
        await updateMonitor(app.deps, row, { ...row.monitor, ...changes });
        continue;
      }
      const slow = step === "s" ? true : step === "f" ? false : undefined;
      const error = step === "r" ? checkError("refused") : null;
      await recordOnly(app, id, [{ at: app.clock.now(), up: error === null, error, slow }]);
    }
    const minute = (time: number | null) => (time === null ? "" : (time - START) / MINUTE);
    const rows = (await readOutageRows(app, id)).filter(({ kind }) => kind === "slow");
    return rows.map(({ startedAt, endedAt }) => `${minute(startedAt)}-${minute(endedAt)}`);
  };
  const status = async () => (await app.as(bob).get(`/api/monitors/${id}`)).body.monitor.status;
  return { ...made, id, play, status };
};

describe("a monitor with a limit for its response time", () => {
  const cases: [string, string, string, string[]][] = [
    ["is up while at most two of five answers are slow", "ssfffssfff", "up", []],
    ["is degraded from the third of five slow answers on", "sffss", "degraded", ["5-"]],
    ["is degraded by its first three answers", "sss", "degraded", ["3-"]],
    ["stays degraded until three of five answers are fast", "sssff", "degraded", ["3-"]],
    ["is up again by the third fast answer", "sssfff", "up", ["3-6"]],
    ["keeps its state over failed checks and checks without a limit", "ssrus", "degraded", ["5-"]],
    ["is down while its checks fail, and degraded again after them", "sssr", "down", ["3-"]],
    ["is degraded when it recovers, until its answers are fast", "sssru", "degraded", ["3-"]],
    ["is paused without an open outage", "sssP", "paused", ["3-4"]],
    ["counts from the start after it was resumed", "sssPRss", "up", ["3-4"]],
    ["counts from the start with another config", "sssEss", "up", ["3-4"]],
    ["becomes degraded again", "sssfffsss", "degraded", ["3-6", "9-"]],
    ["ignores manual checks while it is paused", "ssPsssR", "up", []],
  ];
  it.each(cases)("%s", async (_, steps, status, rows) => {
    const made = await setUp();
    expect(await made.play(steps)).toEqual(rows);
    expect(await made.status()).toBe(status as never);
  });
});

it("a degraded monitor is counted, filtered, sorted and explained in every answer", async () => {
  const { app, bob, id, play } = await setUp();
  const client = app.as(bob);
  await addOutage(app, bob, { targetId: id, kind: "certificate", errorCode: "certificate_expiring" });
  const other = await addMonitor(app, bob, { url: "https://blog.example/", name: "blog" });
  await recordOnly(app, other, [{ at: START }]);
  await play("fsss");
  const since = new Date(START + 4 * MINUTE).toISOString();
  const why = { error_code: "slow_response", error_detail: { limit: 800, slow: 3, checks: 5 } };
  const { counts, monitors } = (await client.get("/api/monitors?sort=status&status=up")).body;
  expect(counts).toEqual({ all: 2, up: 2, degraded: 1, down: 0, pending: 0, paused: 0, unknown: 0 });
  expect(monitors.map(({ name, status }) => `${name} ${status}`)).toEqual(["shop degraded", "blog up"]);
  const listed = (await client.get("/api/monitors?status=degraded&fields=compact&history=3")).body.monitors;
  const compact = [1, 2, 3].map((minute) => [START + (minute + 1) * MINUTE, 2, 10]);
  expect(listed).toMatchObject([{ id, status: "degraded", since, ...why, history: compact }] as never);
  const { monitor } = (await client.get(`/api/monitors/${id}?history=4`)).body;
  expect(monitor).toMatchObject({ status: "degraded", since, ...why });
  expect(monitor.history.map(({ status, slow }) => `${status} ${slow}`)).toEqual([
    "up undefined",
    ...Array(3).fill("up true"),
  ]);
  expect(monitor.checks.map(({ status, slow }) => `${status} ${slow}`)).toEqual([
    ...Array(3).fill("up true"),
    "up false",
  ]);
  await app.clock.advance(30 * MINUTE);
  expect((await client.get(`/api/monitors/${id}`)).body.monitor.availability["24h"]).toMatchObject({
    uptime: 100,
    down_seconds: 0,
    outages: 0,
  });
  const dashboard = (await client.get("/api/dashboard")).body;
  expect(dashboard.monitors).toMatchObject({ up: 2, degraded: 1, total: 2 });
  expect(dashboard.problems).toMatchObject([
    { target_id: id, kind: "slow", since, ...why, figure: null },
    { target_id: id, kind: "certificate" },
  ] as never);
  expect(dashboard.events).toMatchObject([{ target_id: id, kind: "slow", state: "begun", ...why }] as never);
  const { text } = await client.get("/metrics");
  expect(text).toInclude('wakeful_monitors{status="up"} 2');
  expect(text).toInclude("wakeful_monitors_degraded 1");
  expect(text).toMatch(new RegExp(`wakeful_monitor_degraded\\{id="${id}"[^}]*\\} 1`));
  await publish(app, bob, { monitors: [id, other] });
  const page = await readStatusData(app, bob.username);
  expect([page.overall, ...page.monitors.map(({ status }) => status)]).toEqual(["degraded", "degraded", "up"]);
  expect((await client.get(`/badge/${id}.svg`)).text).toInclude("shop: degraded");
});

it("a degraded monitor that goes down is one problem, and its slow outage tells how it ended", async () => {
  const { app, bob, play } = await setUp();
  const client = app.as(bob);
  const kinds = async () => (await client.get("/api/dashboard")).body.problems.map(({ kind }) => kind);
  const ends = async () => {
    const { outages } = (await client.get("/api/outages")).body;
    const details = await Promise.all(outages.map(({ id }) => client.get(`/api/outages/${id}`)));
    return details.flatMap(({ body }) => body.timeline.flatMap((one) => (one.kind === "ended" ? one.how : [])));
  };
  await play("sssr");
  expect(await kinds()).toEqual(["down"]);
  await play("f");
  expect(await kinds()).toEqual(["slow"]);
  await play("E");
  expect([await kinds(), await ends()]).toEqual([[], ["recovered", "changed"]]);
  await play("sssP");
  expect((await ends())[0]).toBe("paused");
});

it("slow checks are kept in packs and blocks", async () => {
  const { app, id, play } = await setUp();
  await play("sfrs");
  const kept = async () => (await storedChecks(app, id)).map(({ up, slow = false }) => `${up} ${slow}`);
  const checks = ["true true", "true false", "false false", "true true"];
  expect(await kept()).toEqual(checks);
  await rollUp(app, "now");
  expect(await kept()).toEqual(checks);
});

it("messages tell that a monitor is slow and that it is not any more, unless its rule leaves slow answers out", async () => {
  const { app, bob, id, play, delivery, telegram } = await setUp();
  const channel = await addChannel(app, bob);
  await saveRule(app, bob, { target_type: "global-monitor", channels: [channel] });
  await play("sss");
  await runDeliveries(app, delivery);
  await play("fff");
  await runDeliveries(app, delivery);
  expect(telegram.texts().map((text) => text.split("\n")[0])).toEqual(
    ["🟢 shop responds normally again", "🟠 shop responds slowly"].reverse(),
  );
  expect(telegram.texts()[0]).toInclude("Reason: the response took longer than 800 ms in 3 of 5 checks");
  expect(telegram.texts()[1]).toInclude("It lasted 3 minutes");
  await saveRule(app, bob, {
    target_type: "monitor",
    target_id: id,
    override_global: true,
    on_slow: false,
    channels: [channel],
  });
  await play("sssfff");
  await runDeliveries(app, delivery);
  expect([(await readEvents(app)).length, (await readDeliveries(app)).length]).toEqual([4, 2]);
});

it("results of monitors without a limit, and answers that change no state, are written without statements of their own", async () => {
  const { app, id } = await setUp();
  const result = { monitorId: id, revision: 0, checkedAt: START, up: true, responseTime: 10, statusCode: 200 };
  const statements = async (more: Partial<Result>): Promise<number> => {
    let count = 0;
    await app.db
      .transact(async (tx) => {
        const counting = withAtomically(tx, async (build) => {
          const results = await tx.atomically(build);
          count += results.length;
          return results;
        });
        const whole = { ...result, error: null, certExpiresAt: null, previous: "up" as const, ...more };
        await recordResults({ ...app.deps, db: counting }, null, [whole]);
        throw new Error("undone");
      })
      .catch(() => {});
    return count;
  };
  expect(await statements({})).toBe(1);
  expect(await statements({ up: false })).toBe(3);
  expect(await statements({ slow: true, slowBits: 0 })).toBe(2);
  await app.db.update(monitorStates).set({ status: "up", slowBits: 3 });
  expect(await statements({ slow: true, slowBits: 3 })).toBe(4);
  expect(await statements({ slow: false, slowBits: 3 })).toBe(2);
});

it("the last five answers count, whatever was before them", () => {
  const isDegradedBy = (answers: boolean[]) => isMostlySlow(answers.reduce(withAnswer, 0));
  expect(isDegradedBy([true, true, false, true])).toBe(true);
  expect(isDegradedBy([true, true, false, false, true])).toBe(true);
  expect(isDegradedBy([true, true, false, false, false, true])).toBe(false);
  expect(isDegradedBy([...Array<boolean>(50).fill(true), false, false, false])).toBe(false);
});
