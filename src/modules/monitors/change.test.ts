import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import { START, until } from "../../testing/clock";
import { addMonitor, countHistory } from "../../testing/fixtures/monitors";
import { serveHeld, serveStatus } from "../../testing/servers/targets";

const setUp = async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const client = app.as(alice);
  const read = async (id: number) => (await client.get(`/api/monitors/${id}`)).body.monitor;
  return {
    app,
    alice,
    client,
    read,
    add: (fields: Parameters<typeof addMonitor>[2]) => addMonitor(app, alice, fields),
  };
};

const FULL = {
  name: "shop",
  url: "http://127.0.0.1:1/a",
  method: "POST" as const,
  interval: 300,
  timeout: 7,
  expectedStatus: 204,
  headers: { "X-Token": "abc" },
  body: "ping",
  retries: 3,
  active: false,
};

describe("an update", () => {
  it("keeps the fields that are left out", async () => {
    const { app, client, add } = await setUp();
    const id = await add(FULL);
    await app.clock.advance(5000);
    const sent = { name: "store", url: FULL.url, interval: 600 };
    const { status, body } = await client.put(`/api/monitors/${id}`, sent);
    expect(status).toBe(200);
    expect(body.monitor).toMatchObject({
      id,
      name: "store",
      method: "POST",
      interval: 600,
      timeout: 7,
      expected_status: 204,
      headers: { "X-Token": "abc" },
      body: "ping",
      retries: 3,
      active: false,
      status: "paused",
      created_at: new Date(START).toISOString(),
      updated_at: new Date(START + 5000).toISOString(),
    });
  });

  it("clears the fields that are sent empty", async () => {
    const { client, add } = await setUp();
    const id = await add(FULL);
    const sent = { name: "shop", url: FULL.url, interval: 300, headers: {}, body: "", retries: 0 };
    expect((await client.put(`/api/monitors/${id}`, sent)).body.monitor).toMatchObject({
      headers: {},
      body: "",
      retries: 0,
    });
    const nulls = { ...sent, headers: null, body: null };
    expect((await client.put(`/api/monitors/${id}`, nulls)).body.monitor).toMatchObject({ headers: {}, body: "" });
  });

  it("is validated together with the stored fields: a timeout above a shorter interval is refused", async () => {
    const { client, add } = await setUp();
    const id = await add({ ...FULL, timeout: 120 });
    const { status, body } = await client.put(`/api/monitors/${id}`, { name: "shop", url: FULL.url, interval: 60 });
    expect([status, body.errors.map(({ path }) => path)]).toEqual([422, ["timeout"]]);
  });

  it("that is refused changes nothing", async () => {
    const { client, add, read } = await setUp();
    const id = await add(FULL);
    const before = await read(id);
    expect((await client.put(`/api/monitors/${id}`, { name: "", url: FULL.url, interval: 300 })).status).toBe(422);
    expect(await read(id)).toEqual(before);
  });
});

describe("pause and resume", () => {
  it("take effect at once, keep the state, and may be repeated", async () => {
    const { client, add, read } = await setUp();
    const { url } = serveStatus();
    const id = await add({ url });
    await client.post(`/api/monitors/${id}/check`);
    for (let time = 0; time < 2; time++) {
      const { body } = await client.post(`/api/monitors/${id}/pause`);
      expect(body.monitor).toMatchObject({ active: false, status: "paused" });
    }
    expect((await read(id)).history).toHaveLength(1);
    for (let time = 0; time < 2; time++) {
      const { body } = await client.post(`/api/monitors/${id}/resume`);
      expect(body.monitor).toMatchObject({ active: true, status: "up" });
    }
  });

  it("also follow from `active` in an update", async () => {
    const { client, add } = await setUp();
    const id = await add({ ...FULL, active: true });
    const sent = { name: "shop", url: FULL.url, interval: 300 };
    const answers = [];
    for (const active of [false, true]) {
      answers.push((await client.put(`/api/monitors/${id}`, { ...sent, active })).body.monitor.status);
    }
    expect(answers).toEqual(["paused", "pending"]);
  });
});

