import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { EVERYTHING, madeBy } from "../../../db/owner";
import { agentStates, agents, reportLinks } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR } from "../../../shared/limits";
import { MAX_REPORT_LINKS } from "../../../shared/reports/period";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { addOutage } from "../../../testing/fixtures/outages";
import { deleteMonitor } from "../../monitors/change";
import { findMonitor } from "../../monitors/service";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const shop = await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
  const create = async (body: object, as = bob) => app.as(as).post("/api/reports/links", body as never);
  const open = (token: string) => app.anybody.get(`/api/reports/shared/${token}`);
  return { app, alice, bob, charlie, shop, create, open };
};

describe("a link to a report", () => {
  it("shows the report without a session until it is revoked, then nothing", async () => {
    const { app, bob, charlie, shop, create, open } = await setUp();
    const { status, body } = await create({
      name: "Acme",
      period: "last_month",
      scope: `monitor:${shop}`,
      target: 99.9,
    });
    expect(status).toBe(201);
    expect(body.link).toMatchObject({
      name: "Acme",
      period: "last_month",
      from: null,
      details: false,
      opened_at: null,
    });
    expect(body.token).toMatch(/^wkr_[\w-]{43}$/);
    const stored = await app.db.select().from(reportLinks);
    expect(JSON.stringify(stored)).not.toInclude(body.token.slice(4));
    const shared = await open(body.token);
    expect(shared.body).toMatchObject({ name: "Acme", report: { from: "2025-12-01T00:00:00.000Z", scope: "link" } });
    expect(shared.body.report.rows.map(({ target_name }) => target_name)).toEqual(["shop"]);
    const { links } = (await app.as(bob).get("/api/reports/links")).body;
    expect(links).toEqual([{ ...body.link, opened_at: isoTime(START) }]);
    expect((await app.as(charlie).get("/api/reports/links")).body.links).toEqual([]);
    expect((await app.as(charlie).delete(`/api/reports/links/${body.link.id}`)).status).toBe(404);
    expect((await app.as(bob).delete(`/api/reports/links/${body.link.id}`)).status).toBe(200);
    const revoked = await open(body.token);
    expect([revoked.status, (await open("wkr_x")).status]).toEqual([404, 404]);
    expect([shared, revoked].map(({ headers }) => headers.get("cache-control"))).toEqual(["no-store", "no-store"]);
  });

  it("tells why something was down only if its owner allows it", async () => {
    const { app, bob, shop, create, open } = await setUp();
    const error = { errorCode: "refused", errorDetail: { address: "secret.example" } } as const;
    const cause = { kind: "shared_address", value: "203.0.113.7", others: 3, total: 4 } as const;
    const noted = { note: "rack 7", noteBy: "bob", noteAt: START, acknowledgedAt: START, acknowledgedBy: "bob" };
    const span = { startedAt: START - 2 * HOUR, endedAt: START - HOUR };
    await addOutage(app, bob, { targetId: shop, ...span, ...error, ...noted, cause });
    const server = await enrollAgent(app, bob, { machine_id: "a" });
    const contract = { endsOn: "2026-01-20", price: 4.9, months: 1, currency: "CHF", note: "" };
    await app.db
      .update(agents)
      .set({
        plan: { traffic: null, contract },
        diskForecasts: { first: START + 9 * DAY, disks: [["/srv/private", START + 9 * DAY]] },
      })
      .where(eq(agents.id, server.id));
    const { token } = (await create({ period: "week" })).body;
    await app.db.update(agentStates).set({ status: "active" });
    const hidden = await open(token);
    expect(hidden.body.report.outages).toMatchObject([
      { seconds: 3600, target_name: "shop", error_code: null, cause: null },
    ]);
    for (const secret of ["secret.example", "203.0.113.7", "rack 7", "bob", "refused", "CHF", "/srv/private"])
      expect(hidden.text).not.toInclude(secret);
    const { token: whole } = (await create({ period: "week", details: true })).body;
    const shown = (await open(whole)).text;
    for (const secret of ["secret.example", "203.0.113.7", "rack 7", "CHF", "/srv/private"])
      expect(shown).toInclude(secret);
  });

  it("moves with the time, or stays at a fixed period", async () => {
    const { app, create, open } = await setUp();
    const zone = "Europe/Berlin";
    const rolling = (await create({ period: "last_month", zone })).body.token;
    const [from, to] = ["2025-12-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
    const { token: fixed, link } = (await create({ from, to })).body;
    expect(link).toMatchObject({ period: null, from, to });
    app.clock.set(START + 60 * DAY);
    const fromOf = async (token: string) => (await open(token)).body.report.from;
    expect([await fromOf(rolling), await fromOf(fixed)]).toEqual(["2026-01-31T23:00:00.000Z", from]);
  });

  it("shows what its owner owns only, also for an administrator, and nothing once its target is deleted", async () => {
    const { app, alice, bob, shop, create, open } = await setUp();
    const { token } = (await create({ period: "week" }, alice)).body;
    expect((await open(token)).body.report.rows).toEqual([]);
    expect((await create({ period: "week", scope: `monitor:${shop}` }, alice)).status).toBe(404);
    const own = (await create({ period: "week", scope: `monitor:${shop}` }, bob)).body.token;
    await deleteMonitor(app.deps, await findMonitor(app.deps, EVERYTHING, shop));
    expect((await open(own)).status).toBe(404);
  });

  it("is refused for a bad period, and beyond the limit of one user", async () => {
    const { app, bob, create } = await setUp();
    for (const [path, body] of [
      ["period", {}],
      ["period", { period: "week", from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }],
      ["to", { from: "2026-01-01T00:00:00Z" }],
      ["from", { from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }],
      ["zone", { period: "week", zone: "Mars" }],
      ["target", { period: "week", target: 101 }],
      ["scope", { period: "week", scope: "tag:" }],
      ["name", { period: "week", name: "x".repeat(101) }],
    ] as const) {
      const { status, body: answer } = await create(body);
      expect([JSON.stringify(body), status, answer.errors?.[0]?.path]).toEqual([JSON.stringify(body), 422, path]);
    }
    const link = { ...madeBy(bob), name: "", scope: "all", period: "week", zone: "UTC", details: false } as const;
    await app.db
      .insert(reportLinks)
      .values(Array.from({ length: MAX_REPORT_LINKS }, (_, at) => ({ ...link, hash: `${at}`, createdAt: START })));
    expect((await create({ period: "week" })).body.code).toBe("too_many_report_links");
  });
});
