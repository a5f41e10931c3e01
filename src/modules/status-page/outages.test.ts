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
