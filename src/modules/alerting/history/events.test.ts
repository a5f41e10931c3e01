import { expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import { recordDown, recover } from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { markOfflineServers } from "../../servers/ingest/offline";
import { createDelivery } from "../delivery/deliver";

it("the history is limited to monitors, servers or one of them, page by page", async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  const agent = await enrollAgent(app, bob);
  await agent.report([sampleAt(START)]);
  const [shop, blog] = [
    await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" }),
    await addMonitor(app, bob, { url: "https://blog.example/", name: "blog" }),
  ];
  await recordDown(app, shop);
  await recordDown(app, blog);
  await app.clock.advance(600_000);
  await recover(app, shop);
  await markOfflineServers(app.deps);
  const list = async (query: string, reader = bob) => {
    const { body } = await app.as(reader).get(`/api/notifications/history?${query}`);
    return body.events.map(({ kind, target }) => `${kind} ${target.name}`);
  };
  expect(await list("of=monitor")).toEqual(["recovery shop", "down blog", "down shop"]);
  expect(await list("of=agent")).toEqual(["offline db-1"]);
  expect(await list(`of=monitor:${shop}`)).toEqual(["recovery shop", "down shop"]);
  expect(await list(`of=agent:${agent.id}`)).toEqual(["offline db-1"]);
  expect(await list(`of=monitor:${shop}`, charlie)).toEqual([]);
  const first = (await app.as(bob).get(`/api/notifications/history?of=monitor:${shop}&limit=1`)).body;
  expect(await list(`of=monitor:${shop}&limit=1&before=${first.next}`)).toEqual(["down shop"]);
  for (const of of ["", "user", "monitor:", "monitor:0", "agent:x", "monitor:1:2"]) {
    const { status } = await app.as(bob).get(`/api/notifications/history?of=${of}`);
    expect([of, status]).toEqual([of, 422]);
  }
});

it("the history by outage has whole outages on each page, and an outage that ends between two pages is neither repeated nor left out", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const ids: number[] = [];
  for (const name of ["a", "b", "c"]) ids.push(await addMonitor(app, bob, { url: "https://shop.example/", name }));
  const [a, b, c] = ids as [number, number, number];
  const delivery = createDelivery(app.deps);
  const change = async (happen: () => Promise<unknown>) => {
    await app.clock.advance(60_000);
    await happen();
    await delivery.run();
  };
  for (const id of [a, b, c]) await change(() => recordDown(app, id));
  await change(() => recover(app, a));
  const page = async (query: string) => {
    const { body } = await app.as(bob).get(`/api/notifications/history?by=outage&${query}`);
    return { ...body, shown: body.events.map(({ kind, target }) => `${kind} ${target.name}`) };
  };
  const first = await page("limit=2");
  expect(first.shown).toEqual(["recovery a", "down c", "down a"]);
  await change(() => recover(app, b));
  const second = await page(`limit=2&before=${first.next}&as_of=${first.as_of}`);
  expect([second.shown, second.next]).toEqual([["recovery b", "down b"], null]);
  expect((await page("limit=1")).shown).toEqual(["recovery b", "down b"]);
  expect((await page(`of=monitor:${a}`)).shown).toEqual(["recovery a", "down a"]);
});
