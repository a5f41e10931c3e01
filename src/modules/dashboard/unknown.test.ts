import { expect, it } from "bun:test";
import { isoTime } from "../../lib/time";
import { HOUR, MINUTE, SECOND } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { readEvents } from "../../testing/event-stream";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { addHeartbeat, createSweep } from "../../testing/fixtures/heartbeats";
import { addMonitor, recordOnly } from "../../testing/fixtures/monitors";

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const client = app.as(bob);
  const lost: { since: number | null } = { since: null };
  app.deps.watching.observe("hub_offline", () => lost.since);
  const look = async () => {
    app.deps.watching.look();
    await app.deps.watching.stored();
  };
  await look();
  return {
    app,
    bob,
    client,
    look,
    lost,
    pass: async (length: number) => {
      for (const end = app.clock.now() + length; app.clock.now() < end; ) {
        await app.clock.advance(5 * SECOND);
        await look();
      }
    },
  };
};

it("while the hub knows nothing, each answer about a target and the dashboard say so", async () => {
  const { app, bob, client, lost, look, pass } = await setUp();
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  const paused = await addMonitor(app, bob, { url: "https://old.example/", active: false });
  const server = await enrollAgent(app, bob);
  await server.report([sampleAt(app.clock.now())]);
  await recordOnly(app, id, [{ at: START }]);
  const stream = readEvents(
    (await app.send(new Request("http://localhost/api/live", { headers: { authorization: `Bearer ${bob.token}` } })))
      .body,
  );
  const read = async () => {
    const monitors = (await client.get("/api/monitors")).body.monitors;
    const compact = (await client.get("/api/monitors?fields=compact")).body.monitors;
    const { unknown, latest_agents, latest_monitors } = (await client.get("/api/dashboard")).body;
    return [
      unknown,
      monitors.find((one) => one.id === id)?.unknown,
      compact.find((one) => one.id === id)?.unknown,
      latest_monitors.find((one) => one.id === id)?.unknown,
      (await client.get(`/api/monitors/${id}`)).body.monitor.unknown,
      latest_agents[0]?.unknown,
      (await client.get("/api/agents")).body.agents[0]?.unknown,
      (await client.get(`/api/agents/${server.id}`)).body.agent.unknown,
    ];
  };
  await pass(MINUTE);
  lost.since = START + 50 * SECOND;
  await look();
  const unknown = { since: isoTime(START + 50 * SECOND), reason: "hub_offline" as const };
  expect(await read()).toEqual(Array(8).fill(unknown));
  expect((await client.get(`/api/monitors/${paused}`)).body.monitor.unknown).toBeNull();
  expect(await stream.next("watching")).toMatchObject({ data: { unknown } });
  const gaps = async () => [
    (await client.get(`/api/monitors/${id}/series`)).body.gaps,
    (await client.get(`/api/agents/${server.id}/metrics`)).body.gaps,
  ];
  const gap = { from: unknown.since, to: null as string | null, reason: unknown.reason };
  expect(await gaps()).toEqual([[gap], [gap]]);
  await pass(MINUTE);
  lost.since = null;
  await pass(5 * SECOND);
  expect(await read()).toEqual(Array(8).fill(null));
  await stream.next("watching", (data) => data.unknown === null);
  gap.to = isoTime(START + 125 * SECOND);
  expect(await gaps()).toEqual([[gap], [gap]]);
  app.clock.set(START + 150 * SECOND);
  const { availability } = (await client.get(`/api/monitors/${id}`)).body.monitor;
  expect(availability["24h"]).toMatchObject({ uptime: 100, watched: 50, watched_seconds: 75 });
  for (const fields of ["", "?fields=compact"]) {
    const { monitors } = (await client.get(`/api/monitors${fields}`)).body;
    expect(monitors.find((one) => one.id === id)).toMatchObject({ uptime: 100, watched: 50 });
  }
  app.clock.set(START + 2 * 24 * HOUR);
  expect(await gaps()).toEqual([[], []]);
  await stream.cancel();
});

