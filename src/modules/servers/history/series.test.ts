import { describe, expect, it } from "bun:test";
import { sampleBlocks, sampleHours, sampleTens } from "../../../db/schema";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { countSamples, enrollAgent, rollUpSamples, sampleAt } from "../../../testing/fixtures/agents";
import { METRIC_RANGES } from "../model";
import { firstOfSeconds, hourOf, type StoredSample, sampleBlock } from "./samples";
import { tensBlock } from "./sums";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const get = (query: string) => app.as(bob).get(`/api/agents/${agent.id}/metrics${query}`);
  const metrics = async (range: string) => (await get(`?range=${range}`)).body.points;
  const read = async () => (await app.as(bob).get(`/api/agents/${agent.id}`)).body.agent;
  return { app, bob, agent, id: agent.id, get, read, metrics };
};

/** Writes rows a thousand at a time, because the number of values in a statement is limited. */
const fill = async <T>(rows: T[], insert: (rows: T[]) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < rows.length; start += 1000) await insert(rows.slice(start, start + 1000));
};

/** A year of history of an agent that reports each minute. */
const fillYear = async ({ db }: TestApp, agentId: number) => {
  const own = { cpuCount: 2, cpuTotal: 60, cpuMax: 50, memoryCount: 2, memoryTotal: 20, diskCount: 2, diskTotal: 8 };
  const sum = { ...own, networkCount: 2, rxTotal: 10, txTotal: 4 };
  const buckets = (length: number, span: number) =>
    Array.from({ length: span / length }, (_, index) => ({
      ...sum,
      agentId,
      bucket: Math.floor(START / length) - index,
    }));
  await fill(buckets(HOUR, 366 * DAY), (rows) => db.insert(sampleHours).values(rows));
  const hours = Array.from({ length: 31 * 24 }, (_, index) => Math.floor(START / HOUR) - index);
  const tens = hours.map((hour) => ({
    hour,
    agentId,
    data: tensBlock.encode(
      hour,
      Array.from({ length: 6 }, (_, ten) => ({ at: hour * HOUR + ten * 10 * MINUTE, sums: sum })).filter(
        ({ at }) => at <= START,
      ),
    ),
  }));
  await fill(tens, (rows) => db.insert(sampleTens).values(rows));
  const taken = Array.from({ length: 49 * 60 }, (_, index) => {
    const at = START - index * MINUTE;
    return { at, cpu: 30, memory: 10, disk: 4, rx: 5, tx: 2 };
  });
  await storeBlocks(db, agentId, taken);
};

const storeBlocks = async (db: TestApp["db"], agentId: number, taken: StoredSample[]) => {
  const rows = [...Map.groupBy(taken, hourOf)].map(([hour, found]) => ({
    hour,
    agentId,
    data: sampleBlock.encode(hour, firstOfSeconds(found)),
  }));
  await fill(rows, (part) => db.insert(sampleBlocks).values(part));
};

