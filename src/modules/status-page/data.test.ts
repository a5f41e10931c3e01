import { describe, expect, it } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { addMonitor, record } from "../../testing/fixtures/monitors";
import { publish, readStatusData } from "../../testing/fixtures/status-page";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const add = (name: string, more = {}) => addMonitor(app, alice, { url: `https://${name}.example/`, name, ...more });
  return { app, alice, bob, add };
};

it("the status page without a slug is the first administrator's, and has no overall status while it is empty", async () => {
  const { app, alice, bob } = await setUp();
  expect(await readStatusData(app)).toMatchObject({
    title: "",
    overall: null,
    updated_at: null,
    monitors: [],
  });
  await publish(app, bob, { title: "Bob's" });
  await publish(app, alice, { title: "Alice's" });
  expect([(await readStatusData(app)).title, (await readStatusData(app, "alice")).title]).toEqual([
    "Alice's",
    "Alice's",
  ]);
  expect((await readStatusData(app, "bob")).title).toBe("Bob's");
});

it("an unknown slug, or that of a user who never saved a page, answers 404 as JSON", async () => {
  const { app } = await setUp();
  for (const slug of ["unknown", "charlie", "bob", "config", "%", "' or 1=1 --", "%E0%A4%A"]) {
    const { status, body } = await app.anybody.get(`/api/status/data?page=${slug}`);
    expect([slug, status, body.code]).toEqual([slug, 404, "not_found"]);
  }
  expect((await app.anybody.get("/api/status/data?page=")).status).toBe(404);
});

it("the status page exists before the first account", async () => {
  const app = await createTestApp();
  expect(await readStatusData(app)).toMatchObject({ title: "", overall: null });
});

it("a monitor has its checks of each of 90 days, and its uptime of 24 hours, 7, 30 and 90 days", async () => {
  const { app, alice, add } = await setUp();
  const id = await add("shop");
  await record(app, id, [
    { at: START - 95 * DAY, up: false },
    { at: START - 89 * DAY, up: false },
    { at: START - 30 * DAY, up: true },
    { at: START - 7 * DAY, up: false },
    { at: START - 18 * HOUR, up: true },
    { at: START - HOUR, up: true },
    { at: START - MINUTE, up: true, time: 42.5 },
  ]);
  await publish(app, alice, { monitors: [id] });
  const { monitors, updated_at } = await readStatusData(app);
  const [shop] = monitors;
  expect(shop).toMatchObject({ id, name: "shop", status: "up", response_time: 42.5, uptime: 79.167 });
  expect(shop?.uptimes).toEqual({ "24h": 75, "7d": 10.714, "30d": 79.167, "90d": 26.389 });
  expect(shop?.days).toHaveLength(90);
  expect(shop?.days.filter(({ up, down }) => up + down > 0)).toEqual([
    { date: "2025-10-18", up: 0, down: 1, unknown_seconds: 0 },
    { date: "2025-12-16", up: 1, down: 0, unknown_seconds: 0 },
    { date: "2026-01-08", up: 0, down: 1, unknown_seconds: 0 },
    { date: "2026-01-14", up: 1, down: 0, unknown_seconds: 0 },
    { date: "2026-01-15", up: 2, down: 0, unknown_seconds: 0 },
  ]);
  expect([shop?.days[0]?.date, shop?.days.at(-1)?.date]).toEqual(["2025-10-18", "2026-01-15"]);
  expect(shop?.history).toHaveLength(7);
  expect(shop?.history.at(-1)).toEqual({ status: "up", timestamp: new Date(START - MINUTE).toISOString() });
  // The page was saved after the last check.
  expect([shop?.last_checked, updated_at]).toEqual([
    new Date(START - MINUTE).toISOString(),
    new Date(START).toISOString(),
  ]);
});

it("checks are counted once across the end of an hour and a day, although figures of the past are cached", async () => {
  const { app, alice, add } = await setUp();
  const id = await add("shop");
  await record(app, id, [{ at: START - DAY }, { at: START, up: false }]);
  await publish(app, alice, { monitors: [id] });
  // Half a minute.
  expect((await readStatusData(app)).monitors[0]?.uptimes["24h"]).toBe(99.965);
  for (const later of [30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY, 2 * DAY]) {
    app.clock.set(START + later);
    await record(app, id, [{ at: START + later }]);
    const [shop] = (await readStatusData(app)).monitors;
    expect([later, shop?.days.reduce((sum, { up, down }) => sum + up + down, 0)]).toEqual([
      later,
      2 + [30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY, 2 * DAY].indexOf(later) + 1,
    ]);
    expect(shop?.days.at(-1)).toMatchObject({ date: new Date(START + later).toISOString().slice(0, 10) });
  }
  expect((await readStatusData(app)).monitors[0]?.uptimes).toMatchObject({ "24h": 100, "90d": 99.306 });
});

