import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { checkDays, checkHours } from "../../../db/schema";
import { decodeHistogram } from "../../../history/histogram";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { readState } from "../../../testing/fixtures/engine";
import { addMonitor, record, recordOnly, rollUp, storedChecks } from "../../../testing/fixtures/monitors";
import { fc } from "../../../testing/property";
import { repetitions } from "../../../testing/repetitions";
import type { StoredCheck } from "./pack";
import { sumOf } from "./sums";

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  return { app, bob, id };
};

/** The sums that a table has to hold, computed from all checks at once. */
const expectedSums = (checks: StoredCheck[], length: number) =>
  [...Map.groupBy(checks, ({ checkedAt }) => Math.floor(checkedAt / length))]
    .sort(([a], [b]) => a - b)
    .map(([bucket, found]) => ({ bucket, ...sumOf(found) }));

const storedSums = async (
  app: Awaited<ReturnType<typeof createTestApp>>,
  id: number,
  table: typeof checkHours | typeof checkDays,
) => {
  const rows = await app.db.select().from(table).where(eq(table.monitorId, id)).orderBy(table.bucket);
  return rows.map(({ monitorId: _, histogram, ...sums }) => ({ ...sums, histogram: decodeHistogram(histogram) }));
};

const step = fc.record({
  /** Minutes until the next check; negative after the clock was set back. */
  after: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 50 }) },
    { weight: 1, arbitrary: fc.integer({ min: -150, max: -1 }) },
  ),
  up: fc.boolean(),
  time: fc.option(fc.integer({ min: 1, max: 90_000 }).map((tenths) => tenths / 10)),
  rolls: fc.boolean(),
});

describe("the rollup", () => {
  it("stores every check once, and sums that equal a computation from all checks, in any order of events", async () => {
    const { app, bob } = await setUp();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const id = await addMonitor(app, bob, { url: "https://shop.example/" });
        const model = new Map<number, StoredCheck>();
        let now = START;
        for (const { after, up, time, rolls } of steps) {
          now += after * MINUTE;
          while (model.has(now)) now++;
          app.clock.set(now);
          model.set(now, { checkedAt: now, up, responseTime: time, statusCode: 200, error: null });
          await record(app, id, [{ at: now, up, time }]);
          if (rolls) await rollUp(app, "now");
        }
        const all = [...model.values()].sort((a, b) => a.checkedAt - b.checkedAt);
        expect(await storedChecks(app, id)).toEqual(all);
        app.clock.set(START + 2 * DAY);
        await rollUp(app, "now");
        expect(await storedChecks(app, id)).toEqual(all);
        expect((await readState(app, id)).packHour).toBeNull();
        for (const [table, length] of [
          [checkHours, HOUR],
          [checkDays, DAY],
        ] as const) {
          const close = (sums: { totalTime: number }[]) =>
            sums.map((sum) => ({ ...sum, totalTime: Math.round(sum.totalTime * 10) }));
          expect(close(await storedSums(app, id, table))).toEqual(close(expectedSums(all, length)));
        }
      }),
      { numRuns: repetitions(10, 50) },
    );
  });

  it("keeps the hour of each check when instances append with clocks in different hours", async () => {
    const { app, id } = await setUp();
    const hour = Math.floor(START / HOUR) * HOUR;
    const times = [hour - 3 * MINUTE, hour + MINUTE, hour - 2 * MINUTE];
    app.clock.set(hour + 2 * MINUTE);
    await recordOnly(
      app,
      id,
      times.map((at) => ({ at })),
    );
    await rollUp(app);
    await recordOnly(app, id, [{ at: hour - MINUTE }]);
    expect((await storedChecks(app, id)).map(({ checkedAt }) => checkedAt)).toEqual(
      [...times, hour - MINUTE].toSorted((a, b) => a - b),
    );
  });
});
