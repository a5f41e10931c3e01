import { describe, expect, it } from "bun:test";
import { createServer } from "node:net";
import { instances } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { createHeldClock, START, until } from "../../../testing/clock";
import { failOnce, failWrites } from "../../../testing/db/writes";
import { finishChecks, readState } from "../../../testing/fixtures/engine";
import { addMonitor, countHistory } from "../../../testing/fixtures/monitors";
import { closedPort } from "../../../testing/servers/raw";
import { serveHeld, serveStatus } from "../../../testing/servers/targets";

const setUp = async (options: Parameters<typeof createTestApp>[0] = {}) => {
  const app = await createTestApp(options);
  const { alice } = await app.people();
  return { app, alice, client: app.as(alice) };
};

describe("a database that is unavailable for some time", () => {
  it("loses no result: each is recorded later, exactly once, with its own time", async () => {
    const { app, alice } = await setUp();
    const { url, requests } = serveStatus(500);
    const ids = [await addMonitor(app, alice, { url }), await addMonitor(app, alice, { url })];
    await app.engine.tick();
    const mend = failWrites(app.db, "the disk is full");
    await until(() => requests.length === 2, "the requests");
    await until(async () => {
      await app.clock.advance(1000);
      await app.engine.tick();
      return app.engine.unwritten() === 2 && app.logged.join("").includes("the disk is full");
    }, "failed writes");
    expect(app.engine.inFlight()).toBe(2);
    mend();
    await finishChecks(app);
    for (const id of ids) {
      expect(await readState(app, id)).toMatchObject({ status: "down", lastCheckedAt: START, claimedBy: null });
      expect(await countHistory(app, id)).toEqual({ checks: 1, hours: 1, days: 1 });
    }
    expect(requests).toHaveLength(2);
  });

  it("records a result once whose write succeeded although it seemed to fail", async () => {
    const { app, alice } = await setUp();
    const { url } = serveStatus();
    const id = await addMonitor(app, alice, { url });
    await app.engine.tick();
    failOnce(app.db, "the connection was lost", "after");
    await finishChecks(app);
    expect((await countHistory(app, id)).checks).toBe(1);
    expect((await app.as(alice).get(`/api/monitors/${id}`)).body.monitor.history).toHaveLength(1);
  });

  it("keeps the claims when the monitors can't be read", async () => {
    const { app, alice } = await setUp();
    const { url, requests } = serveStatus();
    const id = await addMonitor(app, alice, { url });
    const { select } = app.db;
    app.db.select = () => {
      throw new Error("the connection was lost");
    };
    await app.engine.tick();
    app.db.select = select;
    expect(requests).toHaveLength(0);
    await finishChecks(app);
    expect(requests).toHaveLength(1);
    expect(await readState(app, id)).toMatchObject({ status: "up", claimedBy: null });
  });

  it("releases the claim of a manual check that could not start", async () => {
    const { app, alice, client } = await setUp();
    const { url } = serveStatus();
    const id = await addMonitor(app, alice, { url, active: false });
    const { select } = app.db;
    // The caller's reads come first.
    let reads = 0;
    app.db.select = ((...fields: Parameters<typeof select>) => {
      if (++reads === 3) throw new Error("the connection was lost");
      return select.apply(app.db, fields);
    }) as typeof select;
    expect((await client.post(`/api/monitors/${id}/check`)).status).toBe(500);
    app.db.select = select;
    await until(async () => (await readState(app, id)).claimedBy === null, "the claim to be given back");
    expect((await client.post(`/api/monitors/${id}/check`)).status).toBe(200);
  });
});

