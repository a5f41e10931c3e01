import { describe, expect, it } from "bun:test";
import { checkDays, checkHours } from "../../../../db/schema";
import { histogramOf, quantile } from "../../../../history/histogram";
import { bucketsSince } from "../../../../lib/time";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { addMonitor, record } from "../../../../testing/fixtures/monitors";
import { fc } from "../../../../testing/property";
import { repetitions } from "../../../../testing/repetitions";
import { RANGES } from "./model";
import { seriesOf } from "./series";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const addShop = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const add = () => addMonitor(app, bob, { url: "https://shop.example/" });
  const read = async (id: number, range: string) =>
    (await app.as(bob).get(`/api/monitors/${id}/series?range=${range}`)).body;
  return { app, add, read };
};

const addOne = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  const series = async (range: string) =>
    (await app.as(bob).get(`/api/monitors/${id}/series?range=${range}`)).body.points;
  return { app, bob, id, series };
};

it("the summary of a range has the percentiles of the histogram of all its checks, stored or not", async () => {
  const { app, add } = await addShop();
  const checks = fc.uniqueArray(
    fc.record({ age: fc.integer({ min: 0, max: 6 * 24 * 60 }), time: fc.option(fc.integer({ min: 1, max: 600_000 })) }),
    { minLength: 1, maxLength: 40, selector: ({ age }) => age },
  );
  await fc.assert(
    fc.asyncProperty(checks, async (found) => {
      const id = await add();
      const inOrder = found.toSorted((a, b) => b.age - a.age);
      const tenths = (time: number | null) => (time === null ? null : time / 10);
      await record(
        app,
        id,
        inOrder.map(({ age, time }) => ({ at: START - age * MINUTE, up: time !== null, time: tenths(time) })),
      );
      const times = found.flatMap(({ time }) => (time === null ? [] : [time / 10]));
      const [min, max] = times.length > 0 ? [Math.min(...times), Math.max(...times)] : [null, null];
      const percentile = (share: number) => {
        const value = quantile(histogramOf(times), share);
        if (value === null || min === null || max === null) return null;
        return Math.round(Math.min(max, Math.max(min, value)) * 10) / 10;
      };
      for (const range of ["7d", "30d", "90d", "1y"] as const) {
        const { summary } = await seriesOf(app.deps, id, { range });
        expect(summary).toMatchObject({
          up: times.length,
          down: found.length - times.length,
          min,
          max,
          p50: percentile(0.5),
          p95: percentile(0.95),
          p99: percentile(0.99),
        });
      }
    }),
    { numRuns: repetitions(10, 50) },
  );
});

it("the average of a summary is weighted by the checks of each point", async () => {
  const { app, add, read } = await addShop();
  const id = await add();
  await record(app, id, [
    ...Array.from({ length: 9 }, (_, index) => ({ at: START - 2 * DAY + index * MINUTE, time: 10 })),
    { at: START - HOUR, time: 110 },
    { at: START, up: false, time: null },
  ]);
  const { points, summary } = await read(id, "7d");
  expect(points.map(({ avg }) => avg)).toEqual([10, 110, null]);
  expect(summary).toMatchObject({ up: 10, down: 1, avg: 20, min: 10, max: 110 });
});

it("the summary of 24 hours leaves out checks before the first point", async () => {
  const { app, add, read } = await addShop();
  const id = await add();
  await record(app, id, [
    { at: START - DAY - MINUTE, time: 900 },
    { at: START - DAY + HOUR, time: 10 },
    { at: START, time: 10 },
  ]);
  expect((await read(id, "24h")).summary).toEqual({
    up: 2,
    down: 0,
    avg: 10,
    min: 10,
    max: 10,
    p50: 10,
    p95: 10,
    p99: 10,
  });
});

it("the summary of a range without checks has no response times", async () => {
  const { add, read } = await addShop();
  const { points, summary } = await read(await add(), "90d");
  expect(points).toEqual([]);
  expect(summary).toEqual({ up: 0, down: 0, avg: null, min: null, max: null, p50: null, p95: null, p99: null });
});

