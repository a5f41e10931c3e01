import { describe, expect, it } from "bun:test";
import { viewerOf } from "../../db/owner";
import type { LiveSample } from "../../shared/live";
import { createHeldClock, START } from "../../testing/clock";
import { readEvents } from "../../testing/event-stream";
import { createLive } from "./live";
import type { LiveViewMessage } from "./view";

const [BOB, ALICE] = [2, 1];
/** Bob's. */
const TEAM = 20;
const here = new AbortController().signal;
const sampleOf = (id: number, cpu_usage = 12.5) => ({ id, at: "2026-01-15T12:20:00.000Z", cpu_usage }) as LiveSample;

const setUp = () => {
  const clock = createHeldClock();
  const live = createLive({ clock, instance: "one" });
  const relayed: LiveViewMessage[] = [];
  live.on("view", (message) => relayed.push(message));
  const open = (id: number, role: "user" | "admin" = "user") =>
    readEvents(
      live.open(viewerOf({ userId: id, teamId: 10 * id }, role, role === "admin"), null, { isValid: async () => true }),
    );
  return { clock, live, view: live.view, relayed, open };
};

describe("a waiting agent", () => {
  it("is answered when its server is watched, with the seconds for which that lasts", async () => {
    const { clock, view } = setUp();
    const [five, six] = [view.wait(5, here), view.wait(6, here)];
    await clock.advance(10_000);
    view.watch(BOB, 5, TEAM);
    expect(await five).toBe(35);
    expect(await view.wait(5, here)).toBe(35);
    expect(view.sizes()).toEqual({ waiting: 1, watched: 1 });
    await clock.advance(45_000);
    expect(await six).toBe(0);
    expect(view.sizes().waiting).toBe(0);
  });

  it("is answered when it calls a second time, but not twice in a second", async () => {
    const { clock, view } = setUp();
    const first = view.wait(5, here);
    await expect(view.wait(5, here)).rejects.toMatchObject({ code: "rate_limited" });
    await clock.advance(1000);
    const second = view.wait(5, here);
    expect(await first).toBe(0);
    expect(view.sizes().waiting).toBe(1);
    view.watch(BOB, 5, TEAM);
    expect(await second).toBe(35);
  });

  it("leaves its place when its connection is closed", async () => {
    const { view } = setUp();
    const connection = new AbortController();
    const waiting = view.wait(5, connection.signal);
    connection.abort();
    expect(await waiting).toBe(0);
    expect(view.sizes().waiting).toBe(0);
  });

  it("is answered at once when the console stops", async () => {
    const { live, view } = setUp();
    const waiting = view.wait(5, here);
    live.stop();
    expect(await waiting).toBe(0);
    expect(await view.wait(6, here)).toBe(0);
    expect(view.invites(5)).toBe(false);
    expect(view.watch(BOB, 5, TEAM)).toBeNull();
  });

  it("is one of 2,000 at most; of those that report fewer are invited, and those whose server is watched first", async () => {
    const { clock, view } = setUp();
    const unwatched = 6000;
    for (let invited = 0; invited < 1800; invited++) expect(view.invites(unwatched)).toBe(true);
    expect(view.invites(unwatched)).toBe(false);
    await clock.advance(5000);
    expect(view.invites(unwatched)).toBe(true);

    const all = Array.from({ length: 1999 }, (_, index) => view.wait(index + 1, here));
    expect(view.invites(unwatched)).toBe(false);
    view.watch(BOB, 5000, TEAM);
    expect([view.invites(5000), view.invites(5001)]).toEqual([true, false]);
    all.push(view.wait(5002, here));
    expect(view.invites(5000)).toBe(false);
    await expect(view.wait(5003, here)).rejects.toMatchObject({ code: "unavailable" });
    await clock.advance(55_000);
    expect(new Set(await Promise.all(all))).toEqual(new Set([0]));
  });
});

