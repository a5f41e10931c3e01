import { expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";
import { publish, readStatusData } from "../../../testing/fixtures/status-page";
import { startTestServer } from "../../../testing/servers/hub";
import type { StatusHistory } from "./history";

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const client = app.as(bob);
  const add = (name: string) => addMonitor(app, bob, { url: "http://127.0.0.1:9/", name });
  const [shop, blog] = [await add("Shop"), await add("Blog")];
  const fail = (id: number, at: number, minutes: number) =>
    recordOnly(app, id, [{ at, up: false }, { at: at + minutes * MINUTE }]);
  const history = async (query: string): Promise<StatusHistory | null> => {
    const { status, text } = await app.anybody.get(`/api/status/history?page=bob${query}`);
    expect([200, 404]).toContain(status);
    return status === 200 ? JSON.parse(text).history : null;
  };
  const firstPage = async () => (await client.get("/api/pages")).body.pages[0]?.id ?? 0;
  return { app, bob, client, shop, blog, fail, history, firstPage };
};

// START is noon of 15 January 2026 in UTC.
it("a month has its outages, incidents and maintenance, and those of the month before are in that one", async () => {
  const { app, bob, client, shop, blog, fail, history } = await setUp();
  await fail(shop, START - 40 * DAY, 5);
  await fail(shop, START - 3 * DAY, 5);
  await fail(blog, START - 2 * DAY, 5);
  app.clock.set(START);
  await publish(app, bob, { monitors: [shop] });
  const write = (title: string, from: number, to: number) =>
    client.post("/api/incidents", {
      ...{ title, body: "It was **full**.", status: "resolved" },
      ...{ started_at: isoTime(from), at: isoTime(to) },
    });
  await write("Over new year", START - 17 * DAY, START - 13 * DAY);
  await write("December", START - 30 * DAY, START - 29 * DAY);
  const plan = (title: string, from: number, targets: object) =>
    client.post("/api/windows", {
      ...{ title, ...targets },
      schedule: { kind: "once", from: isoTime(from), to: isoTime(from + HOUR) },
    });
  await plan("Upgrade", START + HOUR, { monitors: [shop] });
  await plan("Of the blog", START + HOUR, { monitors: [blog] });
  await plan("Later", START + 2 * DAY, { monitors: [shop] });
  app.clock.set(START + 3 * HOUR);
  const january = await history("");
  expect(january).toMatchObject({ month: "2026-01", day: null, zone: "UTC", earlier: "2025-12", later: null });
  expect(january?.outages.map(({ name, started_at }) => [name, started_at])).toEqual([
    ["Shop", isoTime(START - 3 * DAY)],
  ]);
  expect(january?.incidents.map(({ title, updates }) => [title, updates.length])).toEqual([["Over new year", 1]]);
  expect(january?.maintenance.map(({ title }) => title)).toEqual(["Upgrade"]);
  const december = await history("&month=2025-12");
  expect(december?.outages).toHaveLength(1);
  expect(december?.incidents.map(({ title }) => title)).toEqual(["Over new year", "December"]);
  expect((await history("&day=2026-01-12"))?.outages).toHaveLength(1);
  expect((await history("&day=2026-01-13"))?.outages).toEqual([]);
  for (const outside of ["&month=2025-09", "&month=2026-02", "&month=nonsense", "&day=2026-01-16", "&day=2025-02-30"])
    expect([outside, await history(outside)]).toEqual([outside, null]);
});

it("bars, their uptime and the history are as long as the page's history, and incidents mark the days of what they name", async () => {
  const { app, bob, client, shop, fail, history, firstPage } = await setUp();
  await recordOnly(app, shop, [{ at: START - 400 * DAY }]);
  await fail(shop, START - 100 * DAY, 24 * 60);
  app.clock.set(START);
  await publish(app, bob, { monitors: [shop] });
  const [page] = (await client.get("/api/incidents")).body.pages;
  await client.post("/api/incidents", {
    ...{ title: "Shop is slow", body: "It was.", status: "resolved" },
    ...{ started_at: isoTime(START - 20 * DAY), at: isoTime(START - 18 * DAY) },
    components: [{ id: page?.components[0]?.id ?? 0, status: "degraded_performance" }],
  });
  const read = async (history_days: number) => {
    const { status } = await client.put(`/api/pages/${await firstPage()}`, { history_days });
    expect(status).toBe(200);
    const data = await readStatusData(app, "bob");
    return { days: data.history_days, shop: data.monitors[0] };
  };
  const before = await readStatusData(app, "bob");
  expect([before.history_days, before.monitors[0]?.days.length, before.monitors[0]?.page_uptime]).toEqual([
    90,
    90,
    undefined,
  ]);
  const year = await read(365);
  expect([year.days, year.shop?.days.length, year.shop?.days[0]?.date]).toEqual([365, 365, "2025-01-16"]);
  expect(year.shop?.days.filter(({ down }) => down > 0).map(({ date }) => date)).toEqual(["2025-10-07"]);
  expect(year.shop?.page_uptime).toBeCloseTo(100 - 100 / 365, 1);
  expect(year.shop?.incidents).toMatchObject([{ title: "Shop is slow", from: isoTime(START - 20 * DAY) }]);
  expect((await history("&month=2025-02"))?.month).toBe("2025-02");
  const fortnight = await read(14);
  expect([fortnight.shop?.days.length, fortnight.shop?.page_uptime, fortnight.shop?.incidents]).toEqual([
    14,
    100,
    undefined,
  ]);
  expect(await history("&month=2025-12")).toBeNull();
  for (const body of [{ history_days: 7 }, { history_days: "all" }, { zone: "Mars/Olympus" }])
    expect([body, (await client.put(`/api/pages/${await firstPage()}`, body)).status]).toEqual([body, 422]);
  expect((await client.put(`/api/pages/${await firstPage()}`, { zone: "Asia/Tokyo" })).status).toBe(200);
  expect((await history(""))?.from).toBe("2026-01-02T00:00:00.000Z");
  expect((await history(""))?.zone).toBe("Asia/Tokyo");
});

it("the document of the history has its entries, and answers 404 outside of it and of pages that do not exist", async () => {
  const server = await startTestServer();
  const { alice } = await server.people();
  await publish(server, alice, { title: "Acme" });
  await server.as(alice).post("/api/incidents", { title: "Payments <fail>", body: "A **disk**" });
  for (const path of ["/status/history", "/status/alice/history", "/status/alice/history?day=2026-01-15"]) {
    const { status, text } = await server.call(path, { headers: { "accept-language": "en" } });
    expect([path, status]).toEqual([path, 200]);
    expect(text).toInclude("Payments &lt;fail&gt;");
    expect(text).toInclude("<strong>disk</strong>");
    expect(text).toInclude(
      `href="./${path.replace(/^\/|\?.*/g, "")}?${path.includes("day") ? "day=2026-01-14" : "month=2025-12"}"`,
    );
  }
  for (const path of ["/status/bob/history", "/status/alice/history?month=2024-01", "/status/alice/history?day=x"])
    expect([path, (await server.call(path)).status]).toEqual([path, 404]);
});
