import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { notices, subscribers } from "../../../db/schema";
import { DAY, HOUR } from "../../../shared/limits";
import { SUBSCRIBER_LIMITS } from "../../../shared/status/subscribers";
import { createTestApp } from "../../../testing/app";
import { linkIn, startWithSubscribers } from "../../../testing/fixtures/pages/subscribers";
import { publish } from "../../../testing/fixtures/status-page";
import { serveTarget } from "../../../testing/servers/targets";
import { purgeSubscribers } from "./queue";

const readRows = async ({ app }: Awaited<ReturnType<typeof startWithSubscribers>>) => app.db.select().from(subscribers);

describe("an address that is entered on a status page", () => {
  it("gets a mail whose link shows a button, and is confirmed by the button alone", async () => {
    const hub = await startWithSubscribers();
    const { sent, send, visit, subscribe } = hub;
    const answer = await subscribe({ email: "dora@example.com", language: "en-US" });
    expect(answer.status).toBe(202);
    await send();
    expect(sent).toMatchObject([
      { to: ["dora@example.com"], headers: { subject: "Confirm your subscription to Acme" } },
    ]);
    const link = linkIn(sent[0]?.body ?? "");
    // Programs that read mails open links.
    for (let opened = 0; opened < 3; opened++) {
      const { status, text } = await visit(link);
      expect([status, text.includes('value="confirm"'), text.includes("dora@example.com")]).toEqual([200, true, true]);
    }
    expect(await readRows(hub)).toMatchObject([{ confirmedAt: null }]);
    const { status, location } = await visit(link, { action: "confirm" });
    expect([status, location?.endsWith("?done=confirmed")]).toEqual([303, true]);
    expect((await readRows(hub))[0]?.confirmedAt).toBeNumber();
    expect((await visit(location ?? "")).text).toContain("Your subscription is confirmed.");
  });

  it("can confirm within 24 hours, and is deleted after two days without", async () => {
    const hub = await startWithSubscribers();
    const { app, sent, send, visit, subscribe } = hub;
    await subscribe({ email: "dora@example.com" });
    await send();
    const link = linkIn(sent[0]?.body ?? "");
    await app.clock.advance(DAY + HOUR);
    expect((await visit(link)).text).toContain("This link has expired");
    await visit(link, { action: "confirm" });
    expect(await readRows(hub)).toMatchObject([{ confirmedAt: null }]);
    await app.clock.advance(DAY);
    await purgeSubscribers(app.deps);
    expect(await readRows(hub)).toEqual([]);
  });

  it("gets the same answer when it is subscribed already, and a mail with the link to manage it", async () => {
    const hub = await startWithSubscribers();
    const { join, subscribe, send, sent } = hub;
    const manage = await join("dora@example.com");
    const first = await subscribe({ email: "new@example.com" });
    const second = await subscribe({ email: "DORA@example.com" });
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    await send();
    expect((await readRows(hub)).map(({ address }) => address)).toEqual(["dora@example.com", "new@example.com"]);
    const mail = sent.find(({ headers }) => headers.subject === "Your subscription to Acme");
    expect([mail?.to, linkIn(mail?.body ?? "")]).toEqual([["dora@example.com"], manage]);
  });

  it("is one row when two requests send it at once, and gets at most three mails an hour", async () => {
    const hub = await startWithSubscribers();
    const { subscribe, send, sent } = hub;
    const answers = await Promise.all([1, 2].map(() => subscribe({ email: "dora@example.com" })));
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(await readRows(hub)).toHaveLength(1);
    for (let more = 0; more < 5; more++) {
      await send();
      expect((await subscribe({ email: "dora@example.com" })).status).toBe(202);
    }
    await send();
    expect(sent.length).toBeLessThanOrEqual(SUBSCRIBER_LIMITS.perAddress);
  });

  it("is refused with a line break, without a domain, with a webhook, and for components of another page", async () => {
    const hub = await startWithSubscribers();
    const { subscribe, client } = hub;
    await client.post("/api/pages", {
      slug: "other",
      title: "Other",
      components: [{ name: "X", fixed_status: "operational" }],
    });
    const { components } = JSON.parse((await hub.app.anybody.get("/api/status/subscribe?page=other")).text);
    const refused = [
      { email: "dora@example.com\r\nBcc: all@example.com" },
      { email: "dora@example.com\n" },
      { email: "=?utf-8?q?a?=@example.com" },
      { email: "dora" },
      { email: `${"x".repeat(250)}@example.com` },
      {},
      { email: "dora@example.com", url: "https://example.com" },
      { url: "ftp://example.com" },
      { url: "https://user:secret@example.com/" },
      { email: "dora@example.com", components: ["nothing"] },
      { email: "dora@example.com", components: [components[0].key] },
    ];
    for (const body of refused) expect([body, (await subscribe(body)).status]).toEqual([body, 422]);
    expect((await subscribe({ email: "dora@example.com" }, "nothing")).status).toBe(404);
    expect(await readRows(hub)).toEqual([]);
  });

  it("is refused from a client after five in an hour, which does not use up the limit of the page", async () => {
    const hub = await startWithSubscribers();
    const { app, page, subscribe } = hub;
    await subscribe({ email: "first@example.com" });
    const again = (name: number) =>
      app.anybody.post(`/api/status/subscribe?page=${page.slug}` as "/api/status/subscribe", {
        email: `${name}@example.com`,
      });
    const statuses: number[] = [];
    for (let name = 0; name < 150; name++) statuses.push((await again(name)).status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(SUBSCRIBER_LIMITS.perClient - 1);
    expect(new Set(statuses.slice(SUBSCRIBER_LIMITS.perClient))).toEqual(new Set([429]));
    for (let name = SUBSCRIBER_LIMITS.perClient; name < SUBSCRIBER_LIMITS.perPage; name++)
      expect((await subscribe({ email: `other-${name}@example.com` })).status).toBe(202);
    expect((await subscribe({ email: "late@example.com" })).status).toBe(429);
    await app.clock.advance(HOUR);
    expect((await subscribe({ email: "late@example.com" })).status).toBe(202);
  });

  it("is refused without a mail server, where webhooks are offered all the same", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    await publish(app, bob, { title: "Acme" });
    const path = "/api/status/subscribe?page=bob" as "/api/status/subscribe";
    expect(JSON.parse((await app.anybody.get(path)).text)).toMatchObject({ mail: false });
    expect((await app.anybody.post(path, { email: "dora@example.com" })).body.code).toBe("no_mail_subscriptions");
    expect((await app.anybody.post(path, { url: "https://hooks.example/a" })).status).toBe(202);
  });
});

