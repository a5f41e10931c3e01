import { describe, expect, it, onTestFinished } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "../../db/schema";
import { HEARTBEAT } from "../../shared/live";
import { until } from "../../testing/clock";
import { readEvents } from "../../testing/event-stream";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { finishChecks } from "../../testing/fixtures/engine";
import { sessionOf } from "../../testing/fixtures/forged-sessions";
import { addMonitor } from "../../testing/fixtures/monitors";
import { addUser } from "../../testing/fixtures/people";
import { startTestServer } from "../../testing/servers/hub";
import { serveStatus } from "../../testing/servers/targets";
import { markOfflineServers } from "../servers/ingest/offline";

const setUp = async (env: Record<string, string> = {}) => {
  const server = await startTestServer({ PRIVATE_TARGETS: "all", ...env });
  const people = await server.people();
  const connect = async (secret: string, headers: Record<string, string> = {}) => {
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const response = await fetch(`http://127.0.0.1:${server.port}/api/live`, {
      headers: { authorization: `Bearer ${secret}`, "accept-encoding": "gzip, zstd", ...headers },
      signal: abort.signal,
    });
    return { response, abort: () => abort.abort(), ...readEvents(response.body) };
  };
  return { ...server, ...people, connect };
};

describe("a stream of live events", () => {
  it("has results of monitors, changes of state and counts, uncompressed and not cached", async () => {
    const hub = await setUp();
    const target = serveStatus();
    const stream = await hub.connect(hub.bob.token);
    expect([stream.response.status, stream.response.headers.get("content-encoding")]).toEqual([200, null]);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(stream.response.headers.get("cache-control")).toBe("no-store");
    expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
    expect((await stream.next("ready")).data).toEqual({ complete: true });
    const id = await addMonitor(hub, hub.bob, { url: target.url });
    await finishChecks(hub);
    const up = await stream.next("monitor");
    expect(up.data).toMatchObject({ id, status: "up", last_checked: expect.any(String), since: expect.any(String) });
    expect((await stream.next("counts", ({ monitors }) => monitors.up === 1)).data.monitors).toMatchObject({ all: 1 });
    target.answer.status = 500;
    await hub.clock.advance(60_000);
    await finishChecks(hub);
    const down = await stream.next("monitor", ({ status }) => status === "down");
    expect(down.data).toMatchObject({ error_code: "status", since: down.data.last_checked });
    await stream.next("counts", ({ monitors }) => monitors.down === 1);
    const opened = await stream.next("outage");
    expect(opened.data).toMatchObject({ status: "open", target_type: "monitor", target_id: id, error_code: "status" });
    target.answer.status = 200;
    await hub.clock.advance(60_000);
    await finishChecks(hub);
    const ended = await stream.next("outage", ({ status }) => status === "ended");
    expect(ended.data).toMatchObject({ id: opened.data.id, kind: "down", ended_at: expect.any(String) });
    expect(stream.received.filter(({ event }) => event === "outage")).toHaveLength(2);
  });

  it("has the end of an outage by a pause, and the outage that the first check after it opens", async () => {
    const hub = await setUp();
    const target = serveStatus();
    target.answer.status = 500;
    const id = await addMonitor(hub, hub.bob, { url: target.url });
    const stream = await hub.connect(hub.bob.token);
    await stream.next("ready");
    await finishChecks(hub);
    const opened = await stream.next("outage", ({ status }) => status === "open");
    const call = (action: string) => hub.as(hub.bob).post(`/api/monitors/${id}/${action}`);
    await hub.clock.advance(60_000);
    await call("pause");
    const ended = await stream.next("outage", ({ status }) => status === "ended");
    expect(ended.data).toMatchObject({ id: opened.data.id, ended_at: new Date(hub.clock.now()).toISOString() });
    await hub.clock.advance(60_000);
    await call("resume");
    await finishChecks(hub);
    const next = await stream.next("outage", (data) => data.id !== opened.data.id);
    expect(next.data).toMatchObject({
      status: "open",
      target_id: id,
      started_at: new Date(hub.clock.now()).toISOString(),
    });
    await hub.clock.advance(60_000);
    target.answer.status = 200;
    await finishChecks(hub);
    await stream.next("outage", ({ id, status }) => id === next.data.id && status === "ended");
    expect(stream.received.filter(({ event }) => event === "outage")).toHaveLength(4);
  });

  it("has reports of servers, and that one is offline", async () => {
    const hub = await setUp();
    const agent = await enrollAgent(hub, hub.bob);
    const stream = await hub.connect(hub.bob.token);
    await agent.report([sampleAt(hub.clock.now(), { cpu: 42 })]);
    const active = await stream.next("agent");
    expect(active.data).toMatchObject({ id: agent.id, status: "active", cpu_usage: 42 });
    await hub.clock.advance(10 * 60_000);
    await markOfflineServers(hub.deps);
    await stream.next("agent", ({ status }) => status === "inactive");
    await stream.next("counts", ({ agents }) => agents.inactive === 1);
    const outage = await stream.next("outage");
    expect(outage.data).toMatchObject({ status: "open", target_type: "agent", target_id: agent.id, kind: "offline" });
  });

  it("has nothing of other users, and of everyone for administrators", async () => {
    const hub = await setUp();
    const target = serveStatus();
    const [alice, bob, charlie] = await Promise.all(
      [hub.alice, hub.bob, hub.charlie].map(({ token }) => hub.connect(token)),
    );
    const [ofBob, ofCharlie] = [
      await addMonitor(hub, hub.bob, { url: target.url }),
      await addMonitor(hub, hub.charlie, { url: target.url }),
    ];
    const agent = await enrollAgent(hub, hub.charlie);
    await agent.report([sampleAt(hub.clock.now())]);
    await finishChecks(hub);
    await alice?.next("monitor", ({ id }) => id === ofBob);
    await alice?.next("monitor", ({ id }) => id === ofCharlie);
    await alice?.next("agent", ({ id }) => id === agent.id);
    await alice?.next("counts", ({ monitors }) => monitors.up === 2);
    await charlie?.next("agent");
    await charlie?.next("counts", ({ monitors, agents }) => monitors.up === 1 && agents.active === 1);
    await bob?.next("counts", ({ monitors }) => monitors.up === 1);
    const seen = (stream: typeof bob) =>
      stream?.received.flatMap(({ event, data }) => ("id" in data ? [`${event} ${data.id}`] : []));
    expect(new Set(seen(bob))).toEqual(new Set([`monitor ${ofBob}`]));
    expect(new Set(seen(charlie))).toEqual(new Set([`monitor ${ofCharlie}`, `agent ${agent.id}`]));
  });

  it("continues after an event whose id is sent, and begins with reset when the id is not known", async () => {
    const hub = await setUp();
    const target = serveStatus();
    // On another host, because the monitors of a host that changes are checked with it.
    const first = await addMonitor(hub, hub.bob, { url: target.url.replace("127.0.0.1", "localhost") });
    const second = await addMonitor(hub, hub.bob, { url: target.url });
    const stream = await hub.connect(hub.bob.token);
    await finishChecks(hub);
    const seen = await stream.next("monitor", ({ id }) => id === first);
    stream.abort();
    await until(() => hub.deps.live.streams() === 0);
    target.answer.status = 500;
    await hub.clock.advance(30_000);
    await hub.as(hub.bob).post(`/api/monitors/${second}/check`);
    const resumed = await hub.connect(hub.bob.token, { "last-event-id": seen.id });
    await resumed.next("monitor", ({ id, status }) => id === second && status === "down");
    expect(resumed.received[0]?.event).toBe("ready");
    expect(resumed.received.some(({ event, data }) => event === "monitor" && data.id === first)).toBe(false);
    for (const unknown of ["another-1", `${hub.deps.instance}-999999`, "x", "x".repeat(5000)]) {
      const reset = await hub.connect(hub.bob.token, { "last-event-id": unknown });
      await reset.next("reset");
      expect(reset.received[0]?.event).toBe("reset");
      reset.abort();
    }
  });
});

