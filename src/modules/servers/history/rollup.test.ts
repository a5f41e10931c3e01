import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { sampleBlocks, sampleHours, samplePacks, sampleTens } from "../../../db/schema";
import type { Sample } from "../../../shared/agents/report";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import {
  enrollAgent,
  restartAfterKill,
  rollUpSamples,
  sampleAt,
  storedSamples,
  writeReports,
} from "../../../testing/fixtures/agents";
import { fc } from "../../../testing/property";
import { repetitions } from "../../../testing/repetitions";
import { readHours, readSamples, readTens } from "./read";
import type { StoredSample } from "./samples";
import { type Span, sumOf } from "./sums";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

const setUp = async () => {
  const app = await createTestApp({ env: { QUOTA_SERVERS: "100000", QUOTA_ENROLLMENT_TOKENS: "100000" } });
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  return { app, bob, agent, id: agent.id };
};

const readPack = async ({ db }: TestApp, id: number) => {
  const [pack] = await db.select().from(samplePacks).where(eq(samplePacks.agentId, id));
  return pack;
};

/** The sums of all samples at once. */
const expected = (samples: StoredSample[], length: number) =>
  [...Map.groupBy(samples, ({ at }) => Math.floor(at / length) * length)].map(([at, found]) => ({
    at,
    sums: sumOf(found),
  }));

/** The same with the sums of the further figures of ten minutes. */
const expectedTens = (samples: StoredSample[]) =>
  expected(samples, 10 * MINUTE).map((span) => {
    const ofSpan = samples.filter(({ at }) => Math.floor(at / (10 * MINUTE)) * 10 * MINUTE === span.at);
    const pairs = ofSpan.flatMap(({ further = [] }) => further);
    const further = [0, 1].flatMap((number) => {
      const values = pairs.flatMap(([series, value]) => (series === number ? [value] : []));
      return values.length > 0 ? [[number, values.length, values.reduce((sum, value) => sum + value, 0)]] : [];
    });
    return further.length > 0 ? { ...span, further } : span;
  });

const hundredths = fc.integer({ min: 0, max: 10_000 }).map((number) => number / 100);

const step = fc.record({
  /** Minutes until the next report; negative after the clock was set back. */
  after: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 50 }) },
    { weight: 1, arbitrary: fc.integer({ min: -150, max: -1 }) },
  ),
  /** Ages of its samples in seconds: new, late, and repeated from earlier reports. */
  ages: fc.array(fc.oneof(fc.integer({ min: -300, max: 90 }), fc.integer({ min: 0, max: 47 * 3600 })), {
    minLength: 1,
    maxLength: 5,
  }),
  milliseconds: fc.integer({ min: 0, max: 2 }),
  cpu: fc.option(hundredths),
  rx: fc.option(fc.integer({ min: 0, max: 10_000_000 }).map((number) => number / 100)),
  /** Further figures, which only some reports have. */
  swap: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
  load: fc.option(hundredths, { nil: undefined }),
  repeated: fc.boolean(),
  /** The next step; a kill loses the process's memory. */
  next: fc.constantFrom("nothing", "nothing", "roll", "write", "kill"),
});

