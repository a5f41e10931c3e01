import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../../core/config";
import { outages } from "../../../../db/schema";
import { createTestApp, type TestApp } from "../../../../testing/app";
import { START, until } from "../../../../testing/clock";
import { finishChecks, readState } from "../../../../testing/fixtures/engine";
import { addMonitor, countHistory, storedChecks } from "../../../../testing/fixtures/monitors";
import { createWorld, passUntil } from "../../../../testing/servers/network-world";
import { testOutbound } from "../../../../testing/servers/target-of";

const setUp = async (count = 4, interval = 60) => {
  const world = createWorld(count);
  const app = await createTestApp({ witnesses: world.witnesses() });
  const { alice } = await app.people();
  const ids: number[] = [];
  for (const url of world.urls) ids.push(await addMonitor(app, alice, { url, timeout: 5, interval }));
  await finishChecks(app);
  return { world, app, alice, ids };
};

const statuses = (app: TestApp, ids: number[]) => Promise.all(ids.map(async (id) => (await readState(app, id)).status));

describe("a hub whose own network is cut", () => {
  it("accuses no target, counts no check of that time, and goes on when it is back", async () => {
    const { world, app, ids } = await setUp();
    await world.cut();
    await app.clock.advance(60_000);
    await passUntil(app, "the loss", () => app.connectivity.state() === "lost");
    await until(() => app.engine.inFlight() === 0, "the checks to be given back");
    expect(app.connectivity.lostSince()).toBe(START);
    expect(await statuses(app, ids)).toEqual(["up", "up", "up", "up"]);
    expect(await app.db.$count(outages)).toBe(0);
    world.mend();
    await passUntil(app, "the network to be back", () => app.connectivity.lostSince() === null);
    await app.clock.advance(60_000);
    await finishChecks(app);
    expect(await statuses(app, ids)).toEqual(["up", "up", "up", "up"]);
    for (const id of ids) expect((await storedChecks(app, id)).every(({ up }) => up)).toBe(true);
    expect((await countHistory(app, ids[0] as number)).checks).toBeWithin(2, 4);
    expect(app.logged.filter((line) => line.includes("connectivity is"))).toHaveLength(2);
  });

  it("checks targets again soon after it is back whose checks said nothing, and not an interval later", async () => {
    const { world, app, ids } = await setUp(4, 3600);
    await world.cut();
    await app.clock.advance(2 * 3_600_000);
    await passUntil(app, "the loss", () => app.connectivity.state() === "lost");
    await until(() => app.engine.inFlight() === 0, "the checks to be given back");
    world.mend();
    await passUntil(app, "the network to be back", () => app.connectivity.lostSince() === null);
    const backAt = app.clock.now();
    await passUntil(app, "a check of each", async () => {
      const counts = await Promise.all(ids.map((id) => countHistory(app, id)));
      return counts.every(({ checks }) => checks >= 2);
    });
    expect(app.clock.now() - backAt).toBeLessThan(60_000);
  });

  it("for less time than a check takes accuses no target", async () => {
    const { world, app, ids } = await setUp();
    await app.clock.advance(60_000);
    await world.cut();
    await app.engine.tick();
    // All have failed once.
    await until(() => app.logged.filter((line) => line.includes('"up":false')).length === 4, "the failures");
    world.mend();
    await passUntil(app, "the checks to end", () => app.engine.inFlight() === 0);
    expect(await statuses(app, ids)).toEqual(["up", "up", "up", "up"]);
    expect(await app.db.$count(outages)).toBe(0);
  });

  it("for a few seconds dates no outage back that is found after it", async () => {
    const { world, app, ids } = await setUp();
    const [first = 0] = ids;
    await app.clock.advance(60_000);
    await world.cut();
    await app.engine.tick();
    await until(() => world.asked() > 0, "the suspicion");
    await until(() => app.logged.filter((line) => line.includes('"up":false')).length === 4, "the failures");
    await app.clock.advance(1000);
    const back = app.clock.now();
    world.mend();
    await world.stop(0);
    await passUntil(app, "the outage", async () => (await readState(app, first)).status === "down");
    await passUntil(app, "the checks to end", () => app.engine.inFlight() === 0);
    expect(await statuses(app, ids)).toEqual(["down", "up", "up", "up"]);
    const [outage] = await app.db.select().from(outages);
    expect(outage?.startedAt).toBeGreaterThanOrEqual(back);
    expect(app.connectivity.lostSince()).toBeNull();
  });

  it("during an outage leaves the outage as it is, and finds one that began during the cut", async () => {
    const { world, app, ids } = await setUp();
    const [first = 0, second = 0] = ids;
    await world.stop(0);
    await app.clock.advance(60_000);
    await passUntil(app, "the outage", async () => (await readState(app, first)).status === "down");
    // One more failure of a target that is down changes nothing; it counts if it comes before all others.
    const before = (await countHistory(app, first)).checks + 1;
    await world.cut();
    await app.clock.advance(60_000);
    await passUntil(app, "the loss", () => app.connectivity.state() === "lost");
    await until(() => app.engine.inFlight() === 0, "the checks to be given back");
    expect((await countHistory(app, first)).checks).toBeLessThanOrEqual(before);
    const lostAt = app.clock.now();
    world.mend();
    await world.stop(0);
    await world.stop(1);
    await passUntil(app, "the second outage", async () => (await readState(app, second)).status === "down");
    await finishChecks(app);
    expect(await statuses(app, ids)).toEqual(["down", "down", "up", "up"]);
    const rows = await app.db.select().from(outages);
    expect(rows).toHaveLength(2);
    expect(rows.find(({ targetId }) => targetId === second)?.startedAt).toBeGreaterThan(lostAt);
  });

  it("and is stopped while failures wait gives their checks back, so that they are made again at the next start", async () => {
    const { world, app, ids } = await setUp();
    await world.cut();
    await app.clock.advance(60_000);
    await app.engine.tick();
    await until(() => app.logged.filter((line) => line.includes('"up":false')).length === 4, "the failures");
    await app.engine.stop();
    expect(app.engine.inFlight()).toBe(0);
    for (const id of ids)
      expect(await readState(app, id)).toMatchObject({ status: "up", claimedBy: null, lastCheckedAt: START });
  });
});

