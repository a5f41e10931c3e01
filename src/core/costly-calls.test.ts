import { expect, it } from "bun:test";
import { createTestApp } from "../testing/app";
import { until } from "../testing/clock";
import { startTestServer } from "../testing/servers/hub";
import { processDialect } from "./config";
import { createCostlyCalls } from "./costly-calls";
import { AppError } from "./errors";

const BULK = { filter: {}, action: "pause", dry_run: true };

it("costly calls of one user run one at a time in their order, those of two users at once, and a failed one leaves", async () => {
  const { run, size } = createCostlyCalls();
  const log: string[] = [];
  const held = Promise.withResolvers<void>();
  const call = (user: number, name: string, work = async () => {}) =>
    run(user, async () => {
      log.push(name);
      await work();
    });
  const first = call(1, "a1", () => held.promise);
  const failed = call(1, "a2", () => Promise.reject(new Error("no")));
  const third = call(1, "a3");
  await expect(call(1, "a4")).rejects.toThrow(AppError);
  await call(2, "b1");
  expect(log).toEqual(["a1", "b1"]);
  held.resolve();
  expect((await Promise.allSettled([first, failed, third])).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(log).toEqual(["a1", "b1", "a2", "a3"]);
  expect(size()).toBe(0);
  await call(1, "later");
});

// On PostgreSQL the call that probes the limit may itself become one of the two that wait.
it.if(processDialect === "sqlite")(
  "exports, imports, bulk changes and previews of a user share the limit, and other users have their own",
  async () => {
    const app = await createTestApp();
    const { bob, charlie } = await app.people();
    const leave = await app.deps.costlyCalls.enter(bob.id);
    const waiting = [app.as(bob).post("/api/monitors/bulk", BULK), app.as(bob).get("/api/export")];
    await until(async () => (await app.as(bob).post("/api/monitors/bulk", BULK)).status === 429, "two calls to wait");
    const refused = [
      await app.as(bob).get("/api/export"),
      await app.as(bob).post("/api/import", { format: "wakeful-configuration", version: 1 }),
      await app.as(bob).post("/api/notifications/templates/preview", { title: "x", body: "" }),
      await app.as(bob).post("/api/status/preview", { title: "x" }),
    ];
    for (const { status, body, headers } of refused)
      expect([status, body.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "2"]);
    expect((await app.as(charlie).get("/api/export")).status).toBe(200);
    leave();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect(app.deps.costlyCalls.size()).toBe(0);
  },
);

it("an export whose client goes away, and HEAD of one, take no place", async () => {
  const hub = await startTestServer();
  const { bob } = await hub.people();
  const headers = { authorization: `Bearer ${bob.token}` };
  for (let sent = 0; sent < 5; sent++) {
    const abort = new AbortController();
    const response = await fetch(`http://127.0.0.1:${hub.port}/api/export`, { headers, signal: abort.signal });
    abort.abort();
    await response.text().catch(() => "");
    expect((await hub.call("/api/export", { method: "HEAD", headers })).status).toBe(200);
    await until(() => hub.deps.costlyCalls.size() === 0, "the place to be free");
  }
});
