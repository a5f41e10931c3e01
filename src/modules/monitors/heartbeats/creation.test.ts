import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { heartbeats, monitorStates } from "../../../db/schema";
import { NEVER } from "../../../shared/monitor";
import { createTestApp } from "../../../testing/app";

type Note = { code: string; path: string };

const MONITORS = "/api/monitors";
const BACKUP = { name: "backup", kind: "heartbeat", config: { every: 86_400, grace: 3600 } };

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const create = async (config: object = BACKUP.config) =>
    (await app.as(bob).post(MONITORS, { ...BACKUP, config })).body.monitor;
  return { app, alice, bob, charlie, create, client: app.as(bob) };
};
const paths = (errors: { path: string }[] = []) => errors.map(({ path }) => path).sort();

describe("a heartbeat", () => {
  it("is created without an interval, has a ping URL, and is never due", async () => {
    const { app, client } = await setUp();
    const { status, body } = await client.post(MONITORS, BACKUP);
    expect(status).toBe(201);
    const { id, ping_url, heartbeat, ...monitor } = body.monitor;
    expect(monitor).toMatchObject({ kind: "heartbeat", status: "pending", target: "1 d" });
    expect(monitor.config).toEqual({ every: 86_400, grace: 3600, post_only: false });
    expect(ping_url).toMatch(/^\/ping\/[0-9a-f]{32}$/);
    expect(heartbeat).toMatchObject({ state: "new", deadline: null, running_since: null, last_ping: null });
    const [state] = await app.db.select().from(monitorStates).where(eq(monitorStates.monitorId, id));
    expect(state?.nextCheckAt).toBe(NEVER);
    await app.clock.advance(7 * 86_400_000);
    await app.engine.tick();
    expect(app.engine.inFlight()).toBe(0);
  });

  it("can't be checked, and its config can't be probed", async () => {
    const { client, create } = await setUp();
    const { id } = await create();
    for (const [path, body] of [
      [`${MONITORS}/${id}/check`, undefined],
      [`${MONITORS}/probe`, { kind: "heartbeat", config: BACKUP.config }],
    ] as const) {
      const answer = await client.post(path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 409, "not_checkable"]);
    }
  });

  it("has either a period or a cron expression, whose parts are validated", async () => {
    const { client } = await setUp();
    const errorsOf = async (config: object) => paths((await client.post(MONITORS, { ...BACKUP, config })).body.errors);
    for (const [config, wrong] of [
      [{}, "every"],
      [{ every: 60, cron: "@daily" }, "cron"],
      [{ every: 59 }, "every"],
      [{ every: 60, grace: 0 }, "grace"],
      [{ every: 60, tz: "UTC" }, "tz"],
      [{ every: 60, post_only: "yes" }, "post_only"],
      [{ cron: "0 3 * * *", tz: "Mars/Olympus" }, "tz"],
      ...["", "x", "* * * * * *", "0 0 L * *", "0 0 * * 1#2", "0 0 15W * *", "0 0 31 2 *", "*".repeat(101)].map(
        (cron) => [{ cron }, "cron"] as const,
      ),
    ] as const)
      expect([config, await errorsOf(config)]).toEqual([config, [`config.${wrong}`]]);
    const { monitor } = (await client.post(MONITORS, { ...BACKUP, config: { cron: " 30 2 * * MON-FRI " } })).body;
    expect(monitor.config).toEqual({ cron: "30 2 * * MON-FRI", tz: "UTC", grace: 300, post_only: false });
  });

  it("changes from a period to a cron expression and back, and keeps what is left out", async () => {
    const { client, create } = await setUp();
    const { id } = await create({ every: 3600, grace: 60, post_only: true });
    const put = async (config?: object) =>
      (await client.put(`${MONITORS}/${id}`, { name: "x", ...(config && { config }) })).body.monitor.config;
    expect(await put({ cron: "@daily" })).toEqual({ cron: "@daily", tz: "UTC", grace: 60, post_only: true });
    expect(await put({ every: 120, grace: 30 })).toEqual({ every: 120, grace: 30, post_only: true });
    expect(await put()).toEqual({ every: 120, grace: 30, post_only: true });
  });

  it("shows its ping URL to those who may change it only", async () => {
    const { app, alice, bob, charlie, create } = await setUp();
    const { id, ping_url } = await create();
    const key = (await app.as(bob).post("/api/keys", { name: "r", scope: "read" })).body.key;
    const shown = async (token: string) =>
      (await app.as({ ...bob, token }).get(`${MONITORS}/${id}`)).body.monitor?.ping_url;
    expect(await shown(bob.token)).toBe(ping_url);
    expect(await shown(alice.token)).toBe(ping_url);
    expect(await shown(key)).toBeNull();
    expect(await shown(charlie.token)).toBeUndefined();
    expect((await app.as(bob).get(MONITORS)).text).not.toContain(String(ping_url).slice(-32));
  });

  it("is deleted with its monitor", async () => {
    const { app, client, create } = await setUp();
    const { id } = await create();
    expect((await client.delete(`${MONITORS}/${id}`)).status).toBe(200);
    expect(await app.db.select().from(heartbeats)).toEqual([]);
  });
});