describe("the end of a stream", () => {
  it("follows the end of its session, and a bad token is refused", async () => {
    const hub = await setUp();
    const stream = await hub.connect(hub.bob.token);
    const other = await hub.connect(hub.charlie.token);
    await Promise.all([stream.next("ready"), other.next("ready")]);
    expect((await hub.connect("wrong")).response.status).toBe(401);
    await hub.as(hub.bob).post("/api/auth/logout");
    expect(await stream.ended()).toBe("closed");
    expect(hub.deps.live.streams()).toBe(1);
    expect((await hub.connect(hub.bob.token)).response.status).toBe(401);
  });

  it("follows the deletion of its user, a change of role and the revocation of its key", async () => {
    const hub = await setUp();
    const alice = hub.as(hub.alice);
    const dora = await addUser(hub.deps, "dora", "admin");
    const made = await hub.as(hub.charlie).post("/api/keys", { name: "reader", scope: "read" });
    const [bob, charlie, dora2] = [
      await hub.connect(hub.bob.token),
      await hub.connect(made.body.key),
      await hub.connect(dora.token),
    ];
    await alice.delete(`/api/users/${hub.bob.id}`);
    expect(await bob.ended()).toBe("closed");
    await hub.as(hub.charlie).delete(`/api/keys/${made.body.data.id}`);
    expect(await charlie.ended()).toBe("closed");
    await hub.db.update(users).set({ role: "user" }).where(eq(users.id, dora.id));
    await hub.deps.live.recheckHere();
    expect(await dora2.ended()).toBe("closed");
  });

  it("follows the expiry of the session, within the time between two heartbeats", async () => {
    const hub = await setUp();
    const stream = await hub.connect(hub.bob.token);
    await hub.clock.advance(HEARTBEAT);
    await hub.deps.live.beat();
    await stream.nextHeartbeat();
    await hub.clock.advance(8 * 86_400_000);
    await hub.deps.live.beat();
    expect(await stream.ended()).toBe("closed");
  });

  it("follows the stop of the hub, which refuses further ones and does not wait for readers", async () => {
    const hub = await setUp();
    const stream = await hub.connect(hub.bob.token);
    await stream.next("ready");
    hub.deps.live.stop();
    expect(await stream.ended()).toBe("closed");
    expect((await hub.connect(hub.bob.token)).response.status).toBe(503);
  });
});