describe("a hub without connectivity", () => {
  const lost = async () => ({ CONNECTIVITY_TARGET: `127.0.0.1:${await closedPort()}` });

  it("claims and records nothing, and logs it", async () => {
    const { app, alice, client } = await setUp({ env: await lost() });
    const { url, requests } = serveStatus();
    const id = await addMonitor(app, alice, { url });
    await app.engine.tick();
    expect([app.engine.inFlight(), requests.length]).toEqual([0, 0]);
    expect((await readState(app, id)).lastCheckedAt).toBeNull();
    expect((await client.get("/api/dashboard")).text).toInclude('"connectivity":"lost"');
    expect(app.logged.join("")).toInclude("connectivity is lost");
  });

  it("drops the failure of a check in flight, and checks again later", async () => {
    const world = createServer();
    await new Promise<void>((resolve) => world.listen(0, "127.0.0.1", resolve));
    const port = (world.address() as { port: number }).port;
    const { app, alice } = await setUp({ env: { CONNECTIVITY_TARGET: `127.0.0.1:${port}` } });
    const target = serveHeld(500);
    const id = await addMonitor(app, alice, { url: target.url });
    await app.engine.tick();
    await until(() => target.requests.length === 1, "the request");
    await new Promise((resolve) => world.close(resolve));
    await app.clock.advance(2000);
    target.release();
    await until(() => app.engine.inFlight() === 0, "the check to be dropped");
    await until(async () => (await readState(app, id)).claimedBy === null, "the claim to be given back");
    expect(await countHistory(app, id)).toEqual({ checks: 0, hours: 0, days: 0 });
    expect((await readState(app, id)).status).toBe("pending");
  });

  it("answers a manual check that joined a check in flight", async () => {
    const world = createServer();
    await new Promise<void>((resolve) => world.listen(0, "127.0.0.1", resolve));
    const port = (world.address() as { port: number }).port;
    const { app, alice } = await setUp({ env: { CONNECTIVITY_TARGET: `127.0.0.1:${port}` } });
    const target = serveHeld(500);
    const id = await addMonitor(app, alice, { url: target.url });
    await app.engine.tick();
    await until(() => target.requests.length === 1, "the request");
    const joined = app.engine.checkNow(id);
    // The mutex serves this after the caller, which has joined by then.
    await app.engine.tick();
    await new Promise((resolve) => world.close(resolve));
    await app.clock.advance(2000);
    target.release();
    expect((await joined).up).toBe(false);
  });
});

describe("stop", () => {
  it("records finished checks, releases the other claims, and deletes the heartbeat", async () => {
    const { app, alice } = await setUp({ clock: createHeldClock() });
    const quick = serveStatus();
    const slow = serveHeld();
    const done = await addMonitor(app, alice, { url: quick.url });
    const left = await addMonitor(app, alice, { url: slow.url, timeout: 60 });
    await app.engine.tick();
    await until(() => quick.requests.length + slow.requests.length === 2, "the requests");
    await until(() => app.engine.unwritten() === 1, "the quick check to end");
    const stopped = app.engine.stop();
    for (let step = 0; step < 60; step++) await app.clock.advance(100);
    await stopped;
    expect(await readState(app, done)).toMatchObject({ status: "up", claimedBy: null });
    // It is due again at once, for the next instance.
    expect(await readState(app, left)).toMatchObject({ status: "pending", claimedBy: null, nextCheckAt: START });
    expect(await app.db.$count(instances)).toBe(0);
    await app.engine.tick();
    expect(slow.requests).toHaveLength(1);
  });

  it("waits for a check that ends within the grace period, and records it", async () => {
    const { app, alice } = await setUp({ clock: createHeldClock() });
    const target = serveHeld();
    const id = await addMonitor(app, alice, { url: target.url, timeout: 60 });
    await app.engine.tick();
    await until(() => target.requests.length === 1, "the request");
    const stopped = app.engine.stop();
    await app.clock.advance(2000);
    target.release();
    // No more time passes: stop does not wait for the rest of the grace period.
    await stopped;
    expect(await readState(app, id)).toMatchObject({ status: "up", lastCheckedAt: START, claimedBy: null });
  });

  it("does not wait for checks that have not started", async () => {
    const { app, alice } = await setUp({ clock: createHeldClock() });
    const { url, requests } = serveStatus();
    const id = await addMonitor(app, alice, { url });
    app.clock.set(START - 900);
    await app.engine.tick();
    expect(app.engine.inFlight()).toBe(1);
    let stopped = false;
    void app.engine.stop().then(() => {
      stopped = true;
    });
    for (let step = 0; step < 11; step++) await app.clock.advance(100);
    await until(() => stopped, "the engine to stop");
    expect(requests).toHaveLength(0);
    expect(await readState(app, id)).toMatchObject({ claimedBy: null, nextCheckAt: START });
  });
});
