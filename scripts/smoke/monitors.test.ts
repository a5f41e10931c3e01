import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Client } from "../../src/testing/client";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "./lib/hub";
import { until } from "./lib/until";

const installation = installConsole();
const target = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("fine") });
let running: HubProcess;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  running = await startConsole(installation);
  alice = await joinAs(running, "alice");
  bob = await joinAs(running, "bob");
});

afterAll(async () => {
  await target.stop(true);
  await running.stop();
  installation.remove();
});

const settled = (client: Client, id: number) =>
  until("the monitor has its first result", async () => {
    const { monitor } = (await client.get(`/api/monitors/${id}`)).body;
    return monitor.status !== "pending" && monitor;
  });

it("checks a new monitor by itself", async () => {
  const { status, body } = await alice.post("/api/monitors", monitorOf(target.url.href));
  expect(status).toBe(201);
  const monitor = await settled(alice, body.monitor.id);
  expect(monitor).toMatchObject({
    status: "up",
    uptime: 100,
    checks: [{ status: "up", status_code: 200, error: null }],
  });
  expect(monitor.history).toHaveLength(1);
});

it("hides monitors of other users", async () => {
  const { body } = await alice.post("/api/monitors", monitorOf(target.url.href, "Bank"));
  const { id } = body.monitor;
  for (const path of [`/api/monitors/${id}`, `/api/monitors/${id}/checks`, `/api/monitors/${id}/series`])
    expect((await bob.get(path)).status).toBe(404);
  expect((await bob.put(`/api/monitors/${id}`, monitorOf(target.url.href, "Mine"))).status).toBe(404);
  expect((await bob.delete(`/api/monitors/${id}`)).status).toBe(404);
  expect((await bob.get("/api/monitors")).body.monitors).toEqual([]);
  expect((await alice.get(`/api/monitors/${id}`)).body.monitor.name).toBe("Bank");
});

it("checks private addresses for administrators only", async () => {
  const { body } = await bob.post("/api/monitors", monitorOf(target.url.href));
  const monitor = await settled(bob, body.monitor.id);
  expect(monitor.status).toBe("down");
  expect(monitor.checks[0]?.error).toStartWith("blocked");
});

it("records a manual check", async () => {
  const { body } = await alice.post("/api/monitors", { ...monitorOf(target.url.href), expectedStatus: 503 });
  const { id } = body.monitor;
  await settled(alice, id);
  const checked = await alice.post(`/api/monitors/${id}/check`);
  expect(checked.status).toBe(200);
  expect(checked.body.check).toMatchObject({ status: "down", status_code: 200, error: "status 200, expected 503" });
  expect((await alice.get(`/api/monitors/${id}/checks`)).body.checks[0]).toEqual(checked.body.check);
});

it("keeps its data over a restart", async () => {
  const before = (await alice.get("/api/monitors")).body.monitors.map(({ id, name }) => ({ id, name }));
  expect(await running.stop()).toBe(0);
  running = await startConsole(installation);
  alice = await joinAs(running, "alice");
  const after = (await alice.get("/api/monitors")).body.monitors;
  expect(after.map(({ id, name }) => ({ id, name }))).toEqual(before);
  expect(after.length).toBeGreaterThan(0);
});