it("time in which the hub could know nothing is neither up nor down, on the page and on badges", async () => {
  const { app, alice, add } = await setUp();
  const id = await add("shop");
  let lostSince: number | null = null;
  app.deps.watching.observe("hub_offline", () => lostSince);
  const lookAt = async (time: number) => {
    app.clock.set(time);
    app.deps.watching.look();
    await app.deps.watching.stored();
    return readStatusData(app);
  };
  await record(app, id, [{ at: START - MINUTE }]);
  await publish(app, alice, { monitors: [id] });
  await lookAt(START);
  lostSince = START;
  const unknown = { since: new Date(START).toISOString() };
  const shown = await lookAt(START + 6000);
  expect(shown).toMatchObject({ overall: null, unknown, monitors: [{ status: "up", unknown }] });
  // The reason is not for visitors.
  expect(JSON.stringify(shown)).not.toContain("hub_offline");
  expect((await app.anybody.get(`/badge/${id}.svg`)).text).toInclude(": unknown");
  lostSince = null;
  for (let time = 12; time <= 60; time += 6) await lookAt(START + time * 1000);
  const { overall, monitors, unknown: after } = await lookAt(START + 66_000);
  expect([overall, after, monitors[0]?.unknown]).toEqual(["operational", null, null]);
  expect(monitors[0]?.days.at(-1)).toMatchObject({ unknown_seconds: 12 });
  expect([monitors[0]?.uptimes["24h"], monitors[0]?.watched["24h"]]).toEqual([100, 90.476]);
});

describe("the overall status", () => {
  it("follows from what is on the page; paused, pending and connecting items do not count", async () => {
    const { app, alice, add } = await setUp();
    const ids = {
      up: await add("up"),
      down: await add("down"),
      pending: await add("new"),
      paused: await add("off", { active: false }),
    };
    await record(app, ids.up, [{ at: START }]);
    await record(app, ids.down, [{ at: START, up: false }]);
    await record(app, ids.paused, [{ at: START, up: false }]);
    const connecting = (await enrollAgent(app, alice, { machine_id: "m1" })).id;
    const reporting = await enrollAgent(app, alice, { machine_id: "m2" });
    await reporting.report([sampleAt(START)]);
    const overall = async (monitors: (keyof typeof ids)[], agents: number[] = []) => {
      await publish(app, alice, { monitors: monitors.map((name) => ids[name]), agents });
      return (await readStatusData(app)).overall;
    };
    expect(await overall([])).toBeNull();
    expect(await overall(["pending", "paused"], [connecting])).toBeNull();
    expect(await overall(["up", "pending"])).toBe("operational");
    expect(await overall(["up", "down"])).toBe("partial");
    expect(await overall(["down", "pending", "paused"], [connecting])).toBe("outage");
    expect(await overall(["down"], [reporting.id])).toBe("partial");
    const shown = (await readStatusData(app)).monitors.map(({ status }) => status);
    expect(shown).toEqual(["down"]);
  });
});

it("a server has its usage in percent and what it is; before its first report the latter alone", async () => {
  const { app, alice } = await setUp();
  const [connecting, reporting] = [
    await enrollAgent(app, alice, { machine_id: "m1", hostname: "web-1" }),
    await enrollAgent(app, alice, { machine_id: "m2", name: "Database" }),
  ];
  await reporting.report([sampleAt(START, { cpu: 12.34 })]);
  await publish(app, alice, { agents: [reporting.id, connecting.id] });
  const { agents } = await readStatusData(app);
  expect(agents).toEqual([
    {
      id: reporting.id,
      name: "Database",
      status: "active",
      unknown: null,
      maintenance: null,
      since: null,
      ...{ hostname: "db-1", os: "Debian GNU/Linux 12 (bookworm)", version: "6.1.0" },
      cpu: 12.3,
      memory: 25,
      disk: 50,
      network_rx: 8,
      network_tx: 2,
    },
    expect.objectContaining({
      name: "web-1",
      status: "connecting",
      ...{ hostname: "web-1", os: "Debian GNU/Linux 12 (bookworm)", version: "6.1.0" },
      cpu: null,
      memory: null,
      disk: null,
      network_rx: null,
    }),
  ]);
});

describe("the answer with a page's data", () => {
  const etagOf = async ({ anybody }: Awaited<ReturnType<typeof createTestApp>>, path = "/api/status/data") =>
    (await anybody.get(path)).headers.get("etag") ?? "";

  it("is 304 for the ETag of the same data, which stays the same while the data do", async () => {
    const { app, alice, add } = await setUp();
    await publish(app, alice, { monitors: [await add("shop")] });
    const tag = await etagOf(app);
    expect(tag).not.toBe("");
    app.clock.set(START + 10 * MINUTE);
    const again = await app.anybody.get("/api/status/data", undefined, { "if-none-match": tag });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag]);
    const other = await app.anybody.get("/api/status/data", undefined, { "if-none-match": '"other"' });
    expect(other.status).toBe(200);
  });

  it("is cached for five seconds, and invalidated by a change", async () => {
    const { app, alice, add } = await setUp();
    const id = await add("shop");
    await publish(app, alice, { monitors: [id] });
    const status = async () => (await readStatusData(app)).monitors[0]?.status;
    expect(await status()).toBe("pending");
    await record(app, id, [{ at: START }]);
    expect(await status()).toBe("pending");
    app.clock.set(START + 5000);
    expect(await status()).toBe("up");
    await app.as(alice).post(`/api/monitors/${id}/pause`);
    expect(await status()).toBe("paused");
    await publish(app, alice, { monitors: [] });
    expect(await status()).toBeUndefined();
  });

  it("is sent in the content coding that the client accepts, with the same content", async () => {
    const { app, alice, add } = await setUp();
    await publish(app, alice, { monitors: [await add("shop")] });
    const plain = await app.anybody.get("/api/status/data");
    for (const [accepted, coding, decompress] of [
      ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ["gzip", "gzip", gunzipSync],
    ] as const) {
      const response = await app.send(
        new Request("http://console.test/api/status/data", { headers: { "accept-encoding": accepted } }),
      );
      expect(response.headers.get("content-encoding")).toBe(coding);
      expect(decompress(await response.arrayBuffer()).toString()).toBe(plain.text);
    }
  });
});
