import { expect, it } from "bun:test";
import { isoTime } from "../../lib/time";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { addMonitor, recordOnly } from "../../testing/fixtures/monitors";
import { publish, readStatusData } from "../../testing/fixtures/status-page";
import { markOfflineServers } from "../servers/ingest/offline";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const add = (name: string, owner = alice) => addMonitor(app, owner, { url: "https://shop.example/", name });
  /** Records an outage of some minutes; it stays open if `minutes` is left out. */
  const fail = (id: number, at: number, minutes?: number) =>
    recordOnly(app, id, [{ at, up: false }, ...(minutes === undefined ? [] : [{ at: at + minutes * MINUTE }])]);
  const read = async () => {
    app.clock.set(app.deps.clock.now() + MINUTE);
    return readStatusData(app);
  };
  return { app, alice, bob, add, fail, read };
};

it("outages of one service within an hour of each other are one entry, and others have entries of their own", async () => {
  const { app, alice, add, fail, read } = await setUp();
  const [shop, bank] = [await add("shop"), await add("bank")];
  const noon = START - DAY;
  for (const [minutes, length] of [
    [0, 5],
    [30, 10],
    [95, 5],
    [200, 20],
  ] as const)
    await fail(shop, noon + minutes * MINUTE, length);
  await fail(bank, noon + 10 * MINUTE, 5);
  app.clock.set(START);
  await publish(app, alice, { monitors: [shop, bank] });
  const { outages } = await read();
  expect(outages.map(({ name, count, seconds, started_at }) => [name, count, seconds, started_at])).toEqual([
    ["shop", 1, 1200, isoTime(noon + 200 * MINUTE)],
    ["bank", 1, 300, isoTime(noon + 10 * MINUTE)],
    ["shop", 3, 1200, isoTime(noon)],
  ]);
  expect(outages[2]).toMatchObject({
    id: 1,
    target_type: "monitor",
    target_id: shop,
    ended_at: isoTime(noon + 100 * MINUTE),
    changed_at: isoTime(noon + 100 * MINUTE),
  });
});

it("an entry keeps its id while its outages go on, and is open while the last of them is", async () => {
  const { app, alice, add, fail, read } = await setUp();
  const shop = await add("shop");
  await publish(app, alice, { monitors: [shop] });
  await fail(shop, START, 5);
  const first = (await read()).outages;
  await fail(shop, START + 20 * MINUTE);
  app.clock.set(START + 30 * MINUTE);
  const second = await read();
  expect(second.monitors[0]?.since).toBe(isoTime(START + 20 * MINUTE));
  expect(second.outages).toMatchObject([{ id: first[0]?.id as number, count: 2, ended_at: null, seconds: 300 }]);
  await recordOnly(app, shop, [{ at: START + HOUR }]);
  app.clock.set(START + 61 * MINUTE);
  const third = await read();
  expect(third.outages).toMatchObject([{ id: first[0]?.id as number, ended_at: isoTime(START + HOUR) }]);
  expect(third.monitors[0]?.since).toBeNull();
});

it("the page lists outages of its targets in 14 days, at most 100 entries, and open outages always", async () => {
  const { app, alice, bob, add, fail, read } = await setUp();
  const [shop, hidden, theirs] = [await add("shop"), await add("hidden"), await add("theirs", bob)];
  await fail(shop, START - 20 * DAY, 5);
  await fail(shop, START - 13 * DAY, 5);
  for (const id of [hidden, theirs]) await fail(id, START - HOUR);
  await publish(app, alice, { monitors: [shop] });
  expect((await read()).outages.map(({ started_at }) => started_at)).toEqual([isoTime(START - 13 * DAY)]);
  await publish(app, bob, { monitors: [theirs] });
  const many = await Promise.all(Array.from({ length: 60 }, (_, index) => add(`m${index}`)));
  for (const id of many) for (const hours of [10, 8]) await fail(id, START - hours * HOUR, 1);
  await publish(app, alice, { monitors: many });
  expect((await read()).outages).toHaveLength(100);
  app.clock.set(START + 30 * DAY);
  expect((await readStatusData(app, "bob")).outages).toHaveLength(1);
});

