import { describe, expect, it } from "bun:test";
import { events, monitorStates } from "../../../db/schema";
import { LocalFailure } from "../../../probe/local-failure";
import { createTestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import { finishChecks, readState } from "../../../testing/fixtures/engine";
import { addMonitor, countHistory } from "../../../testing/fixtures/monitors";
import { testOutbound } from "../../../testing/servers/target-of";
import { serveHeld, serveStatus } from "../../../testing/servers/targets";

/** Lets users check the targets of these tests, which are on loopback. */
const ALL = { PRIVATE_TARGETS: "all" };

/** Fails like a system without free descriptors until `recover` is called. */
const createShortage = (condition: "descriptors" | "resolver") => {
  const state = { short: true };
  const outbound: typeof testOutbound = {
    ...testOutbound,
    connect: (connection) =>
      state.short ? Promise.reject(new LocalFailure(condition)) : testOutbound.connect(connection),
    conditions: () => (state.short ? [{ code: condition, since: 0 }] : []),
  };
  return { state, outbound };
};

const setUp = async (condition: "descriptors" | "resolver" = "descriptors") => {
  const { state, outbound } = createShortage(condition);
  const app = await createTestApp({ outbound });
  return { app, state, ...(await app.people()) };
};

describe("a local condition of the hub", () => {
  it("is not recorded as a result and sends no alert, and the monitor is checked again later", async () => {
    const { app, state, alice } = await setUp();
    const { url, requests } = serveStatus();
    const id = await addMonitor(app, alice, { url, retries: 3 });
    await finishChecks(app);
    await until(async () => (await readState(app, id)).claimedBy === null, "the claim to be given back");
    expect(await countHistory(app, id)).toEqual({ checks: 0, hours: 0, days: 0 });
    expect(await readState(app, id)).toMatchObject({ status: "pending", lastCheckedAt: null });
    expect(await app.db.$count(events)).toBe(0);
    state.short = false;
    await app.clock.advance(60_000);
    await finishChecks(app);
    expect([(await readState(app, id)).status, requests.length]).toEqual(["up", 1]);
  });

  it("answers a manual check with 503, which may be repeated at once", async () => {
    const { app, state, bob } = await setUp("resolver");
    const id = await addMonitor(app, bob, { url: "https://shop.example/", active: false });
    const check = () => app.as(bob).post(`/api/monitors/${id}/check`);
    const { status, body } = await check();
    expect([status, body.code]).toEqual([503, "hub_unavailable"]);
    expect(body.message).toInclude("the name servers of this machine do not answer");
    state.short = false;
    expect((await check()).body.code).not.toBe("rate_limited");
  });

  it("is shown on the dashboard and in the metrics", async () => {
    const { app, alice } = await setUp("resolver");
    const { conditions } = JSON.parse((await app.as(alice).get("/api/dashboard")).text);
    expect(conditions).toEqual([{ code: "resolver", since: "1970-01-01T00:00:00.000Z" }]);
    const metrics = (await app.as(alice).get("/metrics")).text;
    expect(metrics).toInclude('wakeful_condition{condition="resolver"} 1');
    expect(metrics).toInclude('wakeful_condition{condition="descriptors"} 0');
  });
});

describe("manual checks", () => {
  it("of one monitor are limited to one in 10 seconds for a user, and one per second for an administrator", async () => {
    const app = await createTestApp({ env: ALL });
    const { alice, bob } = await app.people();
    const { url } = serveStatus();
    const id = await addMonitor(app, bob, { url });
    const check = (user: typeof bob) => app.as(user).post(`/api/monitors/${id}/check`);
    expect((await check(bob)).status).toBe(200);
    await app.clock.advance(900);
    const refused = await check(alice);
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([429, "rate_limited", "1"]);
    await app.clock.advance(9099);
    expect((await check(bob)).status).toBe(429);
    await app.clock.advance(1);
    expect((await check(bob)).status).toBe(200);
    await app.clock.advance(1000);
    expect((await check(alice)).status).toBe(200);
  });

  it("may join a check in flight at any time", async () => {
    const app = await createTestApp({ env: ALL });
    const { bob } = await app.people();
    const target = serveHeld();
    const id = await addMonitor(app, bob, { url: target.url });
    const first = app.as(bob).post(`/api/monitors/${id}/check`);
    await until(() => target.requests.length === 1, "the request");
    const joined = [1, 2].map(() => app.engine.checkNow(id, 10_000));
    // Runs after the two have joined, because writes and claims are serialized in the order of the calls.
    await app.engine.tick();
    target.release();
    expect((await first).status).toBe(200);
    expect((await Promise.all(joined)).map(({ up }) => up)).toEqual([true, true]);
    expect(target.requests).toHaveLength(1);
  });
});

describe("a user's quotas of checks", () => {
  it("apply to running checks, while other users' checks start", async () => {
    const app = await createTestApp({ env: { ...ALL, QUOTA_CHECKS_IN_FLIGHT: "3", QUOTA_CHECKS_PER_HOST: "100" } });
    const { bob, charlie } = await app.people();
    const hung = serveHeld();
    const well = serveStatus();
    for (let count = 0; count < 10; count++) await addMonitor(app, bob, { url: hung.url, timeout: 60 });
    const id = await addMonitor(app, charlie, { url: well.url });
    await app.engine.tick();
    await until(async () => (await readState(app, id)).status === "up", "the other user's result");
    expect([hung.requests.length, app.engine.running(), app.engine.inFlight()]).toEqual([3, 3, 10]);
    await until(async () => {
      hung.release();
      await app.engine.tick();
      return app.engine.inFlight() === 0;
    }, "all checks");
    expect(hung.requests).toHaveLength(10);
  });

  it("spread the requests to one host over seconds, and drop none", async () => {
    const app = await createTestApp({ env: { ...ALL, QUOTA_CHECKS_PER_HOST: "5" } });
    const { bob } = await app.people();
    const { url, requests } = serveStatus();
    for (let count = 0; count < 12; count++) await addMonitor(app, bob, { url: `${url}${count}` });
    await app.db.update(monitorStates).set({ nextCheckAt: app.clock.now() });
    await app.engine.tick();
    const counts: number[] = [];
    for (const expected of [5, 10, 12]) {
      await until(() => requests.length >= expected && app.engine.running() === 0, "this second's checks");
      counts.push(requests.length);
      await app.clock.advance(1000);
    }
    expect(counts).toEqual([5, 10, 12]);
    expect(new Set(requests.map(({ path }) => path)).size).toBe(12);
  });

  it("apply to checks with large headers and bodies, which are read when a check starts", async () => {
    const app = await createTestApp({ env: ALL });
    const { bob } = await app.people();
    const { url, requests } = serveStatus();
    const fat = { method: "POST" as const, headers: { "x-large": "a".repeat(8000) }, body: "é".repeat(30_000) };
    const small = { method: "POST" as const, headers: { "x-small": "b" }, body: "c" };
    await addMonitor(app, bob, { url, ...fat });
    await addMonitor(app, bob, { url, ...small });
    await finishChecks(app);
    const sent = requests.toSorted((a, b) => b.body.length - a.body.length);
    expect(sent.map(({ body }) => body)).toEqual([fat.body, small.body]);
    expect([sent[0]?.headers["x-large"], sent[1]?.headers["x-small"]]).toEqual(["a".repeat(8000), "b"]);
  });
});

it("the engine logs when a monitor goes down and recovers, with ids and the error code, and never its URL", async () => {
  const app = await createTestApp({ env: ALL });
  const { bob } = await app.people();
  const target = serveStatus(503);
  const id = await addMonitor(app, bob, { url: target.url.replace("//", "//bob:hunter2@") });
  await finishChecks(app);
  target.answer.status = 200;
  await app.clock.advance(60_000);
  await finishChecks(app);
  const lines = app.logged.map((line) => JSON.parse(line));
  const changes = lines.filter(({ message }) => message.startsWith("a monitor"));
  expect(
    changes.map(({ level, message, monitor, user, reason, status }) => [level, message, monitor, user, reason, status]),
  ).toEqual([
    ["info", "a monitor went down", id, bob.id, "status", 503],
    ["info", "a monitor recovered", id, bob.id, undefined, undefined],
  ]);
  expect(lines.filter(({ level, message }) => level === "debug" && message === "a check finished")).toHaveLength(2);
  // The security log names the callers' addresses.
  const others = app.logged.filter((line) => !line.includes('"message":"security event"'));
  expect(others.join("")).not.toMatch(new RegExp(`hunter2|127\\.0\\.0\\.1|:${target.port}`));
});
