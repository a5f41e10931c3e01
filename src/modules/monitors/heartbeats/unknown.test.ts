import { describe, expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { watchHeartbeat as setUp } from "../../../testing/fixtures/heartbeats";
import { publish, readStatusData } from "../../../testing/fixtures/status-page";
import { extendDeadlines } from "./deadlines";

describe("the time in which the hub knew nothing", () => {
  it("is not counted against a job: one whose ping was due then is expected a period later", async () => {
    for (const [grace, extended] of [
      [60, 2 * MINUTE],
      [3600, HOUR + MINUTE],
    ] as const) {
      const { app, ping, pass, detail, statusNow, sweep } = await setUp({ every: 60, grace });
      await ping();
      const from = app.clock.now() + 30 * SECOND;
      await app.clock.advance(6 * HOUR);
      // A start of the hub.
      await extendDeadlines(app.deps, { from, to: app.clock.now() });
      expect((await detail()).heartbeat?.deadline).toBe(isoTime(app.clock.now() + extended));
      await sweep();
      expect(await statusNow()).toBe("up");
      await pass(extended + 2 * SECOND);
      expect(await statusNow()).toBe("down");
    }
  });

  it("is noticed when the process slept, and when the network of the hub is back", async () => {
    const { app, ping, detail, statusNow, pass, look } = await setUp({ every: 60, grace: 60 });
    let lostSince: number | null = null;
    app.deps.watching.observe("hub_offline", () => lostSince);
    await ping();
    await look();
    await app.clock.advance(HOUR);
    await look();
    expect([await statusNow(), (await detail()).heartbeat?.deadline]).toEqual([
      "up",
      isoTime(app.clock.now() + 2 * MINUTE),
    ]);
    lostSince = app.clock.now();
    await pass(10 * MINUTE);
    lostSince = null;
    await pass(MINUTE);
    expect(await statusNow()).toBe("up");
  });

  it("accuses no job whose ping fell into a restart or a cut of half a minute", async () => {
    const { app, ping, pass, look, statusNow, outages } = await setUp({ every: 60, grace: 10 });
    let lostSince: number | null = null;
    app.deps.watching.observe("hub_offline", () => lostSince);
    await ping();
    await pass(55 * SECOND);
    const from = app.clock.now();
    await app.clock.advance(25 * SECOND);
    // A start of the hub.
    await extendDeadlines(app.deps, { from, to: app.clock.now() });
    await look();
    await pass(40 * SECOND);
    await ping();
    await pass(50 * SECOND);
    lostSince = app.clock.now();
    await pass(25 * SECOND);
    lostSince = null;
    await pass(45 * SECOND);
    expect([await statusNow(), (await outages()).length]).toEqual(["up", 0]);
    await pass(40 * SECOND);
    expect(await statusNow()).toBe("down");
  });

  it("is a cut in which the clock was set back: the ping of a job is expected a period after its end", async () => {
    const { app, ping, pass, look, statusNow } = await setUp({ every: 60, grace: 15 });
    let lostSince: number | null = null;
    app.deps.watching.observe("hub_offline", () => lostSince);
    await ping();
    await pass(30 * SECOND);
    app.clock.set(app.clock.now() - 150 * SECOND);
    await look();
    lostSince = app.clock.now();
    await pass(40 * SECOND);
    lostSince = null;
    await pass(50 * SECOND);
    expect(await statusNow()).toBe("up");
    await pass(40 * SECOND);
    expect(await statusNow()).toBe("down");
  });

  it("excuses no job whose ping was missing before it", async () => {
    const { app, ping, pass, sweep, statusNow } = await setUp({ every: 60, grace: 10 });
    await ping();
    await pass(60 * SECOND);
    const from = app.clock.now() + 12 * SECOND;
    await app.clock.advance(40 * SECOND);
    await extendDeadlines(app.deps, { from, to: app.clock.now() });
    await sweep();
    expect(await statusNow()).toBe("down");
  });

  it("does not shorten a later deadline, and one that follows from a clock that was ahead counts from now", async () => {
    const { app, ping, detail, look } = await setUp({ every: 86_400, grace: 60 });
    const start = app.clock.now();
    await ping();
    const { deadline } = (await detail()).heartbeat ?? {};
    await extendDeadlines(app.deps, { from: start, to: start + MINUTE });
    expect((await detail()).heartbeat?.deadline).toBe(deadline);
    app.clock.set(start + 365 * DAY);
    await ping();
    await look();
    app.clock.set(start + HOUR);
    await look();
    expect((await detail()).heartbeat?.deadline).toBe(isoTime(start + HOUR + DAY + MINUTE));
  });
});

it("a job whose ping is missing is not accused while the hub's own network does not work", async () => {
  const { app, ping, pass, statusNow } = await setUp({ every: 60, grace: 60 });
  await ping();
  let works = false;
  app.deps.watching.confirmBy(async () => works);
  await pass(3 * MINUTE);
  expect(await statusNow()).toBe("up");
  works = true;
  await pass(SECOND);
  expect(await statusNow()).toBe("down");
});

describe("the time in which a ping may have been lost", () => {
  /** An hourly job whose second ping is due in a cut of two minutes of the hub's own network. */
  const losePing = async () => {
    const heartbeat = await setUp({ every: 3600, grace: 60 });
    const { app, ping, pass, client, id } = heartbeat;
    let lostSince: number | null = null;
    app.deps.watching.observe("hub_offline", () => lostSince);
    const start = app.clock.now();
    await ping();
    await pass(HOUR - MINUTE);
    lostSince = app.clock.now();
    await pass(2 * MINUTE);
    lostSince = null;
    await pass(MINUTE);
    const minutes = (time: string | null) => time && Math.floor((Date.parse(time) - start) / MINUTE);
    const gapsOf = (gaps: { from: string; to: string | null; reason: string }[]) =>
      gaps.map(({ from, to, reason }) => [reason, minutes(from), minutes(to)]);
    return {
      ...heartbeat,
      start,
      uptime: async () => (await heartbeat.detail()).availability["24h"],
      chart: async () => gapsOf((await client.get(`/api/monitors/${id}/series`)).body.gaps),
      runs: async () => gapsOf((await client.get(`/api/monitors/${id}/runs`)).body.gaps),
    };
  };

  it("is left out of its uptime, its chart, its runs and its days on a status page, until the next ping arrives", async () => {
    const { app, bob, pass, ping, uptime, chart, runs, id } = await losePing();
    const cut = ["hub_offline", 59, 61];
    expect(await chart()).toEqual([cut, ["ping_possibly_lost", 61, null]]);
    await pass(38 * MINUTE);
    expect(await uptime()).toMatchObject({ uptime: 100, watched: 59, watched_seconds: 59 * 60 });
    await ping();
    await pass(20 * MINUTE);
    expect(await uptime()).toMatchObject({ uptime: 100, watched: 65.833, watched_seconds: 79 * 60 });
    const both = [cut, ["ping_possibly_lost", 61, 100]];
    expect([await chart(), await runs()]).toEqual([both, both]);
    await publish(app, bob, { monitors: [id] });
    const [shown] = (await readStatusData(app, "bob")).monitors;
    expect(shown?.days.reduce((sum, day) => sum + day.unknown_seconds, 0)).toBe(41 * 60);
  });

  it("ends with the time at which the next ping was missing", async () => {
    const { pass, uptime, statusNow } = await losePing();
    // The next one is expected an hour after the cut.
    await pass(61 * MINUTE);
    expect(await statusNow()).toBe("down");
    const { watched_seconds, down_seconds } = await uptime();
    expect([watched_seconds, down_seconds]).toEqual([59 * 60 + 115, 115]);
  });

  it("begins after the ping of another run that arrived in the gap", async () => {
    const { app, ping, pass, detail, look } = await setUp({ every: 3600, grace: 600 });
    let lostSince: number | null = null;
    app.deps.watching.observe("hub_offline", () => lostSince);
    await look();
    await ping("/start?rid=0f6b1c6e-2a0b-4b8e-9c55-0d1f0a0e0001");
    lostSince = app.clock.now();
    await pass(4 * MINUTE);
    await ping("?rid=0f6b1c6e-2a0b-4b8e-9c55-0d1f0a0e0002");
    const at = isoTime(app.clock.now());
    await pass(MINUTE);
    lostSince = null;
    await pass(MINUTE);
    expect((await detail()).unknown).toEqual({ since: at, reason: "ping_possibly_lost" });
  });

  it("ends with a pause and with a change of its schedule", async () => {
    const { app, client, id, start, uptime } = await losePing();
    app.clock.set(start + 70 * MINUTE);
    await client.post(`/api/monitors/${id}/pause`);
    app.clock.set(start + 80 * MINUTE);
    await client.post(`/api/monitors/${id}/resume`);
    app.clock.set(start + 100 * MINUTE);
    expect(await uptime()).toMatchObject({ watched_seconds: 79 * 60 });
  });
});
