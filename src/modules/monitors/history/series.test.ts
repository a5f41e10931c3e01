import { expect, it } from "bun:test";
import fc from "fast-check";
import { histogramOf, quantile } from "../../../lib/histogram";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, record } from "../../../testing/fixtures/monitors";
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
        const { summary } = await seriesOf(app.deps, id, range);
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
    { numRuns: 25 },
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
