import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { closedPort } from "../../../testing/servers/raw";
import { serveStatus } from "../../../testing/servers/targets";

const MONITORS = "/api/monitors";
const COMMON = { name: "closed", interval: 60, retries: 0, active: false };

/** The kinds that can be inverted, with their fields. */
const KINDS: [kind: string, config: Record<string, unknown>][] = [
  ["tcp", { host: "db.example", port: 5432 }],
  ["ping", { host: "db.example" }],
  ["dns", { name: "old.example", type: "A" }],
  ["websocket", { url: "wss://live.example/" }],
  ["grpc", { url: "https://grpc.example:50051" }],
];

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  return { app, bob, client: app.as(alice) };
};

describe("an inverted monitor", () => {
  it("of http has the field beside its others, also in lists, and is an ordinary one again once the field is false", async () => {
    const { client } = await setUp();
    const body = { ...COMMON, url: "http://admin.example/", inverted: true };
    const { id, ...created } = (await client.post(MONITORS, body)).body.monitor;
    expect(created).toMatchObject({ kind: "http", inverted: true });
    for (const fields of ["", "?fields=compact", "?fields=all"])
      expect((await client.get(MONITORS + fields)).body.monitors).toMatchObject([{ inverted: true }]);
    const kept = await client.put(`${MONITORS}/${id}`, { ...COMMON, url: "http://admin.example/", name: "renamed" });
    expect(kept.body.monitor).toMatchObject({ name: "renamed", inverted: true });
    const ordinary = await client.put(`${MONITORS}/${id}`, { ...body, inverted: false });
    expect(ordinary.body.monitor).toMatchObject({ inverted: false });
    expect((await client.get(`${MONITORS}?fields=compact`)).body.monitors[0]).not.toHaveProperty("inverted");
  });

  it.each(KINDS)("of %s has the field in its config, and is marked in lists", async (kind, config) => {
    const { client } = await setUp();
    const { status, body } = await client.post(MONITORS, { ...COMMON, kind, config: { ...config, inverted: true } });
    expect([status, body.monitor.config?.inverted, body.monitor.inverted]).toEqual([201, true, true]);
    const [listed] = (await client.get(`${MONITORS}?fields=compact`)).body.monitors;
    expect(listed).toMatchObject({ kind, inverted: true });
  });

  it("of a kind that warns or waits is refused by the name of its field, as any value but true and false is", async () => {
    const { client } = await setUp();
    const create = (kind: string, config: object) => client.post(MONITORS, { ...COMMON, kind, config });
    const refused = { status: 422, body: { errors: [{ path: "config.inverted" }] } };
    expect(await create("tls", { host: "a.example", port: 443, inverted: true })).toMatchObject(refused);
    expect(await create("heartbeat", { every: 60, grace: 60, inverted: true })).toMatchObject(refused);
    expect(await create("ping", { host: "a.example", inverted: "yes" })).toMatchObject(refused);
    const flat = await client.post(MONITORS, { ...COMMON, url: "http://a.example/", inverted: 1 });
    expect(flat).toMatchObject({ status: 422, body: { errors: [{ path: "inverted" }] } });
  });

  it("that becomes an ordinary one is checked at once, and its next result ends or begins its outage", async () => {
    const { app, client } = await setUp();
    const { url } = serveStatus();
    const body = { ...COMMON, url, active: true, inverted: true };
    const { id } = (await client.post(MONITORS, body)).body.monitor;
    expect((await client.post(`${MONITORS}/${id}/check`)).body.check).toMatchObject({
      status: "down",
      error: "unexpected: the check succeeded, although it should fail",
      error_code: "unexpected_success",
    });
    await client.put(`${MONITORS}/${id}`, { ...body, inverted: false });
    await app.clock.advance(60_000);
    expect((await client.post(`${MONITORS}/${id}/check`)).body.check).toMatchObject({ status: "up", error: null });
  });

  it("has an uptime by what counts, and response times only of answers", async () => {
    const { app, client } = await setUp();
    const target = serveStatus(404);
    const body = { ...COMMON, url: target.url, active: true, inverted: true };
    const { id } = (await client.post(MONITORS, body)).body.monitor;
    const check = async () => (await client.post(`${MONITORS}/${id}/check`)).body.check;
    expect(await check()).toMatchObject({ status: "up", status_code: 404, response_time: expect.any(Number) });
    await app.clock.advance(600_000);
    target.answer.status = 200;
    expect(await check()).toMatchObject({ status: "down", status_code: 200 });
    await app.clock.advance(600_000);
    const { monitor } = (await client.get(`${MONITORS}/${id}`)).body;
    expect(monitor.uptimes["24h"]).toBeWithin(40, 60);
  });

  it("is probed before it is saved, with the reason of a failure that counts as up", async () => {
    const { client } = await setUp();
    const target = serveStatus();
    const probe = async (url: string) => (await client.post(`${MONITORS}/probe`, { url, inverted: true })).body.result;
    expect(await probe(target.url)).toMatchObject({ up: false, error_code: "unexpected_success", status_code: 200 });
    const url = `http://127.0.0.1:${await closedPort()}/`;
    expect(await probe(url)).toMatchObject({ up: true, error_code: "refused", response_time: null });
  });

  it("is exported and imported, and is not the same as an ordinary one", async () => {
    const { app, bob, client } = await setUp();
    await client.post(MONITORS, { ...COMMON, url: "http://admin.example/", inverted: true });
    await client.post(MONITORS, { ...COMMON, kind: "tcp", config: { host: "db", port: 5432, inverted: true } });
    const file = JSON.parse((await client.get("/api/export")).text);
    expect(file.monitors).toMatchObject([{ inverted: true }, { config: { inverted: true } }]);
    const other = app.as(bob);
    expect((await other.post("/api/import", file)).status).toBe(200);
    expect((await other.get(MONITORS)).body.monitors).toMatchObject([{ inverted: true }, { inverted: true }]);
    const { format, version } = file;
    const ordinary = { format, version, monitors: [{ ...COMMON, url: "http://admin.example/" }] };
    expect((await client.post("/api/import", ordinary)).status).toBe(200);
    expect((await client.get(`${MONITORS}?mine=1`)).body.total).toBe(3);
  });
});