describe("an exported heartbeat", () => {
  it("keeps its token where that is free; otherwise it gets another one, and a note says so", async () => {
    const { app, alice, bob, create } = await setUp();
    const { id, ping_url } = await create();
    const file = JSON.parse((await app.as(bob).get("/api/export")).text);
    const token = String(ping_url).slice(-32);
    expect(file.monitors[0]).toMatchObject({ kind: "heartbeat", config: BACKUP.config, ping_token: token });
    const urlsOf = async (user: typeof bob) => {
      const { monitors } = (await app.as(user).get(`${MONITORS}?mine=1`)).body;
      return Promise.all(
        monitors.map(async ({ id }) => (await app.as(user).get(`${MONITORS}/${id}`)).body.monitor.ping_url),
      );
    };
    const imported = JSON.parse((await app.as(alice).post("/api/import", file)).text);
    expect([imported.created.monitors, imported.notes.map(({ code, path }: Note) => [code, path])]).toEqual([
      1,
      [["ping_url_new", "monitors.0"]],
    ]);
    expect(await urlsOf(alice)).not.toEqual([ping_url]);
    await app.as(bob).delete(`${MONITORS}/${id}`);
    const twice = { ...file, monitors: [file.monitors[0], { ...file.monitors[0], id: 99, name: "copy" }] };
    const again = JSON.parse((await app.as(bob).post("/api/import", twice)).text);
    expect(again.notes.map(({ path }: Note) => path)).toEqual(["monitors.1"]);
    const urls = await urlsOf(bob);
    expect([urls[0], new Set(urls).size]).toEqual([ping_url, 2]);
    expect(JSON.parse((await app.as(bob).post("/api/import", twice)).text)).toMatchObject({
      skipped: { monitors: 2 },
      notes: [],
    });
  });

  it("may have a token of another product, and none that is not one", async () => {
    const { app, bob } = await setUp();
    const importWith = (ping_token: unknown) =>
      app.as(bob).post("/api/import", {
        format: "wakeful-configuration",
        version: 1,
        monitors: [{ ...BACKUP, name: String(ping_token), ping_token }],
      });
    for (const token of ["kumaPush10", "Y9mF3kQ0ZzA1bC2dE3fG4h", "a".repeat(64)])
      expect([token, (await importWith(token)).status]).toEqual([token, 200]);
    for (const token of ["short", "a b c d e f g", "../../../../etc", "a".repeat(65), 7])
      expect([token, (await importWith(token)).status]).toEqual([token, 422]);
    expect((await app.send(new Request("http://localhost/api/push/kumaPush10"))).status).toBe(200);
  });
});