it("a ping that was due in a gap may have been lost: its heartbeat is unknown, not down, until the next one is due", async () => {
  const { app, bob, client, lost, pass } = await setUp();
  const beat = await addHeartbeat(app, bob, { every: 3600, grace: 60 });
  const { sweep } = createSweep(app);
  await beat.ping();
  await pass(HOUR - MINUTE);
  lost.since = app.clock.now();
  await pass(2 * MINUTE);
  lost.since = null;
  await pass(5 * SECOND);
  await sweep();
  const due = isoTime(START + HOUR);
  const gap = {
    from: isoTime(START + 59 * MINUTE),
    to: isoTime(START + 61 * MINUTE + 5 * SECOND),
    reason: "hub_offline",
  };
  expect(await beat.detail()).toMatchObject({
    status: "up",
    unknown: { since: due, reason: "ping_possibly_lost" },
    heartbeat: { possibly_lost: { expected_at: due, gap } },
  });
  const [listed] = (await client.get("/api/monitors?fields=compact")).body.monitors;
  expect(listed?.unknown).toEqual({ since: due, reason: "ping_possibly_lost" });
  expect(await beat.outages()).toEqual([]);
  await beat.ping();
  expect(await beat.detail()).toMatchObject({ unknown: null, heartbeat: { possibly_lost: null } });
});

it("a heartbeat whose ping may have been lost is down when the next one is missing, too", async () => {
  const { app, bob, lost, pass } = await setUp();
  const beat = await addHeartbeat(app, bob, { every: 600, grace: 60 });
  const { sweep } = createSweep(app);
  await beat.ping();
  await pass(9 * MINUTE);
  lost.since = app.clock.now();
  await pass(2 * MINUTE);
  lost.since = null;
  await pass(5 * SECOND);
  await sweep();
  await pass(12 * MINUTE);
  await sweep();
  expect(await beat.detail()).toMatchObject({ status: "down", unknown: null, heartbeat: { possibly_lost: null } });
});

it("a filter and the counts have the monitors whose state cannot be known", async () => {
  const { app, bob, client, lost, pass } = await setUp();
  const hourly = await addHeartbeat(app, bob, { every: 3600, grace: 60 });
  await addMonitor(app, bob, { url: "https://old.example/", name: "Old", active: false });
  const beat = await addHeartbeat(app, bob, { every: 600, grace: 60 });
  const unused = await addHeartbeat(app, bob, { every: 600, grace: 60 });
  const { sweep } = createSweep(app);
  for (const { ping } of [hourly, beat]) expect(await ping()).toBe(200);
  const read = async () => {
    const { counts, monitors, total } = (await client.get("/api/monitors?status=unknown")).body;
    const { unknown, up } = (await client.get("/api/dashboard")).body.monitors;
    expect([unknown, total]).toEqual([counts.unknown, counts.unknown]);
    return [monitors.map(({ id }) => id), counts.unknown, up];
  };
  expect(await read()).toEqual([[], 0, 2]);
  await pass(9 * MINUTE);
  // The end of its first run may be lost, too, but it has no known status.
  await unused.ping("/start");
  lost.since = app.clock.now();
  await pass(2 * MINUTE);
  expect(await read()).toEqual([[hourly.id, beat.id, unused.id], 3, 2]);
  lost.since = null;
  await pass(5 * SECOND);
  await sweep();
  expect(await read()).toEqual([[beat.id], 1, 2]);
  expect(await unused.detail()).toMatchObject({ status: "pending", unknown: null });
  await beat.ping();
  expect(await read()).toEqual([[], 0, 2]);
});

it("a heartbeat that reports while the network of the hub is down is unknown only since its report", async () => {
  const { app, bob, client, lost, pass } = await setUp();
  const other = await addHeartbeat(app, bob, { every: 3600, grace: 60 });
  expect(await other.ping()).toBe(200);
  const beat = await addHeartbeat(app, bob, { every: 3600, grace: 60 });
  const from = app.clock.now();
  lost.since = from;
  await pass(2 * MINUTE);
  expect(await beat.ping()).toBe(200);
  const at = isoTime(app.clock.now());
  await pass(MINUTE);
  expect((await beat.detail()).unknown).toEqual({ since: at, reason: "hub_offline" });
  const { monitors } = (await client.get("/api/monitors")).body;
  expect(monitors.map(({ unknown }) => unknown?.since)).toEqual([isoTime(from), at]);
});