describe("the rollup of samples", () => {
  it("stores the first sample of each second once, and sums that equal a computation from all, in any order", async () => {
    const { app, bob } = await setUp();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        app.clock.set(START);
        const { id, report } = await enrollAgent(app, bob);
        const model = new Map<number, StoredSample>();
        const names: string[] = [];
        let now = START;
        for (const { after, ages, milliseconds, cpu, rx, swap, load, repeated, next } of steps) {
          now += after * MINUTE;
          app.clock.set(now);
          const network = rx === null ? null : { rx, tx: rx };
          const more: Partial<Sample> = {
            ...(swap !== undefined && { swap: { total: 100, used: swap } }),
            ...(load !== undefined && { load: [load, 1, 1] }),
          };
          const taken = ages.map((age) => sampleAt(now - age * SECOND + milliseconds, { cpu, network, ...more }));
          const pairs = [
            ["swap", swap],
            ["load", load],
          ] as const;
          const reported = ages
            .map((age) => now - age * SECOND + milliseconds)
            .filter((at) => at <= now + 5 * MINUTE && at >= now - 2 * DAY && !model.has(Math.floor(at / SECOND)));
          const spanOf = (at: number) => Math.floor(at / (10 * SECOND));
          // Further figures are kept of the first sample that is stored in ten seconds.
          const spans = new Set([...model.values()].map(({ at }) => spanOf(at)));
          const withFurther = new Set<number>();
          for (const at of reported.toSorted((a, b) => a - b)) {
            if (!spans.has(spanOf(at))) withFurther.add(Math.floor(at / SECOND));
            spans.add(spanOf(at));
          }
          // Series are numbered in the order they are first stored.
          if (withFurther.size > 0)
            for (const [name, value] of pairs) if (value !== undefined && !names.includes(name)) names.push(name);
          const further = pairs
            .flatMap(([name, value]) =>
              value === undefined ? [] : [[names.indexOf(name), Math.round(value * 100)] as const],
            )
            .toSorted(([a], [b]) => a - b);
          let accepted = 0;
          for (const at of ages.map((age) => now - age * SECOND + milliseconds)) {
            const second = Math.floor(at / SECOND);
            if (at > now + 5 * MINUTE || at < now - 2 * DAY) continue;
            if (!model.has(second))
              model.set(second, {
                at,
                cpu,
                memory: 25,
                disk: 50,
                rx,
                tx: rx,
                ...(further.length > 0 && withFurther.has(second) && { further }),
              });
          }
          for (const at of new Set(ages.map((age) => now - age * SECOND + milliseconds)))
            if (model.get(Math.floor(at / SECOND))?.at === at) accepted++;
          const machineTime = { sent_at: new Date(now).toISOString() };
          expect((await report(taken, machineTime)).body.accepted).toBe(accepted);
          if (repeated) expect((await report(taken, machineTime)).body.accepted).toBe(accepted);
          if (next === "roll") await rollUpSamples(app, "now");
          if (next === "write") await writeReports(app);
          if (next === "kill") await restartAfterKill(app);
        }
        const all = [...model.values()].sort((a, b) => a.at - b.at);
        const part = { agentId: id, since: START - 4 * DAY, until: START + 4 * DAY };
        const expectAll = async () => {
          expect(await storedSamples(app, id)).toEqual(all);
          expect(await readSamples(app.deps, part)).toEqual(all);
          expect(await readTens(app.deps, part)).toEqual(expectedTens(all) as Span[]);
          expect(await readHours(app.deps, part)).toEqual(expected(all, HOUR));
        };
        await expectAll();
        app.clock.set(START + 2 * DAY);
        await rollUpSamples(app, "now");
        expect(await readPack(app, id)).toMatchObject({ hour: null, data: null });
        await expectAll();
      }),
      { numRuns: repetitions(10, 50) },
    );
  });
});

describe("damaged blocks", () => {
  it("are skipped and logged once, and the sums of their hour stay", async () => {
    const { app, agent, id } = await setUp();
    await agent.report([sampleAt(START - HOUR), sampleAt(START)]);
    await rollUpSamples(app, "now");
    const hour = Math.floor(START / HOUR);
    const damaged = { data: new Uint8Array([1, 2, 3]) };
    for (const table of [sampleBlocks, sampleTens]) await app.db.update(table).set(damaged).where(eq(table.hour, hour));
    const part = { agentId: id, since: START - 2 * HOUR, until: START };
    for (let read = 0; read < 2; read++) {
      expect((await readSamples(app.deps, part)).map(({ at }) => at)).toEqual([START - HOUR]);
      expect(await readTens(app.deps, part)).toHaveLength(1);
    }
    expect(app.logged.filter((line) => line.includes("damaged"))).toHaveLength(1);
    const hours = await app.db.select().from(sampleHours).where(eq(sampleHours.bucket, hour));
    expect(hours).toMatchObject([{ cpuCount: 1, cpuTotal: 12.5 }]);
  });
});
