import { describe, expect, it } from "bun:test";
import { checkDays, checkHours } from "../../../db/schema";
import { bucketsSince } from "../../../lib/time";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, record } from "../../../testing/fixtures/monitors";
import { RANGES } from "../model";
import { seriesOf } from "./series";
import { uptimeOfMonth, uptimesOf } from "./uptime";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  const series = async (range: string) =>
    (await app.as(bob).get(`/api/monitors/${id}/series?range=${range}`)).body.points;
  return { app, bob, id, series };
};

describe("uptime", () => {
  it("is null before the first check", async () => {
    const { app, id } = await setUp();
    expect(await uptimesOf(app.deps, id)).toEqual({ "24h": null, "7d": null, "30d": null, "90d": null });
    expect(await uptimeOfMonth(app.deps, [id])).toEqual(new Map());
    expect(await uptimeOfMonth(app.deps, [])).toEqual(new Map());
  });

  it("counts the checks of each span, including the current hour and day", async () => {
    const { app, bob, id } = await setUp();
    await record(app, id, [
      { at: START - 100 * DAY, up: false },
      { at: START - 80 * DAY, up: false },
      { at: START - 20 * DAY, up: false },
      { at: START - 5 * DAY, up: false },
      { at: START - 2 * HOUR, up: false },
      { at: START, up: true },
    ]);
    const expected = { "24h": 50, "7d": 33.333, "30d": 25, "90d": 20 };
    expect(await uptimesOf(app.deps, id)).toEqual(expected);
    const { monitor } = (await app.as(bob).get(`/api/monitors/${id}`)).body;
    expect([monitor.uptimes, monitor.uptime]).toEqual([expected, 25]);
  });

  it("counts no bucket before the start of its span", async () => {
    const { app, id } = await setUp();
    const edges = [23 * HOUR, 24 * HOUR, 167 * HOUR, 168 * HOUR, 29 * DAY, 30 * DAY, 89 * DAY, 90 * DAY];
    await record(
      app,
      id,
      edges.toReversed().map((age, index) => ({ at: START - age, up: index % 2 === 1 })),
    );
    // The inner edge of each span was up, the outer one, just before it, was down.
    expect(await uptimesOf(app.deps, id)).toEqual({ "24h": 100, "7d": 66.667, "30d": 60, "90d": 57.143 });
    expect(await uptimeOfMonth(app.deps, [id])).toEqual(new Map([[id, 60]]));
  });

  it("counts the checks of one monitor only", async () => {
    const { app, bob, id } = await setUp();
    const other = await addMonitor(app, bob, { url: "https://blog.example/" });
    await record(app, id, [{ at: START }]);
    await record(app, other, [{ at: START, up: false }]);
    expect(await uptimeOfMonth(app.deps, [id, other])).toEqual(
      new Map([
        [id, 100],
        [other, 0],
      ]),
    );
    expect(await uptimeOfMonth(app.deps, [other])).toEqual(new Map([[other, 0]]));
  });
});