describe("samples of a watched server", () => {
  it("reach the streams of those who watch it only, and are not sent again", async () => {
    const { view, open } = setUp();
    const [bob, other, alice, admin] = [open(BOB), open(3), open(ALICE, "admin"), open(9, "admin")];
    view.watch(BOB, 5, TEAM);
    view.watch(ALICE, 5, TEAM);
    expect(view.publish(5, [sampleOf(5, 20), sampleOf(5, 30)])).toBe(35);
    for (const stream of [bob, alice])
      expect(await stream.next("sample", ({ cpu_usage }) => cpu_usage === 30)).toMatchObject({ data: sampleOf(5, 30) });
    expect(bob.received.filter(({ event }) => event === "sample").map(({ id }) => id)).toEqual([
      undefined,
      undefined,
    ] as never);
    for (const stream of [other, admin]) expect(stream.received.some(({ event }) => event === "sample")).toBe(false);
    const lastId = bob.received.find(({ event }) => event === "ready")?.id ?? "";
    expect(lastId).toBe("one-0");
  });

  it("are wanted until the mark ends, which a further one renews", async () => {
    const { clock, view } = setUp();
    view.watch(BOB, 5, TEAM);
    await clock.advance(20_000);
    expect(view.publish(5, [sampleOf(5)])).toBe(15);
    view.watch(BOB, 5, TEAM);
    expect(view.publish(5, [sampleOf(5)])).toBe(35);
    await clock.advance(35_000);
    expect(view.publish(5, [sampleOf(5)])).toBe(0);
    view.watch(BOB, 6, TEAM);
    expect(view.sizes().watched).toBe(1);
  });

  it("are not wanted for longer when the clock is set back", () => {
    const { clock, view } = setUp();
    view.watch(BOB, 5, TEAM);
    clock.set(START - 3_600_000);
    expect(view.publish(5, [sampleOf(5)])).toBe(0);
  });

  it("are refused from an agent that sends more than two calls a second, and from one that has no viewer", async () => {
    const { clock, view, open } = setUp();
    const stream = open(BOB);
    expect(view.publish(5, [sampleOf(5, 1)])).toBe(0);
    view.watch(BOB, 5, TEAM);
    expect([2, 3, 4].map((cpu) => view.publish(5, [sampleOf(5, cpu)]))).toEqual([35, 35, 0]);
    await clock.advance(1000);
    view.publish(5, [sampleOf(5, 5)]);
    await stream.next("sample", ({ cpu_usage }) => cpu_usage === 5);
    const seen = stream.received.flatMap((one) => (one.event === "sample" ? one.data.cpu_usage : []));
    expect(seen).toEqual([2, 3, 5]);
  });

  it("are there for a page that opens later, while they arrive", async () => {
    const { clock, view } = setUp();
    expect(view.watch(BOB, 5, TEAM)).toBeNull();
    view.publish(5, [sampleOf(5, 20)]);
    expect(view.watch(ALICE, 5, TEAM)).toEqual(sampleOf(5, 20));
    await clock.advance(5000);
    expect(view.watch(ALICE, 5, TEAM)).toBeNull();
  });
});

describe("bounds", () => {
  it("a user watches 20 servers at most: the one that was not renewed for the longest time ends", async () => {
    const { clock, view } = setUp();
    for (let id = 1; id <= 20; id++) {
      view.watch(BOB, id, TEAM);
      await clock.advance(10);
    }
    view.watch(BOB, 1, TEAM);
    view.watch(BOB, 100, TEAM);
    const wanted = [1, 2, 3, 100].map((id) => view.publish(id, []) > 0);
    expect(wanted).toEqual([true, false, true, true]);
  });

  it("500 servers are watched at most", () => {
    const { view } = setUp();
    for (let id = 1; id <= 600; id++) view.watch(1000 + Math.floor(id / 15), id, TEAM);
    expect(view.sizes().watched).toBe(500);
    expect([view.publish(500, []), view.publish(501, [])]).toEqual([35, 0]);
  });
});

describe("over instances", () => {
  it("a mark is passed on, and wakes an agent that waits at another instance", async () => {
    const [one, two] = [setUp(), setUp()];
    const waiting = two.view.wait(5, here);
    one.view.watch(BOB, 5, TEAM);
    expect(one.relayed).toEqual([{ watch: 5 }]);
    two.view.receive({ watch: 5 });
    expect(await waiting).toBe(35);
    const stream = one.open(BOB);
    expect(two.view.publish(5, [sampleOf(5)])).toBe(35);
    expect(two.relayed).toEqual([{ sample: sampleOf(5) }]);
    one.view.receive({ sample: sampleOf(5) });
    await stream.next("sample");
    expect(one.view.watch(BOB, 5, TEAM)).toEqual(sampleOf(5));
  });

  it("samples without a viewer at another instance are not passed on", () => {
    const { view, relayed } = setUp();
    view.watch(BOB, 5, TEAM);
    view.publish(5, [sampleOf(5)]);
    expect(relayed).toEqual([{ watch: 5 }]);
    view.receive({ sample: sampleOf(6) });
  });
});
