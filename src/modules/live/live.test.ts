import { describe, expect, it } from "bun:test";
import { EVERYTHING, viewerOf } from "../../db/owner";
import { HEARTBEAT, type LiveChange } from "../../shared/live";
import { createTestClock } from "../../testing/clock";
import { readEvents } from "../../testing/event-stream";
import { createLive } from "./live";
import { ALL_TEAMS, scopeOf } from "./log";

const BOB = viewerOf({ userId: 2, teamId: 20 });
const ADMIN = { ...EVERYTHING, id: 1, teamId: 10 };
const valid = { isValid: async () => true };

const change = (id: number, status: "up" | "down" = "up", teamId = BOB.teamId, changed = true): LiveChange => ({
  event: "monitor",
  teamId,
  changed,
  data: { id, status, response_time: 1, last_checked: "2026-01-15T12:20:00.000Z" },
});

const setUp = (maxKept?: number) => {
  const clock = createTestClock();
  const live = createLive({ clock, instance: "one", ...(maxKept && { maxKept }) });
  return {
    clock,
    live,
    open: (viewer: typeof BOB | typeof ADMIN = BOB, id: string | null = null) =>
      readEvents(live.open(viewer, id, valid)),
  };
};

describe("publish", () => {
  it("does nothing while no page is open", () => {
    const { live } = setUp();
    expect(live.watched()).toBe(false);
    live.publish([change(1)]);
    expect(live.open(BOB, null, valid)).toBeInstanceOf(ReadableStream);
    expect(live.watched()).toBe(true);
  });

  it("sends a change of state at once, with the results that were collected", async () => {
    const { live, open } = setUp();
    const stream = open();
    live.publish([change(1, "up", BOB.teamId, false)]);
    live.publish([change(1, "up", BOB.teamId, false), change(2, "down")]);
    await stream.next("monitor", ({ id }) => id === 2);
    expect(stream.received.map(({ event, id }) => [event, id])).toEqual([
      ["ready", "one-0"],
      ["monitor", "one-1"],
      ["monitor", "one-2"],
    ]);
  });

  it("sends at most 500 results at once, and every change of state", async () => {
    const { live, open } = setUp();
    const stream = open();
    const results = Array.from({ length: 2000 }, (_, index) => change(index + 1, "up", BOB.teamId, false));
    live.publish([...results, change(9999, "down")]);
    await stream.next("monitor", ({ id }) => id === 9999);
    expect(stream.received.filter(({ event }) => event === "monitor")).toHaveLength(500);
  });

  it("treats a status other than the latest as a change", async () => {
    const { live, open } = setUp();
    const counted: unknown[] = [];
    live.on("count", (teamId) => counted.push(teamId));
    const stream = open();
    const { changed: _, ...up } = change(1, "up");
    live.publish([up]);
    live.publish([up]);
    const { changed: __, ...down } = change(1, "down");
    live.publish([down]);
    await stream.next("monitor", ({ status }) => status === "down");
    expect(counted).toEqual([BOB.teamId, BOB.teamId, BOB.teamId]);
  });
});

describe("a stream that is opened again", () => {
  it("gets the latest event of each target that it has missed, of its own targets only", async () => {
    const { live, open } = setUp();
    open(ADMIN);
    for (const [id, status] of [
      [1, "up"],
      [2, "up"],
      [1, "down"],
      [2, "down"],
      [2, "up"],
    ] as const)
      live.publish([change(id, status)]);
    live.publish([change(7, "down", 3)]);
    const stream = open(BOB, "one-2");
    await stream.next("monitor", ({ id }) => id === 2);
    expect(stream.received.map(({ id }) => id)).toEqual(["one-6", "one-3", "one-5"]);
    const admin = open(ADMIN, "one-5");
    expect((await admin.next("monitor")).data.id).toBe(7);
  });

  it("begins with reset when events may be missing", async () => {
    const { live, open, clock } = setUp(3);
    const first = open();
    for (const id of [1, 2, 3, 4, 5]) live.publish([change(id)]);
    await first.next("monitor", ({ id }) => id === 5);
    expect((await open(BOB, "one-2").next("ready")).id).toBe("one-5");
    expect((await open(BOB, "one-1").next("reset")).id).toBe("one-5");
    expect((await open(BOB, "two-4").next("reset")).id).toBe("one-5");
    // Nothing is recorded a minute after the last page was closed.
    const other = setUp();
    const closed = other.open();
    other.live.publish([change(1)]);
    await closed.next("monitor");
    await closed.cancel();
    await other.clock.advance(60_000);
    other.live.publish([change(1, "down")]);
    expect((await other.open(BOB, "one-1").next("reset")).event).toBe("reset");
    expect(clock.now()).toBeLessThan(other.clock.now());
  });
});

describe("memory", () => {
  it("of a stream whose reader takes nothing is bounded: it is disconnected", async () => {
    const { live } = setUp();
    const body = live.open(BOB, null, valid);
    const big = (id: number): LiveChange => {
      const one = change(id);
      return { ...one, data: { ...one.data, error_detail: { reply: "x".repeat(1000) } } } as LiveChange;
    };
    let rounds = 0;
    while (live.streams() > 0 && rounds < 1000) {
      live.publish(Array.from({ length: 50 }, (_, index) => big(index)));
      rounds++;
    }
    expect(rounds).toBeLessThan(10);
    expect(await readEvents(body).ended()).toBe("broken");
  });

  it("is released when the request of a stream is aborted, read or not", () => {
    const { live } = setUp();
    const request = new AbortController();
    live.open(BOB, null, { ...valid, signal: request.signal });
    expect(live.streams()).toBe(1);
    request.abort();
    live.open(BOB, null, { ...valid, signal: request.signal });
    expect([live.streams(), live.scopes()]).toEqual([0, []]);
  });

  it("is released when a stream is cancelled", async () => {
    const { live, open } = setUp();
    const stream = open();
    await stream.next("ready");
    await stream.cancel();
    expect([live.streams(), live.scopes()]).toEqual([0, []]);
  });
});

describe("beat", () => {
  it("sends a heartbeat to each stream every 15 seconds, also after the clock was set back", async () => {
    const { live, open, clock } = setUp();
    const stream = open();
    await clock.advance(HEARTBEAT - 1);
    await live.beat();
    expect(stream.heartbeats()).toBe(0);
    await clock.advance(1);
    await live.beat();
    await stream.nextHeartbeat();
    await clock.advance(-3_600_000);
    await live.beat();
    await stream.nextHeartbeat(2);
  });

  it("keeps a stream while it is unknown whether its session is valid", async () => {
    const { live, clock } = setUp();
    let answer: () => Promise<boolean> = () => Promise.reject(new Error("no database"));
    const stream = readEvents(live.open(BOB, null, { isValid: () => answer() }));
    await clock.advance(HEARTBEAT);
    await live.beat();
    expect(live.streams()).toBe(1);
    answer = async () => false;
    await live.recheck();
    expect(await stream.ended()).toBe("closed");
  });
});

it("users see their own counts, and administrators the counts of everyone", async () => {
  const { live, open } = setUp();
  const [bob, admin] = [open(), open(ADMIN)];
  const counts = (all: number) => ({
    monitors: { all, up: all, degraded: 0, down: 0, pending: 0, paused: 0, unknown: 0 },
    agents: { all: 0, active: 0, inactive: 0, connecting: 0 },
  });
  live.sendCounts(scopeOf(BOB), counts(2));
  live.sendCounts(ALL_TEAMS, counts(5));
  expect((await bob.next("counts")).data.monitors.all).toBe(2);
  expect((await admin.next("counts")).data.monitors.all).toBe(5);
});
