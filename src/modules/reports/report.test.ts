import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { EVERYTHING } from "../../db/owner";
import { agentStates, agents, checkDays, hubGaps, monitorStates } from "../../db/schema";
import { isoTime } from "../../lib/time";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { createTestClock } from "../../testing/clock";
import { enrollAgent, rollUpSamples, sampleAt } from "../../testing/fixtures/agents";
import { addMonitor, record } from "../../testing/fixtures/monitors";
import { addOutage } from "../../testing/fixtures/outages";
import { publish, readStatusData } from "../../testing/fixtures/status-page";
import { deleteMonitor } from "../monitors/change";
import { findMonitor } from "../monitors/service";

const at = (text: string): number => Date.parse(text);
/** October of Berlin has 745 hours. */
const [BEGIN, END] = [at("2026-10-01T00:00:00+02:00"), at("2026-11-01T00:00:00+01:00")];
const OCTOBER = `zone=Europe/Berlin&from=${isoTime(BEGIN)}&to=${isoTime(END)}`;
const NOW = at("2026-11-04T12:00:00+01:00");

/** A shop that is watched since August, a blog since mid-October, both tagged, and a server of bob's. */
const setUp = async () => {
  const app = await createTestApp({ clock: createTestClock(NOW) });
  const { alice, bob, charlie } = await app.people();
  const client = app.as(bob);
  const add = async (name: string, since: number, owner = bob) => {
    const tags = [{ name: "prod", value: name === "shop" ? "eu" : "" }];
    const id = await addMonitor(app, owner, { url: `https://${name}.example/`, name, tags });
    await app.db
      .update(monitorStates)
      .set({ firstCheckedAt: since, status: "up" })
      .where(eq(monitorStates.monitorId, id));
    return id;
  };
  const shop = await add("shop", at("2026-08-01T00:00:00Z"));
  const blog = await add("blog", END - 10 * DAY);
  const { id: server } = await enrollAgent(app, bob, { hostname: "web-1" });
  await app.db
    .update(agentStates)
    .set({ firstReportedAt: BEGIN - DAY, status: "active" })
    .where(eq(agentStates.agentId, server));
  const read = async (query = OCTOBER, as = client) => (await as.get(`/api/reports?${query}`)).body.report;
  const rowOf = async (query: string, name: string) =>
    (await read(query)).rows.find(({ target_name }) => target_name === name);
  return { app, alice, bob, charlie, client, add, shop, blog, server, read, rowOf };
};

