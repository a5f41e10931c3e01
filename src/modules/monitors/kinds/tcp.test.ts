import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { closedPort, hang, serveRaw } from "../../../testing/servers/raw";

const MONITORS = "/api/monitors";
const CACHE = {
  name: "cache",
  kind: "tcp",
  config: { host: "cache.example", port: 6379 },
  interval: 60,
  active: false,
};

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  return { app, alice: app.as(alice), client: app.as(bob) };
};
const paths = (errors: { path: string }[]) => errors.map(({ path }) => path).sort();

describe("a TCP monitor", () => {
  it("names the known presets when another one is sent", async () => {
    const { client } = await setUp();
    const { body } = await client.post(MONITORS, { ...CACHE, config: { ...CACHE.config, preset: "oracle" } });
    expect(body.message).toContain("config.preset: expected one of smtp, imap,");
  });

  it("is created, listed and found by its host, with its fields in config", async () => {
    const { client } = await setUp();
    const { status, body } = await client.post(MONITORS, CACHE);
    expect(status).toBe(201);
    expect(body.monitor).toMatchObject({
      kind: "tcp",
      target: "cache.example:6379",
      config: CACHE.config,
      timeout: 30,
    });
    expect(body.monitor).not.toHaveProperty("url");
    const { monitors } = (await client.get(`${MONITORS}?search=EXAMPLE:63`)).body;
    expect(monitors).toEqual([
      expect.objectContaining({ name: "cache", target: "cache.example:6379", config: CACHE.config }),
    ]);
  });

  it("accepts hostnames and addresses as in URLs, and ports from 1 to 65,535", async () => {
    const { client } = await setUp();
    const create = (config: object | undefined) => client.post(MONITORS, { ...CACHE, config });
    const targets = [];
    for (const host of ["db", " db.example ", "192.0.2.1", "2001:db8::1", "[2001:db8::1]", "bücher.example"])
      targets.push((await create({ host, port: 1 })).body.monitor.target);
    expect(targets).toEqual([
      "db:1",
      "db.example:1",
      "192.0.2.1:1",
      "[2001:db8::1]:1",
      "[2001:db8::1]:1",
      "bücher.example:1",
    ]);
    expect((await create({ host: "db", port: 65_535 })).status).toBe(201);
    const hosts = [
      "",
      "  ",
      "db:80",
      "http://db",
      "db/x",
      "a b",
      "u@db",
      "db?x",
      "::1%eth0",
      "[::1",
      "x".repeat(254),
      7,
      null,
    ];
    for (const host of hosts) {
      const { status, body } = await create({ host, port: 80 });
      expect([host, status, body.code, paths(body.errors ?? [])]).toEqual([host, 422, "validation", ["config.host"]]);
    }
    for (const port of [0, -1, 65_536, 1.5, "x", "", null, Number.NaN]) {
      const { status, body } = await create({ host: "db", port });
      expect([port, status, paths(body.errors ?? [])]).toEqual([port, 422, ["config.port"]]);
    }
    for (const config of [undefined, {}])
      expect(paths((await create(config)).body.errors)).toEqual(["config.host", "config.port"]);
    for (const config of [[], "x", 7] as object[])
      expect(paths((await create(config)).body.errors)).toEqual(["config"]);
  });

  it("has a preset, encryption, and bytes to send and expect", async () => {
    const { client } = await setUp();
    const create = async (more: object) =>
      (await client.post(MONITORS, { ...CACHE, config: { ...CACHE.config, ...more } })).body;
    for (const more of [
      { preset: "redis" },
      { preset: "smtp", tls: "starttls" },
      { preset: "", tls: "direct", send: "", expect: "" },
      { send: "PING\\r\\n", expect: "+PONG" },
      { preset: "mysql", user: "alice", password: "secret" },
      { preset: "postgres", user: "alice", password: "" },
      { preset: "redis", password: "two words" },
      { preset: "smtp", user: "", password: "" },
      { send: `hex:${"00 ".repeat(1024)}`, expect: `\\x00${"é".repeat(127)}` },
    ])
      expect((await create(more)).monitor.config).toEqual({ ...CACHE.config, ...more });
    for (const [more, path] of [
      [{ preset: "gopher" }, "preset"],
      [{ tls: "yes" }, "tls"],
      [{ tls: "starttls" }, "tls"],
      [{ tls: "starttls", preset: "redis" }, "tls"],
      [{ tls: "direct", preset: "ssh" }, "tls"],
      [{ send: "x".repeat(1025) }, "send"],
      [{ send: "x".repeat(100_000) }, "send"],
      [{ send: `hex:${"00".repeat(1025)}` }, "send"],
      [{ send: "hex:0" }, "send"],
      [{ send: "hex:zz" }, "send"],
      [{ send: "\\q" }, "send"],
      [{ send: 7 }, "send"],
      [{ preset: "smtp", user: "alice" }, "user"],
      [{ password: "secret" }, "password"],
      [{ preset: "mysql", password: "secret" }, "user"],
      [{ preset: "redis", user: "alice" }, "password"],
      [{ preset: "mysql", user: "al\tice" }, "user"],
      [{ preset: "mysql", user: "alice", password: "x".repeat(513) }, "password"],
      [{ expect: "é".repeat(129) }, "expect"],
      [{ expect: "hex: 0x" }, "expect"],
    ] as const)
      expect([more, paths((await create(more)).errors ?? [])]).toEqual([more, [`config.${path}`]]);
  });

  it("hides what it sends from everyone but its owner, and sends it to no other address", async () => {
    const { alice, client } = await setUp();
    const config = { ...CACHE.config, send: "AUTH secret\\r\\n", expect: "+OK" };
    const { id } = (await client.post(MONITORS, { ...CACHE, config })).body.monitor;
    const seen = (await alice.get(`${MONITORS}/${id}`)).body.monitor;
    expect(seen.config).toEqual({ ...config, send: "••••" });
    const body = { ...CACHE, config: seen.config };
    expect((await alice.put(`${MONITORS}/${id}`, body)).status).toBe(200);
    expect((await client.get(`${MONITORS}/${id}`)).body.monitor.config).toEqual(config);
    const moved = await alice.put(`${MONITORS}/${id}`, { ...body, config: { ...seen.config, host: "evil.example" } });
    expect([moved.status, paths(moved.body.errors)]).toEqual([422, ["config.send"]]);
    await client.put(`${MONITORS}/${id}`, { ...CACHE, config: { ...config, tls: "direct" } });
    const plain = await alice.put(`${MONITORS}/${id}`, { ...body, config: { ...seen.config, tls: "no" } });
    expect([plain.status, paths(plain.body.errors)]).toEqual([422, ["config.send"]]);
  });

  it("hides the password of its login from everyone but its owner, and sends it to no other address", async () => {
    const { alice, client } = await setUp();
    const config = { ...CACHE.config, preset: "redis", user: "watch", password: "secret" };
    const { id } = (await client.post(MONITORS, { ...CACHE, config })).body.monitor;
    const seen = (await alice.get(`${MONITORS}/${id}`)).body.monitor;
    expect(seen.config).toEqual({ ...config, password: "••••" });
    const body = { ...CACHE, config: seen.config };
    expect((await alice.put(`${MONITORS}/${id}`, body)).status).toBe(200);
    expect((await client.get(`${MONITORS}/${id}`)).body.monitor.config).toEqual(config);
    const moved = await alice.put(`${MONITORS}/${id}`, { ...body, config: { ...seen.config, host: "evil.example" } });
    expect([moved.status, paths(moved.body.errors)]).toEqual([422, ["config.password"]]);
  });

  it("keeps its config when an update leaves it out, and never changes its kind", async () => {
    const { client } = await setUp();
    const { id } = (await client.post(MONITORS, CACHE)).body.monitor;
    const rest = { name: "renamed", interval: 120 };
    const renamed = (await client.put(`${MONITORS}/${id}`, rest)).body.monitor;
    expect(renamed).toMatchObject({ ...rest, kind: "tcp", config: CACHE.config });
    const moved = await client.put(`${MONITORS}/${id}`, { ...rest, config: { host: "::1", port: 1 } });
    expect(moved.body.monitor.target).toBe("[::1]:1");
    const other = await client.put(`${MONITORS}/${id}`, { ...rest, kind: "http", url: "http://a.example/" });
    expect([other.status, paths(other.body.errors)]).toEqual([422, ["kind"]]);
    const unknown = await client.post(MONITORS, { ...CACHE, kind: "gopher" });
    expect([unknown.status, paths(unknown.body.errors)]).toEqual([422, ["kind"]]);
  });

  it("is up at a listening port and down at a closed one", async () => {
    const { app, alice } = await setUp();
    const server = await serveRaw(hang);
    const check = async (port: number) => {
      const { id } = (await alice.post(MONITORS, { ...CACHE, retries: 0, config: { host: "127.0.0.1", port } })).body
        .monitor;
      return (await alice.post(`${MONITORS}/${id}/check`)).body.check;
    };
    expect(await check(server.port)).toMatchObject({ status: "up", status_code: null, error: null });
    expect(await check(await closedPort())).toMatchObject({ status: "down", response_time: null });
    expect(app.engine.running()).toBe(0);
  });

  it("of a user reaches no private address", async () => {
    const { client } = await setUp();
    const server = await serveRaw(hang);
    const config = { host: "127.0.0.1", port: server.port };
    const { id } = (await client.post(MONITORS, { ...CACHE, retries: 0, config })).body.monitor;
    const { check } = (await client.post(`${MONITORS}/${id}/check`)).body;
    expect([check.status, check.error?.split(":")[0], server.counts.connections]).toEqual(["down", "blocked", 0]);
  });
});