it("a server that is offline has an outage and since when", async () => {
  const { app, alice, read } = await setUp();
  const agent = await enrollAgent(app, alice, { name: "Database" });
  await agent.report([sampleAt(START)]);
  await publish(app, alice, { agents: [agent.id] });
  app.clock.set(START + 10 * MINUTE);
  await markOfflineServers(app.deps);
  const { agents, outages, overall } = await read();
  expect(overall).toBe("outage");
  expect(outages).toMatchObject([{ target_type: "agent", target_id: agent.id, name: "Database", ended_at: null }]);
  expect(agents[0]?.since).toBe(outages[0]?.started_at as string);
});

it("outages of a component are listed while fewer of its targets work than have to, and maintenance of these does not count", async () => {
  const { app, alice, add, read } = await setUp();
  const [one, other, third] = [await add("one"), await add("other"), await add("third")];
  const check = (id: number, minutes: number, up: boolean) =>
    recordOnly(app, id, [{ at: START + minutes * MINUTE, up }]);
  for (const id of [one, other, third]) await check(id, -300, true);
  const client = app.as(alice);
  const component = (name: string, more: object) => ({ name, monitors: [one, other, third], ...more });
  const { status } = await client.post("/api/pages", {
    ...{ slug: "shop", title: "Shop" },
    components: [
      component("Any", { mode: "any" }),
      component("All", { mode: "all" }),
      component("Two", { mode: "at_least", n: 2 }),
      component("Fixed", { fixed_status: "operational" }),
    ],
  });
  expect(status).toBe(201);
  app.clock.set(START - 10 * MINUTE);
  const schedule = { kind: "once", from: isoTime(START + 150 * MINUTE), to: isoTime(START + 200 * MINUTE) };
  await client.post("/api/windows", { title: "x", monitors: [third], schedule });
  for (const [id, at, up] of [
    ...([
      [one, 0, false],
      [other, 10, false],
      [third, 20, false],
    ] as const),
    ...([
      [one, 30, true],
      [other, 40, true],
      [third, 50, true],
    ] as const),
    ...([
      [third, 160, false],
      [one, 170, false],
    ] as const),
  ] as const)
    await check(id, at, up);
  app.clock.set(START + 180 * MINUTE);
  await read();
  const { outages, overall } = await readStatusData(app, "shop");
  const shown = outages.map(({ name, target_type, started_at, ended_at }) => [
    ...[name, target_type, (Date.parse(started_at) - START) / MINUTE],
    ended_at && (Date.parse(ended_at) - START) / MINUTE,
  ]);
  expect(shown.toSorted()).toEqual([
    ["All", "component", 0, 50],
    ["All", "component", 170, null],
    ["Any", "component", 20, 30],
    ["Two", "component", 10, 40],
  ]);
  expect(overall).toBe("partial");
});

it("an outage that was in maintenance all the time says so, and one that began before does not", async () => {
  const { app, alice, add, fail, read } = await setUp();
  const [planned, before] = [await add("planned"), await add("before")];
  for (const id of [planned, before]) await recordOnly(app, id, [{ at: START - HOUR }]);
  await publish(app, alice, { monitors: [planned, before] });
  const schedule = { kind: "once", from: isoTime(START + MINUTE), to: isoTime(START + HOUR) };
  await app.as(alice).post("/api/windows", { title: "x", all: true, schedule });
  await fail(before, START);
  await fail(planned, START + 5 * MINUTE);
  app.clock.set(START + 10 * MINUTE);
  const outages = (await read()).outages.map(({ name, maintenance }) => [name, maintenance]);
  expect(outages).toEqual([
    ["planned", true],
    ["before", undefined],
  ]);
});
