import { describe, expect, it } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { createLog } from "../../../core/log";
import { events, outages } from "../../../db/schema";
import { createOutbound } from "../../../probe/outbound";
import { createRdap } from "../../../probe/rdap/rdap";
import { DAY, HOUR } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { createTestClock, START } from "../../../testing/clock";
import { addChannel, createAlertApp, runDeliveries, saveRule } from "../../../testing/fixtures/alerts";
import { finishChecks, readState } from "../../../testing/fixtures/engine";
import { addMonitor, countHistory, recordOnly } from "../../../testing/fixtures/monitors";
import { domainObject, serveRegistry } from "../../../testing/servers/registry";
import { alertExpiring, endOutages } from "./watch";

const MONITORS = "/api/monitors";

const setUp = async () => {
  const registry = serveRegistry();
  const clock = createTestClock();
  const rdap = createRdap({ clock }, { bootstrap: registry.bootstrap, allowPrivate: true, spacing: 0 });
  const outbound = createOutbound({ clock, log: createLog("silent", false, () => {}) }, undefined, { rdap });
  const app = await createTestApp({ clock, outbound });
  const { bob } = await app.people();
  const client = app.as(bob);
  const create = (config: object, more: object = {}) =>
    client.post(MONITORS, { name: "shop", kind: "domain", config, interval: 60, retries: 1, ...more });
  return { app, bob, client, create, ...registry };
};

const expiring = (days: number) =>
  domainObject("shop.example", { expires: new Date(START + days * DAY).toISOString() });

