import { expect, it } from "bun:test";
import { outages } from "../../../db/schema";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { beatTime, createKuma, importer, type KumaContent, uploadOf } from "../../../testing/fixtures/imports/kuma";

// Paused, so that no check of this hub adds to the history.
const MONITOR = { id: 7, name: "Shop", type: "http", url: "https://shop.example.com/", interval: 60, active: 0 };
const TODAY = Math.floor(START / DAY) * DAY;

/** A check that Uptime Kuma stored: 0 is down, 1 up, 2 pending, 3 maintenance. */
const beat = (at: number, status: number, important = 0, ping: number | null = 20, msg = "") => ({
  ...{ monitor_id: MONITOR.id, time: beatTime(at), status, important, msg },
  ping: status === 1 ? ping : null,
});

const importFile = async (file: string, options: object = {}) => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const calls = importer(app.send, alice.token);
  const preview = await calls.preview(uploadOf(file));
  const { body } = await calls.apply(preview.body.id, options);
  const client = app.as(alice);
  const [monitor] = (await client.get("/api/monitors")).body.monitors;
  const id = monitor?.id ?? 0;
  return { app, alice, calls, client, id, preview: preview.body, body };
};

/** Three days of 2.x: the second one with an outage of 144 minutes, the third one up to noon. */
const STATS: KumaContent = {
  monitor: [MONITOR],
  stat_daily: [
    { timestamp: (TODAY - 2 * DAY) / SECOND, up: 1440, down: 0, ping: 20.5, ping_min: 10, ping_max: 90 },
    { timestamp: (TODAY - DAY) / SECOND, up: 1296, down: 144, ping: 30, ping_min: 12, ping_max: 200 },
    { timestamp: TODAY / SECOND, up: 720, down: 0, ping: 25, ping_min: 11, ping_max: 80 },
  ].map((row) => ({ ...row, monitor_id: MONITOR.id })),
  stat_hourly: [
    {
      monitor_id: MONITOR.id,
      timestamp: (TODAY - HOUR) / SECOND,
      up: 60,
      down: 0,
      ping: 22,
      ping_min: 10,
      ping_max: 40,
    },
  ],
  heartbeat: [
    beat(TODAY - 2 * DAY, 1, 1),
    beat(TODAY - DAY + 6 * HOUR, 2),
    beat(TODAY - DAY + 6 * HOUR, 0, 1, null, "connect ECONNREFUSED"),
    beat(TODAY - DAY + 6 * HOUR + 60 * MINUTE, 3, 1),
    beat(TODAY - DAY + 6 * HOUR + 144 * MINUTE, 1, 1),
    beat(TODAY + 12 * HOUR, 1),
  ],
};

it("sums of 2.x become days and hours without percentiles", async () => {
  const { client, id, preview, body } = await importFile(createKuma(2, STATS));
  expect(preview.history_from).toBe(new Date(TODAY - 2 * DAY).toISOString());
  expect(body.history).toEqual({ days: 3, outages: 1 });
  const { points } = (await client.get(`/api/monitors/${id}/series?range=1y`)).body;
  expect(points).toEqual([
    { t: TODAY - 2 * DAY, up: 1440, down: 0, avg: 20.5, min: 10, max: 90, p50: null, p95: null, p99: null },
    { t: TODAY - DAY, up: 1296, down: 144, avg: 30, min: 12, max: 200, p50: null, p95: null, p99: null },
    { t: TODAY, up: 720, down: 0, avg: 25, min: 11, max: 80, p50: null, p95: null, p99: null },
  ]);
  const hours = (await client.get(`/api/monitors/${id}/series?range=7d`)).body.points;
  expect(hours).toMatchObject([{ t: TODAY - HOUR, up: 60, avg: 22 }]);
});

