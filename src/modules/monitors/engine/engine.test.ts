import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../core/config";
import { monitorStates } from "../../../db/schema";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START, until } from "../../../testing/clock";
import { finishChecks, readState } from "../../../testing/fixtures/engine";
import { addMonitor, countHistory } from "../../../testing/fixtures/monitors";
import { serveHeld, serveStatus, serveTarget } from "../../../testing/servers/targets";

const setUp = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const { alice } = await app.people();
  return { app, alice, client: app.as(alice) };
};

/** Another instance on the same database, with the same time. */
const another = ({ db, clock }: TestApp) => createTestApp({ db, clock });

describe("the engine claims", () => {
  // SQLite has one process.
  it.if(processDialect === "postgres")("each due monitor once, with two instances that tick together", async () => {
    const { app, alice } = await setUp();
    const twin = await another(app);
    const { url, requests } = serveTarget();
    const ids = [];
    for (let count = 0; count < 40; count++) ids.push(await addMonitor(app, alice, { url: `${url}${count}` }));
    await Promise.all([app.engine.tick(), twin.engine.tick(), app.engine.tick(), twin.engine.tick()]);
    await Promise.all([finishChecks(app), finishChecks(twin)]);
    const paths = requests.map(({ path }) => path);
    expect(paths.toSorted()).toEqual(ids.map((_, index) => `/${index}`).toSorted());
    for (const id of ids) expect((await countHistory(app, id)).checks).toBe(1);
    const states = await app.db.select().from(monitorStates);
    expect(states.filter(({ claimedBy }) => claimedBy !== null)).toEqual([]);
  });

  it("no monitor that is paused or not due yet", async () => {
    const { app, alice } = await setUp();
    const { url, requests } = serveTarget();
    await addMonitor(app, alice, { url, active: false });
    await addMonitor(app, alice, { url });
    await finishChecks(app);
    await finishChecks(app);
    expect(requests).toHaveLength(1);
  });

  it("a monitor at once when it is created, resumed, or its config changes", async () => {
    const { app, client } = await setUp();
    const { url, requests, answer } = serveStatus();
    const count = async (expected: number) => {
      await until(() => requests.length >= expected, "the requests");
      await finishChecks(app);
      expect(requests).toHaveLength(expected);
    };
    const sent = { name: "shop", url, interval: 3600, timeout: 2, retries: 0 };
    const { id } = (await client.post("/api/monitors", sent)).body.monitor;
    await count(1);
    await app.clock.advance(60_000);
    await count(1);
    await client.post(`/api/monitors/${id}/pause`);
    await client.post(`/api/monitors/${id}/resume`);
    await count(2);
    const changes = [{ url: `${url}new` }, { method: "HEAD" }, { expected_status: 204 }, { method: "POST", body: "x" }];
    answer.status = 204;
    for (const [index, change] of [...changes, { headers: { a: "b" } }].entries()) {
      await app.clock.advance(60_000);
      expect((await client.put(`/api/monitors/${id}`, { ...sent, ...change })).status).toBe(200);
      await count(3 + index);
    }
    await app.clock.advance(60_000);
    await client.put(`/api/monitors/${id}`, { ...sent, headers: { a: "b" }, name: "renamed" });
    await count(7);
  });
});

