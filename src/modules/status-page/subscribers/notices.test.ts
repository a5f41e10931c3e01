import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { announcements, notices, subscribers } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { MINUTE } from "../../../shared/limits";
import { SUBSCRIBER_LIMITS } from "../../../shared/status/subscribers";
import { addSubscribers, decoded, linkIn, startWithSubscribers } from "../../../testing/fixtures/pages/subscribers";
import { serveTarget } from "../../../testing/servers/targets";
import { createNoticeSender } from "./sender";

type Hub = Awaited<ReturnType<typeof startWithSubscribers>>;

const write = async ({ client }: Hub, body: object = {}) =>
  (await client.post("/api/incidents", { title: "Payments fail", body: "We **look** into it.", ...body })).body
    .incident;

const addConfirmed = ({ app, page }: Hub, addresses: readonly string[], values: object = {}) =>
  addSubscribers(app, page.id, addresses, values);

const subjects = ({ sent }: Hub) => sent.map(({ to, headers }) => `${to.join()} ${headers.subject}`).toSorted();

describe("an update of an incident", () => {
  it("reaches confirmed subscribers with its text, the link of the incident, and one click to unsubscribe", async () => {
    const hub = await startWithSubscribers();
    const { sent, send, subscribe, join, page } = hub;
    const manage = await join("dora@example.com");
    await subscribe({ email: "unconfirmed@example.com" });
    await send();
    sent.length = 0;
    const incident = await write(hub, { impact: "major" });
    expect(incident.updates[0]?.notified_at).toBeString();
    await send();
    expect(subjects(hub)).toEqual(["dora@example.com [Acme] Investigating: Payments fail"]);
    const [mail] = sent;
    expect(mail?.headers).toMatchObject({
      from: "Acme <wakeful@example.com>",
      "list-unsubscribe": `<https://watch.example${manage}>`,
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      "auto-submitted": "auto-generated",
    });
    const text = decoded(mail?.body ?? "");
    expect(text).toContain("We **look** into it.");
    expect(text).toContain("<strong>look</strong>");
    expect(text).toContain(`https://watch.example/status/${page.slug}/incidents/${incident.key}`);
    expect(linkIn(mail?.body ?? "")).toBe(manage);
    await hub.client.post(`/api/incidents/${incident.id}/updates`, { status: "resolved", body: "It is over." });
    await send();
    const last = sent.at(-1);
    expect(last?.headers.subject).toBe("[Acme] Resolved: Payments fail");
    expect(last?.headers.references).toBe(mail?.headers.references ?? "");
  });

  it("reaches those who chose its components, and everyone where it names none", async () => {
    const hub = await startWithSubscribers();
    const { app, page, send, sent, subscribe, visit } = hub;
    const { components } = JSON.parse((await app.anybody.get(`/api/status/subscribe?page=${page.slug}`)).text);
    for (const { key, name } of components) {
      await subscribe({ email: `${name.toLowerCase()}@example.com`, components: [key] });
      await send();
      await visit(linkIn(sent.at(-1)?.body ?? ""), { action: "confirm" });
    }
    sent.length = 0;
    const shop = page.components.find(({ name }) => name === "Shop");
    await write(hub, { components: [{ id: shop?.id, status: "partial_outage" }] });
    await send();
    expect(subjects(hub)).toEqual(["shop@example.com [Acme] Investigating: Payments fail"]);
    expect(decoded(sent[0]?.body ?? "")).toContain("Affects: Shop (partial outage)");
    sent.length = 0;
    await write(hub, { title: "All is slow" });
    await send();
    expect(sent.map(({ to }) => to.join()).toSorted()).toEqual(["mail@example.com", "shop@example.com"]);
  });

  it("reaches no one where it is about the past, or its writer says so, or it was only edited", async () => {
    const hub = await startWithSubscribers();
    const { app, client, send, sent } = hub;
    await addConfirmed(hub, ["dora@example.com"]);
    const at = (minutes: number) => isoTime(app.clock.now() + minutes * MINUTE);
    const past = await write(hub, { status: "resolved", started_at: at(-180), at: at(-120) });
    await client.post(`/api/incidents/${past.id}/updates`, { status: "monitoring", body: "x", at: at(-150) });
    const silent = await write(hub, { notify: false });
    await client.post(`/api/incidents/${silent.id}/updates`, { status: "identified", body: "x", notify: false });
    await client.put(`/api/incidents/${silent.id}/updates/${silent.updates[0]?.id}`, { body: "y" });
    await send();
    expect([sent.length, await app.db.$count(announcements)]).toEqual([0, 0]);
    expect(silent.updates[0]?.notified_at).toBeNull();
  });

  it("reaches the few subscribers of a page at once while many of another one wait", async () => {
    const hub = await startWithSubscribers();
    const { app, client, page, sender, sent } = hub;
    await addConfirmed(
      hub,
      Array.from({ length: 200 }, (_, place) => `many-${place}@example.com`),
    );
    const small = (await client.post("/api/pages", { slug: "small", title: "Small" })).body.page;
    await addSubscribers(app, small.id, ["one@example.com", "two@example.com", "three@example.com"]);
    await write(hub, { pages: [page.id] });
    await sender.run();
    await sender.idle();
    const before = sent.length;
    await write(hub, { title: "Small is down", pages: [small.id] });
    await sender.run();
    await sender.idle();
    expect([before, sent.length]).toEqual([50, 100]);
    expect(sent.filter(({ headers }) => headers.subject?.startsWith("[Small]"))).toHaveLength(3);
  });

  it("is written in the language of each subscriber", async () => {
    const hub = await startWithSubscribers();
    await addConfirmed(hub, ["wang@example.com"], { language: "zh-CN" });
    await write(hub);
    await hub.send();
    const text = decoded(hub.sent[0]?.body ?? "");
    expect(text).toContain("调查中：Payments fail");
    expect(text).toContain("您收到本邮件，是因为订阅了“Acme”。");
  });

  it("reaches a webhook in Statuspage's form, with each component that changed", async () => {
    const hub = await startWithSubscribers({ env: { PRIVATE_TARGETS: "all" } });
    const { client, page, send, subscribe } = hub;
    const hook = serveTarget();
    await subscribe({ url: hook.url });
    await send();
    hook.requests.length = 0;
    const shop = page.components.find(({ name }) => name === "Shop");
    const { id, key } = await write(hub, { impact: "major", components: [{ id: shop?.id, status: "major_outage" }] });
    await send();
    const bodies = () => hook.requests.map(({ body }) => JSON.parse(body)).toSorted((one) => (one.incident ? -1 : 1));
    expect(bodies()).toMatchObject([
      {
        page: { status_indicator: "major" },
        incident: { id: key, name: "Payments fail", status: "investigating", impact: "major", backfilled: false },
      },
      {
        component_update: { old_status: "operational", new_status: "major_outage" },
        component: { name: "Shop", status: "major_outage" },
      },
    ]);
    hook.requests.length = 0;
    await client.post(`/api/incidents/${id}/updates`, { status: "resolved", body: "It is over." });
    await send();
    expect(bodies()).toMatchObject([
      { page: { status_indicator: "none" }, incident: { status: "resolved" } },
      { component_update: { old_status: "major_outage", new_status: "operational" } },
    ]);
  });
});

