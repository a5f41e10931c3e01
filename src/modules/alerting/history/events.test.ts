import { describe, expect, it } from "bun:test";
import { insertMany } from "../../../db/insert-many";
import { events } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import {
  addChannel,
  createAlertApp,
  recordDown,
  recover,
  resendChannel,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { resendError } from "../../../testing/servers/providers";
import { markOfflineServers } from "../../servers/ingest/offline";
import { createDelivery } from "../delivery/deliver";
import { EXAMINED } from "./filter";

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

describe("the history by what became of messages", () => {
  /** Three outages: of "sent" and "failed" a message was sent, of "failed" another one was not delivered, and "none" has no message. */
  const setUp = async () => {
    const { app, bob, charlie, delivery } = await createAlertApp({
      resend: () => resendError(403, "validation_error", "domain is not verified"),
    });
    const [chat, mail] = [await addChannel(app, bob), await addChannel(app, bob, resendChannel())];
    const ids: number[] = [];
    for (const name of ["sent", "failed", "none"])
      ids.push(await addMonitor(app, bob, { url: "https://shop.example/", name }));
    const [sent, failed, none] = ids as [number, number, number];
    const rule = (target_id: number, change: object) =>
      saveRule(app, bob, { target_type: "monitor", target_id, override_global: true, ...change });
    await rule(sent, { channels: [chat] });
    await rule(failed, { channels: [chat, mail] });
    await rule(none, { enabled: false });
    for (const id of [sent, failed, none]) {
      await app.clock.advance(60_000);
      await recordDown(app, id);
      await runDeliveries(app, delivery);
    }
    const list = async (query: string, reader = bob) => {
      const { status, body } = await app.as(reader).get(`/api/notifications/history?${query}`);
      return status === 200 ? body.events.map(({ kind, target }) => `${kind} ${target.name}`) : status;
    };
    return { app, bob, charlie, delivery, chat, mail, sent, failed, none, list };
  };

  it("is limited to a state, to a channel, and to both", async () => {
    const { chat, mail, list } = await setUp();
    expect(await list("outcome=sent")).toEqual(["down failed", "down sent"]);
    expect(await list("outcome=failed")).toEqual(["down failed"]);
    expect(await list("outcome=withheld")).toEqual(["down none"]);
    expect(await list("outcome=pending")).toEqual([]);
    expect(await list(`channel=${chat}`)).toEqual(["down failed", "down sent"]);
    expect(await list(`channel=${mail}`)).toEqual(["down failed"]);
    expect(await list(`channel=${mail}&outcome=sent`)).toEqual([]);
    expect(await list("channel=0")).toEqual([]);
    for (const query of ["outcome=lost", "outcome=", "channel=x", "channel=-1"])
      expect([query, await list(query)]).toEqual([query, 422]);
  });

  it("has an event that is not planned yet among those that wait, and one of a muted target among those not sent", async () => {
    const { app, bob, sent, none, list, delivery } = await setUp();
    await app.clock.advance(60_000);
    await recover(app, none);
    expect(await list("outcome=pending")).toEqual(["recovery none"]);
    await app.as(bob).post(`/api/monitors/${sent}/mute`, { minutes: 5 });
    await recover(app, sent);
    await runDeliveries(app, delivery);
    expect(await list("outcome=withheld")).toEqual(["recovery sent", "recovery none", "down none"]);
  });

  it("by outage has whole outages, one of whose messages is such", async () => {
    const { app, failed, none, mail, list, delivery } = await setUp();
    await app.clock.advance(60_000);
    await recover(app, none);
    await recover(app, failed);
    await runDeliveries(app, delivery);
    expect(await list("by=outage&outcome=withheld")).toEqual([
      "recovery failed",
      "recovery none",
      "down none",
      "down failed",
    ]);
    expect(await list(`by=outage&outcome=failed&channel=${mail}`)).toEqual(["recovery failed", "down failed"]);
  });

  it("is empty for a channel of another team", async () => {
    const { chat, charlie, list } = await setUp();
    expect(await list(`channel=${chat}`, charlie)).toEqual([]);
  });

  it("looks at a bounded number of events in each call, and finds all of them page by page", async () => {
    const { app, bob, none, list } = await setUp();
    const [event] = await app.db.select().from(events);
    const { id: _, ...copied } = event as typeof events.$inferSelect;
    const rows = Array.from({ length: EXAMINED + 10 }, (_, index) => ({
      ...{ ...copied, targetId: none, outageId: null, at: app.clock.now() + index + 1 },
    }));
    await insertMany(app.db, events, rows);
    expect(await list("outcome=failed")).toEqual([]);
    const read = async (query: string) => (await app.as(bob).get(`/api/notifications/history?${query}`)).body;
    for (const by of ["event", "outage"]) {
      const first = await read(`outcome=failed&by=${by}`);
      expect([first.events, typeof first.next]).toEqual([[], "number"]);
      const asOf = first.as_of === null ? "" : `&as_of=${first.as_of}`;
      const second = await read(`outcome=failed&by=${by}&before=${first.next}${asOf}`);
      expect([second.events.map(({ target }) => target.name), second.next]).toEqual([["failed"], null]);
    }
  });
});
