import { describe, expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { HOUR, MINUTE, SECOND } from "../shared/limits";
import { START } from "../testing/clock";
import { histories } from "../testing/fixtures/histories";
import { fc } from "../testing/property";
import { createRollup } from "./rollup";

const hour = Math.floor(START / HOUR) * HOUR;

describe.each(histories)("the rollup of $name", ({ shape, setUp }) => {
  it("stores every row once, in any order of times, moves and clocks that are set back", async () => {
    const step = fc.record({ after: fc.integer({ min: -150, max: 50 }), moves: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { app, history } = await setUp();
        const times = new Set<number>();
        let now = START;
        for (const { after, moves } of steps) {
          now += after * MINUTE;
          while (times.has(now)) now += SECOND;
          times.add(now);
          app.clock.set(now);
          await history.append([now]);
          if (moves) await createRollup(app.deps, shape)();
        }
        const all = [...times].toSorted((a, b) => a - b);
        expect(await history.stored()).toEqual(all);
        app.clock.set(Math.max(...all) + 2 * HOUR);
        await createRollup(app.deps, shape)();
        expect(await history.stored()).toEqual(all);
        expect(await history.pack()).toMatchObject({ hour: null, data: null });
      }),
      { numRuns: 10 },
    );
  });

  it("leaves the running hour in the pack, and the hour before it for a minute", async () => {
    const { app, history } = await setUp();
    const roll = createRollup(app.deps, shape);
    app.clock.set(hour + 30_000);
    await history.append([hour - MINUTE, hour + 20_000]);
    await roll();
    expect(await history.blockHours()).toEqual([]);
    app.clock.set(hour + MINUTE);
    await roll();
    expect(await history.blockHours()).toEqual([hour / HOUR - 1]);
    expect(await history.pack()).toMatchObject({ hour: hour / HOUR });
    expect(await history.stored()).toEqual([hour - MINUTE, hour + 20_000]);
  });

  it("makes no query once the rows of the past hours are moved", async () => {
    const { app, history } = await setUp();
    await history.append([START - 2 * HOUR]);
    const roll = createRollup(app.deps, shape);
    await roll();
    Object.assign(app.deps.db, { rows: () => expect.unreachable(), select: () => expect.unreachable() });
    app.clock.set(app.clock.now() + MINUTE);
    await roll();
  });

  it("keeps the readable part of a damaged pack", async () => {
    const { app, history } = await setUp();
    await history.append([START, START + MINUTE]);
    const { data } = await history.pack();
    await history.changePack(data!.subarray(0, -1));
    app.clock.set(START + 2 * HOUR);
    await createRollup(app.deps, shape)();
    expect(await history.stored()).toEqual([START]);
    expect((await history.pack()).data).toBeNull();
    expect(app.logged.filter((line) => line.includes("is damaged, its readable part is kept"))).toHaveLength(1);
  });

  it("replaces a damaged block by newer rows, and logs it", async () => {
    const { app, history } = await setUp();
    await history.append([hour]);
    app.clock.set(hour + 2 * HOUR);
    await createRollup(app.deps, shape)();
    await app.db.rows(sql`update ${shape.blocks.table} set data = ${Buffer.from([1, 2, 3])}`);
    await history.append([hour + MINUTE]);
    await createRollup(app.deps, shape)();
    expect(await history.stored()).toEqual([hour + MINUTE]);
    expect(app.logged.filter((line) => line.includes("are replaced by newer ones"))).toHaveLength(1);
  });

  it("does not move a pack to which a row was appended since it was read", async () => {
    const { app, history } = await setUp();
    const { atomically } = app.deps.db;
    await history.append([START]);
    app.clock.set(START + 2 * HOUR);
    let appended = false;
    const db = {
      ...app.deps.db,
      atomically: async (build: Parameters<typeof atomically>[0]) => {
        if (!appended) {
          appended = true;
          await history.append([START + SECOND]);
        }
        return atomically(build);
      },
    };
    const roll = createRollup({ ...app.deps, db }, shape);
    await roll();
    expect(await history.stored()).toEqual([START, START + SECOND]);
    expect(await history.blockHours()).toEqual([]);
    await roll();
    expect(await history.stored()).toEqual([START, START + SECOND]);
    expect(await history.blockHours()).toEqual([START / HOUR].map(Math.floor));
  });
});