describe("the queue", () => {
  it("sends each message once over few connections, also when the hub stops in between", async () => {
    const hub = await startWithSubscribers();
    const { app, sender, sent } = hub;
    await addConfirmed(
      hub,
      Array.from({ length: 1200 }, (_, place) => `s${place}@example.com`),
    );
    await write(hub);
    await sender.run();
    await sender.idle();
    await sender.run();
    await sender.idle();
    await sender.stop();
    expect(sent).toHaveLength(100);
    const next = createNoticeSender(app.deps);
    for (let runs = 0; runs < 40 && sent.length < 1200; runs++) {
      await next.run();
      await next.idle();
    }
    await next.run();
    expect(sent.length).toBe(1200);
    expect(new Set(sent.map(({ to }) => to.join())).size).toBe(1200);
    expect(await app.db.$count(notices)).toBe(0);
    await next.stop();
  }, 120_000);

  it("sends what a process that died had claimed", async () => {
    const hub = await startWithSubscribers();
    const { app, send, sent } = hub;
    await addConfirmed(hub, ["dora@example.com"]);
    await write(hub);
    const [announced] = await app.db.select().from(announcements);
    const [dora] = await app.db.select().from(subscribers);
    const times = { createdAt: app.clock.now(), dueAt: app.clock.now() };
    await app.db.insert(notices).values({
      ...{
        subscriberId: dora?.id ?? 0,
        channel: "email",
        kind: "incident",
        announcementId: announced?.id ?? 0,
        part: 0,
      },
      ...{ ...times, claimedBy: "dead" },
    });
    await send();
    expect(sent).toHaveLength(1);
  });

  it("ends a subscription after ten refusals in a row, and an accepted message resets the count", async () => {
    const refused = new Set(["gone@example.com", "full@example.com"]);
    const hub = await startWithSubscribers({
      answer: {
        answer: (command) => {
          const to = /^RCPT TO:<([^>]*)>/.exec(command)?.[1] ?? "";
          return refused.has(to) ? "550 5.1.1 user unknown" : undefined;
        },
      },
    });
    const { app, client, send, sent } = hub;
    await addConfirmed(hub, ["gone@example.com", "full@example.com", "dora@example.com"]);
    const { id } = await write(hub);
    for (let updates = 1; updates < SUBSCRIBER_LIMITS.failures; updates++) {
      await send();
      if (updates === 5) refused.delete("full@example.com");
      if (updates === 6) refused.add("full@example.com");
      await client.post(`/api/incidents/${id}/updates`, { status: "identified", body: `${updates}` });
    }
    await send();
    const rows = await app.db.select().from(subscribers).orderBy(subscribers.id);
    const states = rows.map(({ address, failures, endedAt }) => [address, failures, endedAt !== null]);
    expect(states).toEqual([
      ["gone@example.com", SUBSCRIBER_LIMITS.failures, true],
      ["full@example.com", SUBSCRIBER_LIMITS.failures - 6, false],
      ["dora@example.com", 0, false],
    ]);
    expect(sent.filter(({ to }) => to.join() === "dora@example.com")).toHaveLength(SUBSCRIBER_LIMITS.failures);
    await client.post(`/api/incidents/${id}/updates`, { status: "monitoring", body: "x" });
    await send();
    expect(await app.db.$count(notices)).toBe(0);
  });

  it("waits while the mail server takes no mails, which counts for no subscriber", async () => {
    let isDown = true;
    const hub = await startWithSubscribers({
      answer: { answer: (command) => (isDown && command.startsWith("MAIL") ? "554 5.7.1 sender refused" : undefined) },
    });
    const { app, send, sent } = hub;
    await addConfirmed(hub, ["dora@example.com", "eve@example.com"]);
    await write(hub);
    await send();
    await app.clock.advance(MINUTE);
    await send();
    expect(await app.db.select({ failures: subscribers.failures }).from(subscribers)).toEqual([
      { failures: 0 },
      { failures: 0 },
    ]);
    isDown = false;
    await app.clock.advance(MINUTE);
    await send();
    expect(sent).toHaveLength(2);
  });

  it("drops what waits for a page, an incident or a subscriber that is deleted", async () => {
    const hub = await startWithSubscribers();
    const { app, client, page, send, sent, sender } = hub;
    await addConfirmed(hub, ["dora@example.com", "eve@example.com"]);
    const incident = await write(hub);
    await client.delete(`/api/incidents/${incident.id}`);
    await send();
    await write(hub);
    const [dora] = await app.db.select().from(subscribers).where(eq(subscribers.address, "dora@example.com"));
    expect((await client.delete(`/api/pages/${page.id}/subscribers/${dora?.id}`)).status).toBe(200);
    await send();
    expect(sent.map(({ to }) => to.join())).toEqual(["eve@example.com"]);
    await write(hub);
    await client.delete(`/api/pages/${page.id}`);
    await sender.run();
    await send();
    expect([sent.length, await app.db.$count(subscribers), await app.db.$count(announcements)]).toEqual([1, 0, 0]);
  });
});