describe("a report", () => {
  it("has the uptime of each target in the watched time of the period, the lowest first, and of all together", async () => {
    const { app, bob, shop, blog, server, read } = await setUp();
    await addOutage(app, bob, { targetId: shop, startedAt: BEGIN - HOUR, endedAt: BEGIN + HOUR });
    await addOutage(app, bob, { targetId: shop, startedAt: END - 2 * HOUR, endedAt: END + HOUR });
    const offline = { targetType: "agent", kind: "offline" } as const;
    await addOutage(app, bob, { ...offline, targetId: server, startedAt: END - DAY, endedAt: END - 12 * HOUR });
    await app.db.insert(hubGaps).values({ startedAt: BEGIN, endedAt: BEGIN + 30 * MINUTE });
    const report = await read();
    expect(report.rows.map(({ target_name }) => target_name)).toEqual(["web-1", "shop", "blog"]);
    const [, ofShop, ofBlog] = report.rows;
    expect(ofShop).toMatchObject({
      target_id: shop,
      watched_seconds: 745 * 3600 - 1800,
      down_seconds: 9000,
      outages: 2,
    });
    expect(ofShop?.uptime).toBe(99.664);
    expect(ofShop?.worst_day).toEqual({ date: "2026-10-31", down_seconds: 7200 });
    expect(ofBlog).toMatchObject({ target_id: blog, uptime: 100, watched_seconds: 10 * 86_400, worst_day: null });
    expect(report.totals).toMatchObject({ outages: 3, down_seconds: 9000 + 12 * 3600 });
    expect(report.targets).toEqual({ total: 3, counted: 3, watched: 3 });
    expect(report.days).toHaveLength(31);
    expect(report.days[24]).toMatchObject({ date: "2026-10-25", from: "2026-10-24T22:00:00.000Z" });
    expect(report.days[25]?.from).toBe("2026-10-25T23:00:00.000Z");
    expect(ofShop?.days.map(({ down_seconds }) => down_seconds).filter(Boolean)).toEqual([1800, 7200]);
    expect(ofBlog?.days.slice(0, 21).every(({ uptime }) => uptime === null)).toBe(true);
    expect(ofShop?.before).toMatchObject({ outages: 1, down_seconds: 3600 });
  });

  it("has the same figures as the monitor's page, lists, badges and the status page", async () => {
    const { app, bob, shop, client, rowOf } = await setUp();
    await addOutage(app, bob, { targetId: shop, startedAt: NOW - 5 * HOUR, endedAt: NOW - 4 * HOUR });
    await publish(app, bob, { monitors: [shop] });
    const days = (count: number) => `from=${isoTime(NOW - count * DAY)}&to=${isoTime(NOW)}`;
    const { monitor } = (await client.get(`/api/monitors/${shop}`)).body;
    for (const [name, count] of [
      ["24h", 1],
      ["7d", 7],
      ["30d", 30],
      ["90d", 90],
    ] as const) {
      const row = await rowOf(days(count), "shop");
      const { uptime, watched, watched_seconds, down_seconds, outages } = row ?? {};
      expect<unknown>({ uptime, watched, watched_seconds, down_seconds, outages }).toEqual(monitor.availability[name]);
    }
    const month = (await rowOf(days(30), "shop"))?.uptime;
    expect([monitor.uptime, (await readStatusData(app, "bob")).monitors[0]?.uptime]).toEqual([month, month] as never);
    const badge = await app.send(new Request(`http://hub.example/badge/${shop}.svg?type=uptime&days=30`));
    expect(await badge.text()).toInclude(`${month?.toFixed(2)}%`);
    const metrics = await client.get("/metrics");
    expect(metrics.text).toMatch(
      new RegExp(`wakeful_monitor_uptime_ratio\\{[^}]*id="${shop}"[^}]*\\} ${(month ?? 0) / 100}`),
    );
  });

  it("says what is left of a target, to the second, also of 100 %", async () => {
    const { app, bob, shop, rowOf } = await setUp();
    await addOutage(app, bob, { targetId: shop, startedAt: BEGIN, endedAt: BEGIN + 40 * MINUTE });
    const allowed = 745 * 3.6;
    expect((await rowOf(`${OCTOBER}&target=99.9`, "shop"))?.target).toEqual({
      percent: 99.9,
      met: true,
      allowed_seconds: allowed,
      left_seconds: allowed - 2400,
    });
    expect((await rowOf(`${OCTOBER}&target=100`, "shop"))?.target).toEqual({
      ...{ percent: 100, met: false, allowed_seconds: 0 },
      left_seconds: -2400,
    });
    expect((await rowOf(`${OCTOBER}&target=100`, "blog"))?.target).toMatchObject({ met: true, left_seconds: 0 });
    expect((await rowOf(OCTOBER, "shop"))?.target).toBeNull();
    await app.as(bob).put(`/api/monitors/${shop}/objective`, { target: 99.5, period: "30d" });
    expect((await rowOf(OCTOBER, "shop"))?.target).toMatchObject({ percent: 99.5, met: true });
    expect((await rowOf(`${OCTOBER}&target=99.9`, "shop"))?.target).toMatchObject({ percent: 99.9 });
  });

  it("has percentiles of the response times of the period, and the peaks and the traffic of servers", async () => {
    const { app, shop, server, read, rowOf } = await setUp();
    await record(app, shop, [
      ...Array.from({ length: 20 }, (_, minute) => ({ at: BEGIN + minute * MINUTE, time: 100 })),
      { at: BEGIN + 10 * DAY, time: 1000 },
      { at: BEGIN - 3 * HOUR, time: 9000 },
      { at: END + HOUR, time: 9000 },
    ]);
    const row = await rowOf(OCTOBER, "shop");
    expect(row?.p50).toBeWithin(95, 106);
    expect(row?.p95).toBeWithin(95, 106);
    expect((await read(`${OCTOBER}&scope=tag:prod`)).totals.before.p95).toBeWithin(8500, 9500);
    const short = await rowOf(`from=${isoTime(END)}&to=${isoTime(NOW)}`, "shop");
    expect(short?.p50).toBeWithin(8500, 9500);
    expect(await app.db.$count(checkDays)).toBeGreaterThan(0);
    expect(await rowOf(OCTOBER, "web-1")).toMatchObject({ p95: null, peaks: null, traffic: null, target_id: server });
  });

  it("has the peaks of a server", async () => {
    const { app, bob, rowOf } = await setUp();
    const db = await enrollAgent(app, bob, { hostname: "db-1" });
    await db.report([sampleAt(NOW - 3 * HOUR, { cpu: 93.5 }), sampleAt(NOW - 3 * HOUR + MINUTE, { cpu: 10 })]);
    await rollUpSamples(app, "now");
    const row = await rowOf(`from=${isoTime(NOW - DAY)}&to=${isoTime(NOW)}`, "db-1");
    expect(row?.peaks).toEqual({ cpu: 93.5, memory: 25, disk: 50 });
  });

  it("lists the longest outages, with others that they explain, and certificates and contracts that end", async () => {
    const { app, bob, shop, blog, server, read } = await setUp();
    const offline = { targetType: "agent", kind: "offline", targetId: server } as const;
    const cause = await addOutage(app, bob, { ...offline, startedAt: END - 5 * HOUR, endedAt: END - 3 * HOUR });
    const explained = { startedAt: END - 5 * HOUR, endedAt: END - 2 * HOUR, explainedBy: cause };
    await addOutage(app, bob, { targetId: shop, ...explained });
    const short = await addOutage(app, bob, { targetId: blog, startedAt: END - HOUR, endedAt: END - HOUR + MINUTE });
    await addOutage(app, bob, { targetId: shop, kind: "slow", startedAt: END - DAY });
    await app.db
      .update(monitorStates)
      .set({ certExpiresAt: NOW + 6 * DAY })
      .where(eq(monitorStates.monitorId, shop));
    const contract = { endsOn: "2026-12-05", price: 4.9, months: 1, currency: "EUR", note: "" };
    await app.db
      .update(agents)
      .set({
        plan: { traffic: null, contract },
        diskForecasts: {
          first: NOW + 9 * DAY,
          disks: [
            ["/", null],
            ["/var", NOW + 9 * DAY],
            ["/srv", NOW + 90 * DAY],
          ],
        },
      })
      .where(eq(agents.id, server));
    const report = await read();
    expect(report.outages.map(({ id, seconds, explains }) => [id, seconds, explains])).toEqual([
      [cause, 7200, 1],
      [short, 60, 0],
    ]);
    expect(report.upcoming.map(({ kind, target_name, at, price }) => [kind, target_name, at, price])).toEqual([
      ["certificate", "shop", isoTime(NOW + 6 * DAY), null],
      ["disk", "web-1", isoTime(NOW + 9 * DAY), null],
      ["contract", "web-1", "2026-12-04T23:00:00.000Z", 4.9],
    ]);
    // Alone, the monitor's own outage is listed.
    expect((await read(`${OCTOBER}&scope=monitor:${shop}`)).outages.map(({ seconds }) => seconds)).toEqual([3 * 3600]);
  });

  it("is about a tag, the status page or one target, and by default the last month of the zone", async () => {
    const { app, bob, shop, server, read } = await setUp();
    const names = async (scope: string) =>
      (await read(`${OCTOBER}&scope=${encodeURIComponent(scope)}`)).rows.map(({ target_name }) => target_name).sort();
    expect(await names("all")).toEqual(["blog", "shop", "web-1"]);
    expect(await names("tag:prod")).toEqual(["blog", "shop"]);
    expect(await names("tag:PROD:eu")).toEqual(["shop"]);
    expect(await names("page")).toEqual([]);
    await publish(app, bob, { monitors: [shop], agents: [server] });
    expect(await names("page")).toEqual(["shop", "web-1"]);
    expect(await names(`agent:${server}`)).toEqual(["web-1"]);
    expect(await read("zone=Europe/Berlin")).toMatchObject({ from: isoTime(BEGIN), to: isoTime(END), scope: "all" });
    expect(await read("period=week&zone=Europe/Berlin")).toMatchObject({ from: "2026-10-28T23:00:00.000Z" });
  });

  it("divides a long period into weeks, and lists targets in pages", async () => {
    const { read } = await setUp();
    const year = `from=${isoTime(NOW - 365 * DAY)}&to=${isoTime(NOW)}&limit=2`;
    const first = await read(year);
    expect([first.days.length, first.rows.length, first.next]).toEqual([53, 2, 2]);
    expect(first.rows[0]?.days).toHaveLength(53);
    const second = await read(`${year}&offset=2`);
    expect([second.rows.length, second.next, second.totals]).toEqual([1, null, first.totals]);
  });

  it("of a time of which nothing is known has no uptime: of the future, before what is kept, and of a new target", async () => {
    const { add, read } = await setUp();
    const id = await add("new", NOW);
    for (const query of [
      `from=${isoTime(NOW + DAY)}&to=${isoTime(NOW + 2 * DAY)}`,
      `from=${isoTime(NOW - 900 * DAY)}&to=${isoTime(NOW - 800 * DAY)}`,
      `${OCTOBER}&scope=monitor:${id}`,
    ]) {
      const { totals, targets } = await read(`${query}&target=99.9`);
      expect(totals).toMatchObject({ uptime: null, watched_seconds: 0, down_seconds: 0, outages: 0, p95: null });
      expect([targets.watched, totals.target?.left_seconds]).toEqual([0, 0]);
    }
  });

  it("is refused for a bad range, scope, zone or target with 422, and for a target that is deleted or another user's with 404", async () => {
    const { app, charlie, client, shop } = await setUp();
    const bad = {
      from: [
        `from=${isoTime(END)}&to=${isoTime(BEGIN)}`,
        "from=2016-01-01T00:00:00Z&to=2026-01-01T00:00:00Z",
        `to=${isoTime(END)}`,
      ],
      to: [`from=${isoTime(BEGIN)}`],
      scope: ["scope=everything", "scope=monitor:0", "scope=tag:", "scope=tag::eu"],
      target: ["target=0", "target=100.1", "target=much"],
      zone: ["zone=Mars/Base"],
      period: ["period=year"],
      limit: ["limit=501"],
    };
    for (const [path, queries] of Object.entries(bad))
      for (const query of queries) {
        const { status, body } = await client.get(`/api/reports?${query}`);
        expect([query, status, body.errors?.[0]?.path]).toEqual([query, 422, path]);
      }
    const statusOf = async (as = client) => (await as.get(`/api/reports?scope=monitor:${shop}`)).status;
    expect([await statusOf(), await statusOf(app.as(charlie))]).toEqual([200, 404]);
    await deleteMonitor(app.deps, await findMonitor(app.deps, EVERYTHING, shop));
    expect(await statusOf()).toBe(404);
  });

  it("has only what its viewer sees; administrators see the owners of the others", async () => {
    const { app, alice, charlie, add, read } = await setUp();
    await add("theirs", BEGIN, charlie);
    expect((await read(OCTOBER, app.as(charlie))).rows.map(({ target_name }) => target_name)).toEqual(["theirs"]);
    const all = (await read(OCTOBER, app.as(alice))).rows;
    expect(all.map(({ target_name, owner }) => [target_name, owner]).sort()).toEqual([
      ["blog", "bob"],
      ["shop", "bob"],
      ["theirs", "charlie"],
      ["web-1", "bob"],
    ]);
  });

  it("is exported as CSV with all targets", async () => {
    const { client } = await setUp();
    const { text, headers } = await client.get(`/api/reports/export?${OCTOBER}&target=99.9`);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [heading, ...lines] = text.replace("\uFEFF", "").trim().split("\r\n");
    expect(heading).toStartWith("from,to,target_type,target_id,target_name,uptime,watched_seconds");
    expect(lines).toHaveLength(3);
    expect(lines.find((line) => line.includes(",blog,"))).toInclude(",blog,100,864000,0,0,99.9,864,");
  });
});