describe("a manual check", () => {
  it("answers its result, and is recorded like a scheduled one", async () => {
    const { app, client, add, read } = await setUp();
    const { url, answer } = serveStatus();
    const id = await add({ url });
    const good = await client.post(`/api/monitors/${id}/check`);
    expect(good.status).toBe(200);
    expect(good.body.check).toMatchObject({ id: START, status: "up", status_code: 200, error: null });
    expect(good.body.monitor).toMatchObject({ id, status: "up" });
    answer.status = 503;
    await app.clock.advance(1000);
    const bad = await client.post(`/api/monitors/${id}/check`);
    expect([bad.status, bad.body.success]).toEqual([200, true]);
    expect(bad.body.check).toMatchObject({ status: "down", status_code: 503, error: "status 503, expected 200" });
    expect(bad.body.monitor).toMatchObject({ status: "down", uptime: 50 });
    await app.clock.advance(1000);
    expect((await read(id)).uptime).toBe(25);
    const { checks } = await read(id);
    expect(checks).toEqual([bad.body.check, good.body.check]);
  });

  it("runs for a paused monitor, which stays paused", async () => {
    const { client, add } = await setUp();
    const { url, requests } = serveStatus();
    const id = await add({ url, active: false });
    const { body } = await client.post(`/api/monitors/${id}/check`);
    expect([body.check.status, body.monitor.status, requests.length]).toEqual(["up", "paused", 1]);
  });

  it("requested twice at once runs once, and answers both callers", async () => {
    const { app, client, add } = await setUp();
    const target = serveHeld();
    const id = await add({ url: target.url });
    const first = client.post(`/api/monitors/${id}/check`);
    await until(() => target.requests.length > 0, "the request");
    const second = app.engine.checkNow(id);
    // The mutex serves this after the second caller, which has joined by then.
    await app.engine.tick();
    target.release();
    const { status, body } = await first;
    expect([status, body.check.id]).toEqual([200, (await second).checkedAt]);
    expect(target.requests).toHaveLength(1);
  });
});

describe("a check in flight", () => {
  /** Runs `change` while a check of the monitor waits for an answer. */
  const during = async (
    happens: (client: Awaited<ReturnType<typeof setUp>>["client"], id: number) => Promise<unknown>,
  ) => {
    const { app, client, add, read } = await setUp();
    const target = serveHeld(500);
    const id = await add({ url: target.url });
    const checked = client.post(`/api/monitors/${id}/check`);
    await until(() => target.requests.length === 1, "the request");
    await happens(client, id);
    target.release();
    const { status } = await checked;
    return { app, id, status, monitor: await read(id), history: await countHistory(app, id), target };
  };
  const NOTHING = { checks: 0, hours: 0, days: 0 };

  it("is not recorded after an update of the URL, and its callers get the result of the new URL", async () => {
    const next = serveStatus();
    const { monitor, status } = await during((client, id) =>
      client.put(`/api/monitors/${id}`, { name: "shop", url: next.url, interval: 60 }),
    );
    expect([status, monitor.url, monitor.status]).toEqual([200, next.url, "up"]);
    expect(monitor.checks.map(({ status_code }) => status_code)).toEqual([200]);
    expect(next.requests).toHaveLength(1);
  });

  it("does not delay the check of a new URL", async () => {
    const { client, add, read, app } = await setUp();
    const target = serveHeld(500);
    const next = serveStatus();
    const id = await add({ url: target.url, timeout: 60 });
    await app.engine.tick();
    await until(() => target.requests.length === 1, "the old request");
    await client.put(`/api/monitors/${id}`, { name: "shop", url: next.url, interval: 60 });
    await until(async () => (await read(id)).status === "up", "the new address's answer");
    target.release();
    await app.engine.stop();
    expect((await read(id)).checks).toHaveLength(1);
  });

  it("is not recorded after a pause, and its callers get monitor_paused", async () => {
    const { monitor, history, status } = await during((client, id) => client.post(`/api/monitors/${id}/pause`));
    expect([status, monitor.status, monitor.checks, history]).toEqual([409, "paused", [], NOTHING]);
  });

  it("is not recorded after a deletion, and its callers get not_found", async () => {
    const { status, history } = await during((client, id) => client.delete(`/api/monitors/${id}`));
    expect([status, history]).toEqual([404, NOTHING]);
  });

  it("is recorded after an update of the name", async () => {
    const { monitor } = await during(async (client, id) => {
      const { url, interval } = (await client.get(`/api/monitors/${id}`)).body.monitor;
      return client.put(`/api/monitors/${id}`, { name: "store", url, interval });
    });
    expect([monitor.name, monitor.status, monitor.checks.length]).toEqual(["store", "down", 1]);
  });
});