describe("a chart series", () => {
  it("has at most 400 points, in order, for every range and any amount of checks", async () => {
    const { app, id, series } = await addOne();
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
    const { app, id, series } = await addOne();
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
    const { app, id, series } = await addOne();
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
    const { app, id, series } = await addOne();
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
    const { app, id } = await addOne();
    for (const [range, span] of [
      ["24h", DAY],
      ["7d", 7 * DAY],
      ["30d", 30 * DAY],
      ["90d", 90 * DAY],
    ] as const) {
      await record(app, id, [{ at: START - span - 12 * HOUR }, { at: START - span + 12 * HOUR }]);
      const { points } = await seriesOf(app.deps, id, { range });
      expect(points.filter(({ t }) => t < START - span)).toEqual([]);
      expect(points[0]?.t).toBeLessThanOrEqual(START - span + 12 * HOUR);
    }
  });

  it("may be from one time to another, with points as short as 400 of them and the stored history allow", async () => {
    const { app, bob, id } = await addOne();
    await record(app, id, [
      { at: START - 40 * DAY },
      { at: START - 3 * HOUR },
      { at: START - 2 * HOUR },
      { at: START },
    ]);
    const read = async (from: number, to: number) => {
      const span = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
      return (await app.as(bob).get(`/api/monitors/${id}/series?${span}`)).body;
    };
    const times = async (from: number, to: number) => (await read(from, to)).points.map(({ t }) => t);
    expect(await times(START - 3 * HOUR, START)).toEqual([START - 3 * HOUR, START - 2 * HOUR]);
    expect(await times(START - 90 * MINUTE, START + MINUTE)).toEqual([START]);
    expect(await times(START - 12 * HOUR, START - 150 * MINUTE)).toEqual([START - 3 * HOUR]);
    const long = await read(START - 60 * DAY, START + HOUR);
    expect(long.points.length).toBe(3);
    expect(long.summary.up).toBe(4);
    expect(await times(START + DAY, START + 2 * DAY)).toEqual([]);
  });

  it("has every hour once of a day on which clocks change in the zone of the viewer, and none of the days beside it", async () => {
    const { app, bob, id } = await addOne();
    // Berlin: clocks are set back in October and forward in March, on days of 25 and 23 hours.
    const days = [
      ["2025-10-25T22:00:00Z", "2025-10-26T23:00:00Z", 25],
      ["2025-03-29T23:00:00Z", "2025-03-30T22:00:00Z", 23],
    ] as const;
    for (const [from, , hours] of days.toReversed()) {
      const begin = Date.parse(from) - HOUR;
      const checks = Array.from({ length: hours + 2 }, (_, hour) => ({
        at: begin + hour * HOUR + 30 * MINUTE,
        time: 50,
      }));
      await record(app, id, checks);
    }
    for (const [from, to, hours] of days) {
      const { points, summary } = (await app.as(bob).get(`/api/monitors/${id}/series?from=${from}&to=${to}`)).body;
      expect([summary.up, points[0]?.t, points.at(-1)?.t]).toEqual([hours, expect.any(Number), expect.any(Number)]);
      expect(points.every(({ t }) => t >= Date.parse(from) && t < Date.parse(to))).toBe(true);
    }
  });

  it("refuses a range that ends before it begins, is longer than 400 days, or has one end", async () => {
    const { app, bob, id } = await addOne();
    const [from, to] = ["2026-01-15T12:00:00Z", "2026-01-15T13:00:00Z"];
    const bad = {
      from: [`from=${to}&to=${from}`, `from=2024-01-01T00:00:00Z&to=${to}`, `to=${to}`],
      to: [`from=${from}`],
    };
    for (const [path, queries] of Object.entries(bad))
      for (const query of queries) {
        const { status, body } = await app.as(bob).get(`/api/monitors/${id}/series?${query}`);
        expect([query, status, body.errors[0]?.path]).toEqual([query, 422, path]);
      }
  });

  it("covers 24 hours by default, and refuses an unknown range", async () => {
    const { app, bob, id } = await addOne();
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