describe("the link of a subscriber", () => {
  it("changes the components, and ends the subscription; a second time changes nothing", async () => {
    const hub = await startWithSubscribers();
    const { app, join, visit, page } = hub;
    const link = await join("dora@example.com");
    const { components } = JSON.parse((await app.anybody.get(`/api/status/subscribe?page=${page.slug}`)).text);
    const shop = components.find(({ name }: { name: string }) => name === "Shop");
    const saved = await visit(link, { action: "save", component: shop.key });
    expect([saved.status, saved.location]).toEqual([303, `${link}?done=saved`]);
    expect((await readRows(hub))[0]?.components).toHaveLength(1);
    const { text } = await visit(link);
    expect(text.match(/<input[^>]*>/g)?.map((input) => input.includes(" checked"))).toEqual([true, false]);
    expect((await visit(link, { action: "leave" })).text).toContain("You are unsubscribed");
    expect(await readRows(hub)).toEqual([]);
    expect([(await visit(link, { action: "leave" })).status, (await visit(link)).status]).toEqual([200, 200]);
  });

  it("unsubscribes by the one request of a mail client, also twice, and not by opening it", async () => {
    const hub = await startWithSubscribers();
    const { join, visit } = hub;
    const link = await join("dora@example.com");
    await visit(link);
    expect(await readRows(hub)).toHaveLength(1);
    for (let times = 0; times < 2; times++)
      expect((await visit(link, { "List-Unsubscribe": "One-Click" })).status).toBe(200);
    expect(await readRows(hub)).toEqual([]);
  });

  it("leads to no subscription on another page, with another signature, or after a new subscription of the address", async () => {
    const hub = await startWithSubscribers();
    const { client, join, visit } = hub;
    await client.post("/api/pages", { slug: "other", title: "Other" });
    const link = await join("dora@example.com");
    const none = "There is no subscription here";
    const other = link.replace(/\/status\/[^/]+/, "/status/other");
    for (const path of [other, `${link.slice(0, -1)}${link.endsWith("0") ? "1" : "0"}`, `${link}0`]) {
      expect((await visit(path)).text).toContain(none);
      await visit(path, { action: "leave" });
    }
    expect(await readRows(hub)).toHaveLength(1);
    expect((await visit(link.replace(/\/status\/[^/]+/, "/status/nothing"))).status).toBe(404);
    await visit(link, { action: "leave" });
    const again = await join("dora@example.com");
    expect(again).not.toBe(link);
    expect((await visit(link)).text).toContain(none);
  });
});

describe("a webhook that is entered on a status page", () => {
  it("is confirmed by its answer to a signed message, which has the secret and the link to leave", async () => {
    const hub = await startWithSubscribers({ env: { PRIVATE_TARGETS: "all" } });
    const { app, send, subscribe, visit } = hub;
    const hook = serveTarget();
    await subscribe({ url: hook.url });
    expect(await readRows(hub)).toMatchObject([{ kind: "webhook", confirmedAt: null }]);
    await send();
    expect((await readRows(hub))[0]?.confirmedAt).toBeNumber();
    const [request] = hook.requests;
    const body = JSON.parse(request?.body ?? "{}");
    const secret: string = body.subscription.signing_secret;
    expect(body).toMatchObject({
      page: { status_indicator: "none" },
      subscription: { signing_secret: expect.stringMatching(/^whsec_[0-9a-f]{32}$/) },
    });
    expect(request?.headers).toMatchObject({ "x-wakeful-event": "subscription" });
    const [, at = "", mac = ""] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(request?.headers["x-wakeful-signature"] ?? "") ?? [];
    const expected = new Bun.CryptoHasher("sha256", secret).update(`${at}.${request?.body}`).digest("hex");
    expect(mac).toBe(expected);
    expect((await visit(body.meta.unsubscribe.replace("https://watch.example", ""))).text).toContain(secret);
    // A second subscription of a confirmed webhook sends nothing.
    await subscribe({ url: hook.url });
    await send();
    expect([hook.requests.length, await app.db.$count(notices)]).toEqual([1, 0]);
  });

  it("gets nothing in a private net, and is never confirmed", async () => {
    const hub = await startWithSubscribers();
    const { app, send, subscribe } = hub;
    const hook = serveTarget();
    await subscribe({ url: hook.url });
    await send();
    expect(hook.requests).toHaveLength(0);
    const [row] = await app.db.select().from(subscribers).where(eq(subscribers.kind, "webhook"));
    expect([row?.confirmedAt, row?.failures]).toEqual([null, 1]);
  });
});
