import { describe, expect, it } from "bun:test";
import { TRIALS_PER_MINUTE } from "../../../core/trials";
import { MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import type { TestUser } from "../../../testing/fixtures/people";
import { closedPort, hang, serveRaw } from "../../../testing/servers/raw";
import { serveHeld, serveStatus, serveTarget } from "../../../testing/servers/targets";

const PROBE = "/api/monitors/probe";
const paths = (errors: { path: string }[] = []) => errors.map(({ path }) => path).sort();

const setUp = async (options: Parameters<typeof createTestApp>[0] = {}) => {
  const app = await createTestApp(options);
  const { alice, bob } = await app.people();
  return { app, alice, bob, client: app.as(bob), admin: app.as(alice) };
};
const everywhere = { env: { PRIVATE_TARGETS: "all" } };

describe("a probe", () => {
  it("answers the outcome of one request as a check makes it, and stores nothing", async () => {
    const { client, app } = await setUp(everywhere);
    const target = serveTarget(() => new Response("s3cret", { status: 418 }));
    const probe = (more: object) =>
      client.post(PROBE, {
        url: `${target.origin}/health?token=s3cret`,
        method: "POST",
        headers: { "x-key": "s3cret" },
        body: "s3cret",
        ...more,
      });
    const up = await probe({ expectedStatus: 418 });
    expect(up.status).toBe(200);
    expect(up.body.result).toEqual({
      up: true,
      response_time: expect.any(Number),
      packet_loss: null,
      status_code: 418,
      error: null,
      error_code: null,
      error_detail: null,
      cert_expires_at: null,
      phases: {
        dns: expect.any(Number),
        connect: expect.any(Number),
        tls: 0,
        first_byte: expect.any(Number),
        download: expect.any(Number),
      },
    });
    const down = await probe({});
    expect(down.body.result).toMatchObject({
      up: false,
      status_code: 418,
      error_code: "status",
      error_detail: { actual: 418, expected: "200" },
    });
    expect(up.text + down.text).not.toContain("s3cret");
    // Without retries: each probe is one request.
    expect(target.requests.map(({ method, headers, body }) => [method, headers["x-key"], body])).toEqual([
      ["POST", "s3cret", "s3cret"],
      ["POST", "s3cret", "s3cret"],
    ]);
    expect((await client.get("/api/monitors")).body).toMatchObject({ total: 0 });
    expect(app.engine.running()).toBe(0);
  });

  it("works for every kind in the registry", async () => {
    const { client } = await setUp(everywhere);
    const server = await serveRaw(hang);
    const probe = (port: number) => client.post(PROBE, { kind: "tcp", config: { host: "127.0.0.1", port } });
    expect((await probe(server.port)).body.result).toMatchObject({ up: true, status_code: null });
    expect((await probe(await closedPort())).body.result).toMatchObject({ up: false, error_code: "refused" });
  });

  it("of a user reaches no private address", async () => {
    const { client, admin } = await setUp();
    const target = serveStatus();
    expect((await client.post(PROBE, { url: target.url })).body.result).toMatchObject({
      up: false,
      error_code: "blocked_private",
    });
    expect(target.requests).toEqual([]);
    expect((await admin.post(PROBE, { url: target.url })).body.result.up).toBe(true);
  });

  it("refuses invalid fields by their names, and needs neither a name nor an interval", async () => {
    const { client } = await setUp();
    const refused = async (body: unknown) => {
      const { status, body: answer } = await client.post(PROBE, body);
      return [status, ...paths(answer.errors)];
    };
    for (const url of ["", "x", "ftp://a.example/", "http://", "http://a b/", "http://a.example:99999/", null, 7, []])
      expect([url, ...(await refused({ url }))]).toEqual([url, 422, "url"]);
    expect(await refused({})).toEqual([422, "url"]);
    expect(await refused({ kind: "gopher" })).toEqual([422, "kind"]);
    expect(await refused({ kind: "tcp", config: { host: "a:1", port: 0 } })).toEqual([
      422,
      "config.host",
      "config.port",
    ]);
    const url = "http://a.example/";
    for (const timeout of [0, 31, 1.5, "x", null]) expect(await refused({ url, timeout })).toEqual([422, "timeout"]);
    for (const id of [0, -1, "x"]) expect(await refused({ url, id })).toEqual([422, "id"]);
    expect((await client.post(PROBE, undefined)).status).toBe(422);
  });

  it("is refused to read-only keys", async () => {
    const { app, bob } = await setUp();
    const { key } = (await app.as(bob).post("/api/keys", { name: "reads", scope: "read" })).body;
    const { status, body } = await app.as({ ...bob, token: key }).post(PROBE, { url: "http://a.example/" });
    expect([status, body.code]).toEqual([403, "read_only_key"]);
  });
});

describe("a probe of a stored monitor", () => {
  const addShop = async (app: Awaited<ReturnType<typeof createTestApp>>, owner: TestUser, url: string) => {
    const shop = { name: "shop", url, headers: { "x-key": "s3cret" }, interval: 60, active: false };
    return (await app.as(owner).post("/api/monitors", shop)).body.monitor.id as number;
  };

  it("takes its values for masks, and sends them to no other address", async () => {
    const { app, bob, admin } = await setUp(everywhere);
    const [own, other] = [serveStatus(), serveStatus()];
    const id = await addShop(app, bob, own.url);
    const { headers } = (await admin.get(`/api/monitors/${id}`)).body.monitor;
    expect(headers).toEqual({ "x-key": "••••" });
    expect((await admin.post(PROBE, { id, url: own.url, headers })).body.result.up).toBe(true);
    expect(own.requests[0]?.headers["x-key"]).toBe("s3cret");
    const elsewhere = await admin.post(PROBE, { id, url: other.url, headers });
    expect([elsewhere.status, paths(elsewhere.body.errors), other.requests]).toEqual([422, ["headers"], []]);
    expect((await admin.post(PROBE, { url: own.url, headers })).status).toBe(422);
  });

  it("of another user does not exist", async () => {
    const { app, alice, client } = await setUp(everywhere);
    const { url } = serveStatus();
    const id = await addShop(app, alice, url);
    expect((await client.post(PROBE, { id, url })).status).toBe(404);
  });
});

describe("the limits of probes", () => {
  it("allow each user a number of them in a minute", async () => {
    const { client, admin, app } = await setUp();
    const body = { url: "http://127.0.0.1:1/" };
    for (let count = 0; count < TRIALS_PER_MINUTE; count++) expect((await admin.post(PROBE, body)).status).toBe(200);
    const { status, headers } = await admin.post(PROBE, body);
    expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
    // Another user has a number of their own, and the next minute has another.
    expect((await client.post(PROBE, body)).status).toBe(200);
    await app.clock.advance(MINUTE);
    expect((await admin.post(PROBE, body)).status).toBe(200);
    expect(app.engine.running()).toBe(0);
  });

  it("are those of checks: a user's probes at the same time", async () => {
    const { client, admin, app } = await setUp({ env: { PRIVATE_TARGETS: "all", QUOTA_CHECKS_IN_FLIGHT: "1" } });
    const held = serveHeld();
    const first = client.post(PROBE, { url: held.url });
    await until(() => held.requests.length > 0, "the first request");
    const second = await client.post(PROBE, { url: held.url });
    expect([second.status, second.body.code]).toEqual([429, "rate_limited"]);
    expect(app.engine.running()).toBe(1);
    expect((await admin.post(PROBE, { url: serveStatus().url })).status).toBe(200);
    held.release();
    expect((await first).body.result.up).toBe(true);
    expect(app.engine.running()).toBe(0);
  });
});