it("checks that changed the state become outages, and pending and maintenance neither open nor end one", async () => {
  const { client, id } = await importFile(createKuma(2, STATS));
  const { outages } = (await client.get(`/api/outages?target=monitor:${id}`)).body;
  expect(outages).toMatchObject([
    {
      kind: "down",
      started_at: new Date(TODAY - DAY + 6 * HOUR).toISOString(),
      ended_at: new Date(TODAY - DAY + 6 * HOUR + 144 * MINUTE).toISOString(),
      error_code: "imported",
      error_detail: { source: "Uptime Kuma", text: "connect ECONNREFUSED" },
    },
  ]);
  expect((await client.get("/api/dashboard")).body).toMatchObject({ problems: [] });
});

it("the uptime of imported days is that of the source, and the time since its last check is unknown", async () => {
  const { client, id } = await importFile(createKuma(2, STATS));
  const { monitor } = (await client.get(`/api/monitors/${id}`)).body;
  const { availability } = monitor as unknown as {
    availability: Record<string, { watched_seconds: number; down_seconds: number }>;
  };
  expect(availability["90d"]).toMatchObject({
    down_seconds: 144 * 60,
    watched_seconds: (2 * DAY + 12 * HOUR) / SECOND,
  });
});

it("1.x has no sums, so its checks are added up by hour and day", async () => {
  const beats = [
    beat(TODAY - DAY, 1, 1, 10),
    beat(TODAY - DAY + MINUTE, 1, 0, 30),
    beat(TODAY - DAY + 2 * MINUTE, 0, 1),
    beat(TODAY - DAY + 3 * MINUTE, 1, 1, 20),
    beat(TODAY - 2 * HOUR, 3, 1),
    beat(TODAY - HOUR, 1, 0, 60),
  ];
  const { client, id, body } = await importFile(createKuma(1, { monitor: [MONITOR], heartbeat: beats }));
  expect(body.history).toEqual({ days: 1, outages: 1 });
  const { points } = (await client.get(`/api/monitors/${id}/series?range=1y`)).body;
  expect(points).toMatchObject([{ t: TODAY - DAY, up: 4, down: 1, avg: 30, min: 10, max: 60, p95: null }]);
  const hours = (await client.get(`/api/monitors/${id}/series?range=7d`)).body.points;
  expect(hours.map(({ t, up, down }) => [(t - TODAY) / HOUR, up, down])).toEqual([
    [-24, 3, 1],
    [-1, 1, 0],
  ]);
});

it("days without any check are not watched, and an open outage ends with the last check", async () => {
  const beats = [
    beat(TODAY - 5 * DAY, 1, 1),
    beat(TODAY - 5 * DAY + 2 * HOUR, 1),
    beat(TODAY - 2 * DAY, 1),
    beat(TODAY - DAY, 0, 1),
    beat(TODAY - 12 * HOUR, 0),
  ];
  const { client, id } = await importFile(createKuma(1, { monitor: [MONITOR], heartbeat: beats }));
  const { monitor } = (await client.get(`/api/monitors/${id}`)).body;
  const { availability } = monitor as unknown as { availability: Record<string, object> };
  // The first day, and from the start of the third one on.
  expect(availability["90d"]).toMatchObject({ watched_seconds: 2.5 * 86_400, down_seconds: 43_200, outages: 1 });
});

it("the history is left out on request, and a later import of the same file adds it once", async () => {
  const file = createKuma(2, STATS);
  const { app, calls, body } = await importFile(file, { history: false });
  expect(body.history).toEqual({ days: 0, outages: 0 });
  const again = async () => {
    const { id } = (await calls.preview(uploadOf(file))).body;
    return (await calls.apply(id)).body.history;
  };
  expect(await again()).toEqual({ days: 3, outages: 1 });
  expect(await again()).toEqual({ days: 0, outages: 0 });
  expect(await app.db.$count(outages)).toBe(1);
});

it("a monitor that is deleted takes its imported history with it", async () => {
  const { app, client, id } = await importFile(createKuma(2, STATS));
  expect((await client.delete(`/api/monitors/${id}`)).status).toBe(200);
  expect(await app.db.$count(outages)).toBe(0);
  expect((await client.get("/api/monitors")).body.total).toBe(0);
});