describe("the metrics of an agent", () => {
  it("are at most 400 points, in order and within their range, for any number of samples", async () => {
    const { app, id, metrics } = await setUp();
    await fillYear(app, id);
    const spans = { "1h": HOUR, "24h": DAY, "7d": 7 * DAY, "30d": 30 * DAY, "1y": 365 * DAY };
    for (const range of METRIC_RANGES) {
      const points = await metrics(range);
      const times = points.map(({ t }) => t);
      expect([range, points.length]).toEqual([
        range,
        { "1h": 60, "24h": 288, "7d": 336, "30d": 360, "1y": 365 }[range],
      ]);
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThan(START - spans[range]);
      expect(times.at(-1)).toBeWithin(START - DAY, START + 1);
      for (const point of points)
        expect(point).toMatchObject({
          cpu: 30,
          cpu_max: range.match(/h/) ? 30 : 50,
          memory: 10,
          disk: 4,
          rx: 5,
          tx: 2,
        });
    }
  });

  it("are at most 400 points for an agent that reports each second", async () => {
    const { app, id, metrics } = await setUp();
    const taken = Array.from({ length: 7200 }, (_, index) => {
      const at = START - index * SECOND;
      return { at, cpu: index % 2 === 0 ? 10 : 20, memory: null, disk: null, rx: null, tx: null };
    });
    await storeBlocks(app.db, id, taken);
    const hour = await metrics("1h");
    expect(hour).toHaveLength(360);
    expect(hour[0]).toEqual({
      t: START - HOUR + 10 * SECOND,
      cpu: 15,
      cpu_max: 20,
      memory: null,
      disk: null,
      rx: null,
      tx: null,
    } as (typeof hour)[0]);
    expect((await metrics("24h")).length).toBe(25);
  });

  it("are averages of the samples in every range, rounded to a tenth", async () => {
    const { agent, metrics, app } = await setUp();
    const t = Math.floor(START / HOUR) * HOUR;
    const used = (share: number) => ({ total: 1000, used: share * 10 });
    await agent.report([
      sampleAt(t + 1000, { cpu: 10, memory: used(20), disk: used(30), network: { rx: 1, tx: 3 } }),
      sampleAt(t + 2000, { cpu: 20.5, memory: used(21), disk: used(30), network: { rx: 2, tx: 3 } }),
      sampleAt(t + 3000, { cpu: 90, memory: used(25), disk: used(30), network: null }),
      sampleAt(t + 4000, { cpu: null, memory: { total: 0, used: 0 }, disk: used(30), network: null }),
    ]);
    app.clock.set(t + MINUTE);
    const point = { cpu: 40.2, cpu_max: 90, memory: 22, disk: 30, rx: 1.5, tx: 3 };
    const starts = {
      "1h": t,
      "24h": t,
      "7d": t,
      "30d": Math.floor(t / (2 * HOUR)) * 2 * HOUR,
      "1y": Math.floor(t / DAY) * DAY,
    };
    for (const range of METRIC_RANGES)
      expect([range, await metrics(range)]).toEqual([range, [{ t: starts[range], ...point }]] as never);
  });

  it("weigh each sample equally in a point that combines several sums", async () => {
    const { agent, metrics } = await setUp();
    const t = Math.floor(START / (2 * HOUR)) * 2 * HOUR - 2 * HOUR;
    await agent.report([
      sampleAt(t, { cpu: 100 }),
      ...[1, 2, 3].map((index) => sampleAt(t + HOUR + index * SECOND, { cpu: 0 })),
    ]);
    const [point] = await metrics("30d");
    expect(point).toMatchObject({ t, cpu: 25, cpu_max: 100 });
  });

  it("have no points for gaps, and null for unknown figures", async () => {
    const { agent, metrics, app, id } = await setUp();
    const unknown = { cpu: null, network: null, memory: { total: 0, used: 0 }, disk: { total: 0, used: 0 } };
    await agent.report([sampleAt(START - 20 * HOUR), sampleAt(START - 2 * HOUR, unknown)]);
    expect(await countSamples(app, id)).toEqual({ samples: 2, tens: 2, hours: 2 });
    for (const range of ["24h", "7d", "30d"]) {
      const points = await metrics(range);
      expect(points).toHaveLength(2);
      const nothing = { cpu: null, cpu_max: null, memory: null, disk: null, rx: null, tx: null };
      expect(points[1]).toMatchObject(nothing as never);
    }
    expect(await metrics("1h")).toEqual([]);
  });

  it("cover 24 hours by default and one agent, and an unknown range is refused", async () => {
    const { app, bob, agent, get } = await setUp();
    const other = await enrollAgent(app, bob);
    await other.report([sampleAt(START)]);
    await agent.report([sampleAt(START - 2 * DAY), sampleAt(START - HOUR)]);
    expect((await get("")).body.points).toHaveLength(1);
    for (const range of ["2d", "", "24H"]) {
      const { status, body } = await get(`?range=${range}`);
      expect([status, body.errors.map(({ path }) => path)]).toEqual([422, ["range"]]);
    }
  });
});

describe("the metrics from one time to another", () => {
  const spanOf = (from: number, to: number) =>
    `?from=${encodeURIComponent(new Date(from).toISOString())}&to=${encodeURIComponent(new Date(to).toISOString())}`;

  it("have points as short as 400 of them and the stored history allow", async () => {
    const { app, id, get } = await setUp();
    await fillYear(app, id);
    const read = async (from: number, to: number) => (await get(spanOf(from, to))).body.points;
    // A sample each minute; sums of ten minutes are kept for 30 days, and of hours for a year.
    const steps = { 1: 1, 3: 1, 6: 1, 24: 5, 48: 10, 120: 30, 384: 60, 792: 120, 1440: 360, 2160: 360, 9600: 1440 };
    for (const [hours, minutes] of Object.entries(steps)) {
      const since = START - Number(hours) * HOUR;
      const times = (await read(since, START)).map(({ t }) => t);
      expect(times.length).toBeLessThanOrEqual(400);
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
      const step = Math.min(...times.slice(1).map((time, place) => time - (times[place] ?? 0)));
      expect([hours, step]).toEqual([hours, minutes * MINUTE]);
      expect(times[0]).toBeGreaterThan(since - step);
      expect(times.at(-1)).toBeLessThan(START);
    }
  });

  it("end before the end of the range, and there are none in the future", async () => {
    const { agent, get } = await setUp();
    const t = START - 2 * HOUR;
    await agent.report([sampleAt(t), sampleAt(t + 90 * SECOND), sampleAt(t + 3 * MINUTE)]);
    const times = async (from: number, to: number) => (await get(spanOf(from, to))).body.points.map(({ t }) => t);
    expect(await times(t, t + 3 * MINUTE)).toEqual([t, t + 90 * SECOND]);
    expect(await times(t - 40 * DAY, t + 3 * MINUTE)).toHaveLength(1);
    expect(await times(t + 2 * MINUTE, t + DAY)).toEqual([t + 3 * MINUTE].map((at) => at - (at % (5 * MINUTE))));
    for (const length of [HOUR, 10 * DAY, 300 * DAY])
      expect(await times(START + DAY, START + DAY + length)).toEqual([]);
  });

  it("are refused for a range that ends before it begins, is longer than 400 days, or has one end", async () => {
    const { get } = await setUp();
    const [from, to] = ["2026-01-15T12:00:00Z", "2026-01-15T13:00:00Z"];
    const bad = {
      from: [`from=${to}&to=${from}`, `from=2016-01-15T12:00:00Z&to=${to}`, `to=${to}`, `from=yesterday&to=${to}`],
      to: [`from=${from}`],
    };
    for (const [path, queries] of Object.entries(bad))
      for (const query of queries) {
        const { status, body } = await get(`?${query}`);
        expect([query, status, body.errors[0]?.path]).toEqual([query, 422, path]);
      }
  });

  it("have the further figures of the last 30 days", async () => {
    const { agent, get } = await setUp();
    const disks = (used: number) => ({ disks: [{ mount: "/", total: 100, used }] });
    await agent.report([sampleAt(START - 3 * HOUR, disks(10)), sampleAt(START - HOUR, disks(20))]);
    const values = async (from: number, to: number) =>
      (await get(`${spanOf(from, to)}&series=disk:/`)).body.series[0]?.points.map(({ value }) => value);
    expect(await values(START - 4 * HOUR, START - 2 * HOUR)).toEqual([10]);
    expect(await values(START - 29 * DAY, START)).toEqual([10, 20]);
    expect(await values(START - 31 * DAY, START)).toEqual([]);
  });
});