describe("the number of streams", () => {
  it("is bounded for each user, and a closed one makes room", async () => {
    const hub = await setUp();
    const another = await sessionOf(hub, hub.bob);
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, index) => hub.connect(index < 15 ? hub.bob.token : another)),
    );
    const refused = await hub.call("/api/live", { headers: { authorization: `Bearer ${another}` } });
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "too_many_streams",
      "60",
    ]);
    expect((await hub.connect(hub.charlie.token)).response.status).toBe(200);
    streams[0]?.abort();
    await until(() => hub.deps.live.streams() === 20);
    expect((await hub.connect(hub.bob.token)).response.status).toBe(200);
  });

  it("is bounded for each session and each key, so that a reader's key leaves streams to its owner", async () => {
    const hub = await setUp();
    const { key } = (await hub.as(hub.bob).post("/api/keys", { name: "reader", scope: "read" })).body;
    const openAll = async (secret: string, count: number) => {
      const all = await Promise.all(Array.from({ length: count }, () => hub.connect(secret)));
      return all.map(({ response }) => response.status).filter((status) => status === 200).length;
    };
    expect(await openAll(key, 20)).toBe(5);
    // As the 20 windows of one browser.
    expect(await openAll(hub.bob.token, 20)).toBe(15);
    const { body } = await hub.call("/api/live", { headers: { authorization: `Bearer ${hub.bob.token}` } });
    expect([body.code, body.message]).toEqual([
      "too_many_streams",
      "You have too many pages open that follow changes live.",
    ]);
  });

  it("is not changed by HEAD, which answers with the headers of a stream and ends", async () => {
    const hub = await setUp();
    const { key } = (await hub.as(hub.bob).post("/api/keys", { name: "reader", scope: "read" })).body;
    const head = () => hub.call("/api/live", { method: "HEAD", headers: { authorization: `Bearer ${key}` } });
    for (let sent = 0; sent < 25; sent++) {
      const { status, headers } = await head();
      expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    }
    expect(hub.deps.live.streams()).toBe(0);
    expect((await hub.connect(key)).response.status).toBe(200);
  });
});