describe("a domain monitor", () => {
  it("shows what its registry says, and is checked once an hour at most", async () => {
    const { app, client, create, set, asked } = await setUp();
    set("shop.example");
    const { status, body } = await create({ domain: "https://WWW.Shop.example/cart" });
    expect(status).toBe(201);
    expect(body.monitor).toMatchObject({
      kind: "domain",
      target: "www.shop.example",
      config: { domain: "www.shop.example", days: [30, 14, 7, 1] },
      interval: 3600,
    });
    await finishChecks(app);
    const { monitor } = (await client.get(`${MONITORS}/${body.monitor.id}`)).body;
    expect(monitor).toMatchObject({ status: "up", cert_expires_at: null, error_code: null });
    expect(monitor.registration).toMatchObject({
      name: "shop.example",
      registrar: "Example Registrar, Inc.",
      expires_at: "2027-03-01T12:00:00.000Z",
    });
    expect(asked()).toEqual(["shop.example"]);
    const many = await client.post(`${MONITORS}/bulk`, { ids: [monitor.id], set: { interval: 300 } });
    expect(many.body).toMatchObject({ matched: 1, refused: [] });
    expect((await client.get(`${MONITORS}/${monitor.id}`)).body.monitor.interval).toBe(3600);
  });

  it("of a registry without RDAP is refused with a sentence, and one of an unknown registry is not", async () => {
    const { create, world } = await setUp();
    expect(await create({ domain: "a.nordap" })).toMatchObject({
      status: 422,
      body: { code: "rdap_unavailable", message: expect.stringContaining("does not publish registrations by RDAP") },
    });
    world.isListBroken = true;
    expect((await (await setUp()).create({ domain: "shop.example" })).status).toBe(201);
  });

  it("names what is no domain", async () => {
    const { create } = await setUp();
    for (const domain of ["localhost", "192.0.2.1", "", "a b.example", "x".repeat(3000), 7, null])
      expect(await create({ domain })).toMatchObject({ status: 422, body: { errors: [{ path: "config.domain" }] } });
    const wrongDays = (await create({ domain: "*.shop.example", days: [400] })).body.errors;
    expect(wrongDays).toContainEqual(expect.objectContaining({ path: "config.days.0" }));
    expect((await create({ domain: "*.shop.example" })).body.monitor.target).toBe("shop.example");
  });

  it("is probed before it is saved, with its registrar and its date", async () => {
    const { client, set } = await setUp();
    set("shop.example");
    const probe = async (domain: string) =>
      (await client.post(`${MONITORS}/probe`, { kind: "domain", config: { domain } })).body.result;
    expect(await probe("shop.example")).toMatchObject({
      up: true,
      cert_expires_at: null,
      registration: { registrar: "Example Registrar, Inc.", expires_at: "2027-03-01T12:00:00.000Z" },
    });
    expect(await probe("free.example")).toMatchObject({ up: false, error_code: "domain_unregistered" });
  });

  it("keeps its state while its registry has no answer, and says so to a manual check", async () => {
    const { app, client, create, set, world } = await setUp();
    set("shop.example");
    const { id } = (await create({ domain: "shop.example" })).body.monitor;
    const { id: other } = (await create({ domain: "other.example" }, { active: false })).body.monitor;
    await finishChecks(app);
    world.respond = () => new Response(null, { status: 429 });
    for (let hours = 7; hours <= 21; hours += 7) {
      await app.clock.advance(7 * HOUR);
      await finishChecks(app);
    }
    expect(await readState(app, id)).toMatchObject({ status: "up" });
    expect(await client.post(`${MONITORS}/${other}/check`)).toMatchObject({
      status: 503,
      body: { code: "registry_unavailable", message: expect.stringContaining("it wants fewer requests") },
    });
    expect((await countHistory(app, other)).checks).toBe(0);
    expect(await app.db.$count(events)).toBe(0);
  });

  it("is down once its domain is deleted, and up again once it is restored", async () => {
    const { app, create, set, drop } = await setUp();
    set("shop.example");
    const { id } = (await create({ domain: "shop.example" })).body.monitor;
    await finishChecks(app);
    drop("shop.example");
    await app.clock.advance(8 * HOUR);
    await finishChecks(app);
    expect(await readState(app, id)).toMatchObject({ status: "down" });
    set("shop.example");
    await app.clock.advance(3 * HOUR);
    await finishChecks(app);
    expect(await readState(app, id)).toMatchObject({ status: "up" });
  });

  it("is alerted at 30, 14, 7 and 1 days, each once, has one outage until it is renewed, and again before the next date", async () => {
    const { app, create, set } = await setUp();
    set("shop.example", expiring(40));
    const { id } = (await create({ domain: "shop.example" })).body.monitor;
    const written = async () =>
      (await app.db.select().from(events).where(eq(events.targetId, id)).orderBy(asc(events.id))).map((event) => [
        event.kind,
        event.errorDetail?.days ?? event.errorCode,
      ]);
    const after = async (days: number, step = DAY / 2) => {
      for (const end = app.clock.now() + days * DAY; app.clock.now() < end; ) {
        await app.clock.advance(step);
        await finishChecks(app);
        await endOutages(app.deps);
        await alertExpiring(app.deps);
      }
    };
    await finishChecks(app);
    await after(39.5);
    expect(await written()).toEqual([30, 14, 7, 1].map((days) => ["domain_expiring", days]));
    expect(await app.db.select().from(outages)).toMatchObject([{ kind: "domain", endedAt: null }]);
    set("shop.example", expiring(40 + 365));
    await after(1);
    expect((await written()).slice(4)).toEqual([["domain_renewed", null]]);
    await after(335, 5 * DAY);
    expect((await written()).slice(5)).toEqual([["domain_expiring", 30]]);
    expect((await app.db.select().from(outages)).filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
  });

  it("is in metrics and reports as a domain, and not as a certificate", async () => {
    const { app, client, create, set } = await setUp();
    set("shop.example", expiring(20));
    await create({ domain: "shop.example" });
    await finishChecks(app);
    const { text } = await client.get("/metrics");
    expect(text).toMatch(/^wakeful_monitor_domain_expiry_timestamp_seconds\{.*\} \d+$/m);
    expect(text).not.toMatch(/^wakeful_monitor_certificate_expiry_timestamp_seconds\{/m);
    const { upcoming } = (await client.get("/api/reports")).body.report;
    expect(upcoming).toMatchObject([{ kind: "domain", target_name: "shop" }]);
  });

  it("is exported and imported, once", async () => {
    const { client, create } = await setUp();
    await create({ domain: "shop.example" }, { active: false });
    const file = JSON.parse((await client.get("/api/export")).text);
    expect(file.monitors).toMatchObject([{ kind: "domain", config: { domain: "shop.example" } }]);
    const imported = await client.post("/api/import", { ...file, monitors: [{ ...file.monitors[0], interval: 60 }] });
    expect(imported.status).toBe(200);
    expect((await client.get(MONITORS)).body.total).toBe(1);
  });
});

it("messages about a domain say what expires, and what was renewed", async () => {
  const { app, bob, telegram, delivery } = await createAlertApp();
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const channels = [await addChannel(app, bob)];
  await saveRule(app, bob, { target_type: "global-monitor", channels });
  const config = { domain: "shop.example", days: [30, 14, 7, 1] };
  const id = await addMonitor(app, bob, { url: "", kind: "domain", config } as never);
  const see = (days: number) => {
    const at = app.clock.now();
    return recordOnly(app, id, [{ at, certFingerprint: `domain ${days}`, certExpiresAt: at + days * DAY }]);
  };
  await see(7);
  expect(await alertExpiring(app.deps)).toBe(true);
  await runDeliveries(app, delivery);
  await app.clock.advance(HOUR);
  await see(300);
  expect(await endOutages(app.deps)).toBe(true);
  await runDeliveries(app, delivery);
  const [warned, renewed] = telegram.texts();
  expect(warned).toStartWith("🟠 shop: the domain expires soon\n");
  expect(warned).toContain("days left: 7");
  expect(renewed).toStartWith("🟢 shop: the domain was renewed\n");
});