describe("the series of further figures", () => {
  const sampled = (at: number, used: number, celsius?: number) =>
    sampleAt(at, {
      disks: [{ mount: "/srv,data", total: 100, used }],
      ...(celsius !== undefined && { temperatures: [{ sensor: "cpu", celsius }] }),
    });
  const DISK = encodeURIComponent("disk:/srv,data");

  it("are averages of the samples that have the figure, in the ranges of the last 30 days", async () => {
    const { app, agent, get, read } = await setUp();
    const t = Math.floor(START / (2 * HOUR)) * 2 * HOUR;
    app.clock.set(t + MINUTE);
    await agent.report([
      sampled(t - 20 * HOUR, 10),
      sampled(t + 1000, 20, 40),
      sampled(t + 11_000, 21, 43.25),
      sampled(t + 21_000, 24.5),
      sampleAt(t + 31_000),
    ]);
    expect((await read()).series).toEqual(["disk:/srv,data", "temp:cpu"]);
    const query = `series=temp:cpu,swap&series=${DISK}`;
    for (const range of ["24h", "7d", "30d"]) {
      const [temperature, unknown, disk] = (await get(`?range=${range}&${query}`)).body.series;
      expect([range, temperature]).toEqual([range, { name: "temp:cpu", points: [{ t, value: 41.63 }] }]);
      expect(unknown).toEqual({ name: "swap", points: [] });
      expect([range, disk?.name, disk?.points.at(-1)]).toEqual([range, "disk:/srv,data", { t, value: 21.83 }]);
      expect(disk?.points).toHaveLength(2);
    }
    const [temperature] = (await get(`?range=1h&${query}`)).body.series;
    expect(temperature?.points).toEqual([
      { t, value: 40 },
      { t: t + 10 * SECOND, value: 43.25 },
    ]);
    await rollUpSamples(app, "now");
    expect((await get(`?range=7d&series=temp:cpu`)).body.series[0]?.points).toEqual([{ t, value: 41.63 }]);
    const { body } = await get(`?range=1y&${query}`);
    expect(body.series.map(({ points }) => points)).toEqual([[], [], []]);
    expect((await get("?range=1h")).body.series).toEqual([]);
  });

  it("are at most 20 of one request, each once, with at most 400 points", async () => {
    const { app, id, get, agent } = await setUp();
    await agent.report([sampled(START, 50)]);
    const taken = Array.from({ length: 7200 }, (_, index) => {
      const at = START - 1000 - index * SECOND;
      return { at, cpu: 1, memory: null, disk: null, rx: null, tx: null, further: [[0, index] as const] };
    });
    await storeBlocks(app.db, id, taken);
    const [series, ...others] = (await get(`?range=1h&series=${DISK}&series=${DISK}`)).body.series;
    expect([series?.points.length, others]).toEqual([360, []]);
    const names = (count: number) => Array.from({ length: count }, (_, index) => `temp:${index}`).join(",");
    expect((await get(`?series=${names(20)}`)).status).toBe(200);
    for (const bad of [names(21), "x".repeat(201)]) {
      const { status, body } = await get(`?series=${bad}`);
      expect([status, body.errors.map(({ path }) => path)]).toEqual([422, ["series"]]);
    }
    expect((await get("?series=")).body.series).toEqual([]);
  });
});