describe("a chart series", () => {
  it("has at most 400 points, in order, for every range and any amount of checks", async () => {
    const { app, id, series } = await setUp();
    const sum = { monitorId: id, up: 1, down: 0, answered: 1, totalTime: 5, minTime: 5, maxTime: 5, histogram: null };
    const [hour, day] = [Math.floor(START / HOUR), Math.floor(START / DAY)];
    const hours = Array.from({ length: 95 * 24 }, (_, index) => ({ ...sum, bucket: hour - index }));
    for (let start = 0; start < hours.length; start += 500) {
      await app.db.insert(checkHours).values(hours.slice(start, start + 500));
    }
    await app.db.insert(checkDays).values(Array.from({ length: 400 }, (_, index) => ({ ...sum, bucket: day - index })));
    await record(
      app,
      id,
      Array.from({ length: 600 }, (_, index) => ({ at: START - (600 - index) * 3 * MINUTE })),
    );
    for (const range of RANGES) {
      const points = await series(range);
      expect(points.length).toBeWithin(168, 401);
      expect(points.map(({ t }) => t)).toEqual(points.map(({ t }) => t).toSorted((a, b) => a - b));
      expect(points.at(-1)?.t).toBeGreaterThan(START - DAY);
    }
  });

  it("sums the checks of each point, and rounds averages to a tenth", async () => {
    const { app, id, series } = await setUp();
    const t = Math.floor(START / (5 * MINUTE)) * 5 * MINUTE;
    await record(app, id, [
      { at: t, time: 10 },
      { at: t + MINUTE, time: 20.2, up: false, statusCode: 500 },
      { at: t + 2 * MINUTE, up: false, time: null, statusCode: null },
    ]);
    app.clock.set(t + 3 * MINUTE);
    const point = { up: 1, down: 2, avg: 15.1, min: 10, max: 20.2, p50: 10.2, p95: 19.8, p99: 19.8 };
    expect(await series("7d")).toEqual([{ t: Math.floor(START / HOUR) * HOUR, ...point }]);
    expect(await series("1y")).toEqual([{ t: Math.floor(START / DAY) * DAY, ...point }]);
    await record(app, id, [{ at: t - 7 * HOUR, time: 5 }]);
    expect((await series("24h")).slice(1)).toEqual([{ t, ...point }]);
  });

  it("has a point for each minute of 24 hours while every check is younger than six hours", async () => {
    const { app, id, series } = await setUp();
    const t = Math.floor(START / (5 * MINUTE)) * 5 * MINUTE;
    await record(app, id, [
      { at: t, time: 10 },
      { at: t + MINUTE, up: false, statusCode: 500, time: 20 },
      { at: t + 2 * MINUTE, time: 30 },
    ]);
    app.clock.set(t + 6 * HOUR);
    const seen = async () => (await series("24h")).map(({ t, up, down }) => [t, up, down]);
    expect(await seen()).toEqual([
      [t, 1, 0],
      [t + MINUTE, 0, 1],
      [t + 2 * MINUTE, 1, 0],
    ]);
    app.clock.set(t + 6 * HOUR + 1);
    expect(await seen()).toEqual([[t, 2, 1]]);
  });

  it("has no points for gaps, and null times where nothing answered", async () => {
    const { app, id, series } = await setUp();
    await record(app, id, [{ at: START - 10 * HOUR }, { at: START - HOUR, up: false, time: null }]);
    const points = await series("24h");
    expect(points).toHaveLength(2);
    expect(points[1]).toMatchObject({
      up: 0,
      down: 1,
      avg: null,
      min: null,
      max: null,
      p50: null,
      p95: null,
      p99: null,
    });
  });

  it("starts at the start of its range", async () => {
    const { app, id } = await setUp();
    for (const [range, span] of [
      ["24h", DAY],
      ["7d", 7 * DAY],
      ["30d", 30 * DAY],
      ["90d", 90 * DAY],
    ] as const) {
      await record(app, id, [{ at: START - span - 12 * HOUR }, { at: START - span + 12 * HOUR }]);
      const { points } = await seriesOf(app.deps, id, range);
      expect(points.filter(({ t }) => t < START - span)).toEqual([]);
      expect(points[0]?.t).toBeLessThanOrEqual(START - span + 12 * HOUR);
    }
  });

  it("covers 24 hours by default, and refuses an unknown range", async () => {
    const { app, bob, id } = await setUp();
    await record(app, id, [{ at: START - 2 * DAY }, { at: START }]);
    const get = (query: string) => app.as(bob).get(`/api/monitors/${id}/series${query}`);
    expect((await get("")).body.points).toHaveLength(1);
    const { status, body } = await get("?range=2d");
    expect([status, body.errors.map(({ path }) => path)]).toEqual([422, ["range"]]);
  });
});

it("the buckets of a span include partly covered ones", () => {
  expect(bucketsSince(0, 0, 10)).toEqual([0]);
  expect(bucketsSince(9, 20, 10)).toEqual([0, 1, 2]);
  expect(bucketsSince(10, 19, 10)).toEqual([1]);
});