describe("a hub whose own network works", () => {
  it("tells the outage of half of its targets, from the first failed check of each", async () => {
    const { world, app, ids } = await setUp(6);
    for (const index of [0, 1, 2]) await world.stop(index);
    await app.clock.advance(60_000);
    await passUntil(app, "the outages", async () => (await app.db.$count(outages)) === 3);
    expect(await statuses(app, ids)).toEqual(["down", "down", "down", "up", "up", "up"]);
    for (const { startedAt } of await app.db.select().from(outages)) {
      expect(startedAt).toBeGreaterThanOrEqual(START + 60_000);
      expect(startedAt).toBeLessThan(START + 63_000);
    }
    expect(app.connectivity.lostSince()).toBeNull();
  });

  it("asks no monitor that is paused", async () => {
    const { world, app, alice, ids } = await setUp(2);
    await app.as(alice).post(`/api/monitors/${ids[1]}/pause`);
    const before = world.requests.length;
    await world.stop(0);
    await app.clock.advance(60_000);
    await passUntil(app, "the outage", async () => (await app.db.$count(outages)) === 1);
    expect(world.requests.slice(before)).toEqual([]);
  });

  it("tells the outage of its only target", async () => {
    const { world, app, ids } = await setUp(1);
    await world.stop(0);
    await app.clock.advance(60_000);
    await passUntil(app, "the outage", async () => (await app.db.$count(outages)) === 1);
    expect(await statuses(app, ids)).toEqual(["down"]);
  });
});

describe.if(processDialect === "postgres")("an instance that is blind", () => {
  it("gives its claims back, and the other one decides", async () => {
    const world = createWorld(4);
    let blind = false;
    const cutOff = () => Promise.reject(Object.assign(new Error("cut off"), { code: "ENETUNREACH" }));
    const outbound: typeof testOutbound = {
      ...testOutbound,
      connect: (connection) => (blind ? cutOff() : testOutbound.connect(connection)),
      request: (request) => (blind ? cutOff() : testOutbound.request(request)),
    };
    const first = await createTestApp({ outbound, witnesses: world.witnesses(() => blind) });
    const second = await createTestApp({ db: first.db, clock: first.clock, witnesses: world.witnesses() });
    const { alice } = await first.people();
    const ids: number[] = [];
    for (const url of world.urls) ids.push(await addMonitor(first, alice, { url, timeout: 5 }));
    await finishChecks(first);
    blind = true;
    await world.stop(0);
    await first.clock.advance(60_000);
    await passUntil(first, "the loss", () => first.connectivity.state() === "lost");
    await until(() => first.engine.inFlight() === 0, "the claims to be given back");
    expect(await statuses(first, ids)).toEqual(["up", "up", "up", "up"]);
    await passUntil(second, "the outage", async () => (await readState(second, ids[0] as number)).status === "down");
    await finishChecks(second);
    expect(await statuses(second, ids)).toEqual(["down", "up", "up", "up"]);
    expect(await second.db.$count(outages)).toBe(1);
    expect(second.connectivity.lostSince()).toBeNull();
  });
});