describe("checks of one monitor", () => {
  it("never overlap, and an overdue one starts as soon as the previous one has ended", async () => {
    const { app, alice } = await setUp();
    const target = serveHeld();
    const id = await addMonitor(app, alice, { url: target.url, timeout: 30 });
    for (let minute = 0; minute < 3; minute++) {
      await app.engine.tick();
      await app.clock.advance(60_000);
    }
    await until(() => target.requests.length === 1, "the first request");
    await app.engine.tick();
    expect(target.requests).toHaveLength(1);
    target.release();
    await until(async () => (await countHistory(app, id)).checks === 1, "its record");
    await app.engine.tick();
    await until(() => target.requests.length === 2, "the next request");
  });

  it("do not overlap with a manual one, which joins", async () => {
    const { app, alice } = await setUp();
    const target = serveHeld();
    const id = await addMonitor(app, alice, { url: target.url });
    await app.engine.tick();
    await until(() => target.requests.length === 1, "the scheduled request");
    const byHand = app.engine.checkNow(id);
    await app.engine.tick();
    target.release();
    expect(await byHand).toMatchObject({ checkedAt: START, up: true });
    expect(target.requests).toHaveLength(1);
    expect((await countHistory(app, id)).checks).toBe(1);
  });

  it("a manual one starts when the scheduled one has ended and is not written yet", async () => {
    const { app, alice } = await setUp();
    const target = serveStatus();
    const id = await addMonitor(app, alice, { url: target.url });
    await app.engine.checkNow(id);
    await app.clock.advance(60_000);
    await app.engine.tick();
    await until(() => app.engine.unwritten() === 1, "the scheduled check to end");
    target.answer.status = 503;
    await app.clock.advance(10);
    expect(await app.engine.checkNow(id)).toMatchObject({ up: false, statusCode: 503 });
    expect((await countHistory(app, id)).checks).toBe(3);
  });

  it.if(processDialect === "postgres")("a manual one is refused while another instance runs one", async () => {
    const { app, alice } = await setUp();
    const twin = await another(app);
    const target = serveHeld();
    const id = await addMonitor(app, alice, { url: target.url });
    await app.engine.tick();
    const { status, body } = await twin.as(alice).post(`/api/monitors/${id}/check`);
    expect([status, body.code]).toEqual([409, "check_in_progress"]);
    // A release answers only the requests that have arrived.
    await until(() => target.requests.length === 1, "the request of the first instance");
    target.release();
    await finishChecks(app);
    const later = twin.as(alice).post(`/api/monitors/${id}/check`);
    await until(() => target.requests.length === 2, "the other's request");
    target.release();
    expect((await later).body.check.status).toBe("up");
  });

  it("a manual one replaces the scheduled one that is due", async () => {
    const { app, alice } = await setUp();
    const target = serveStatus();
    const id = await addMonitor(app, alice, { url: target.url });
    await app.engine.checkNow(id);
    await finishChecks(app);
    expect(target.requests).toHaveLength(1);
    app.clock.set(START + 60_000);
    await finishChecks(app);
    expect(target.requests).toHaveLength(2);
    // This one is not due, so the next scheduled one is neither skipped nor postponed.
    await app.engine.checkNow(id);
    app.clock.set(START + 120_000);
    await finishChecks(app);
    expect(target.requests).toHaveLength(4);
  });

  it("a manual one postpones the scheduled one, also right after the hub started", async () => {
    const { app, alice, client } = await setUp();
    const target = serveHeld();
    const other = serveStatus();
    const id = await addMonitor(app, alice, { url: target.url });
    const byHand = client.post(`/api/monitors/${id}/check`);
    await until(() => target.requests.length === 1, "the request by hand");
    await addMonitor(app, alice, { url: other.url });
    await app.engine.tick();
    await until(() => other.requests.length === 1, "the scheduled check of another monitor");
    expect(target.requests).toHaveLength(1);
    target.release();
    expect((await byHand).status).toBe(200);
  });
});

describe.if(processDialect === "postgres")("a dead instance", () => {
  it("loses its claims after 20 seconds, and its late result is dropped", async () => {
    const { app, alice } = await setUp();
    const twin = await another(app);
    let answer = 500;
    const held = Promise.withResolvers<void>();
    const target = serveTarget(async () => {
      if (answer === 500) await held.promise;
      return new Response(null, { status: answer });
    });
    const id = await addMonitor(app, alice, { url: target.url, timeout: 30 });
    await app.engine.tick();
    await until(() => target.requests.length === 1, "the first request");
    await app.clock.advance(19_999);
    // It would be due again at once if the claim were void.
    await app.db.update(monitorStates).set({ nextCheckAt: app.clock.now() });
    await twin.engine.tick();
    expect(twin.engine.inFlight()).toBe(0);
    await app.clock.advance(1);
    answer = 200;
    await twin.engine.tick();
    await finishChecks(twin);
    expect(target.requests).toHaveLength(2);
    held.resolve();
    await finishChecks(app);
    expect(await readState(app, id)).toMatchObject({ status: "up", claimedBy: null });
    expect((await countHistory(app, id)).checks).toBe(1);
  });
});

it("many targets that hang do not delay the check of a healthy one", async () => {
  const { app, alice } = await setUp();
  const hung = serveHeld();
  const well = serveTarget();
  for (let count = 0; count < 150; count++) await addMonitor(app, alice, { url: hung.url, timeout: 60 });
  const id = await addMonitor(app, alice, { url: well.url });
  await app.engine.tick();
  await until(() => well.requests.length === 1, "the healthy one's check");
  await until(async () => (await readState(app, id)).status === "up", "its record");
  expect(app.engine.inFlight()).toBeGreaterThanOrEqual(150);
  hung.release();
  await finishChecks(app);
});
