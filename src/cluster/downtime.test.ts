import { describe, expect, it } from "bun:test";
import { processDialect } from "../core/config";
import { hubGaps, instances } from "../db/schema";
import { HOUR, MINUTE, SECOND } from "../shared/limits";
import { createTestApp } from "../testing/app";
import { START } from "../testing/clock";
import { addMonitor, recordOnly } from "../testing/fixtures/monitors";
import { createPauseWatch, recordDowntime, recordStop } from "./downtime";

const setUp = async () => {
  const app = await createTestApp();
  const gaps = async () =>
    (await app.db.select().from(hubGaps)).map(({ startedAt, endedAt }) => [startedAt - START, endedAt - START]);
  const startAt = async (time: number) => {
    app.clock.set(START + time);
    await recordDowntime(app.deps);
    return gaps();
  };
  return { app, gaps, startAt };
};

describe("the interruption of the hub before a start", () => {
  it("is none at the first start", async () => {
    const { startAt } = await setUp();
    expect(await startAt(0)).toEqual([]);
  });

  it("begins with the stop before it", async () => {
    const { app, startAt } = await setUp();
    await recordStop(app.deps);
    expect(await startAt(HOUR)).toEqual([[0, HOUR]]);
    expect(await startAt(HOUR)).toEqual([[0, HOUR]]);
  });

  it("begins with the last check when the process was killed", async () => {
    const { app, startAt } = await setUp();
    const { bob } = await app.people();
    await recordStop(app.deps);
    const id = await addMonitor(app, bob, { url: "https://shop.example/" });
    await recordOnly(app, id, [{ at: START + HOUR }]);
    expect(await startAt(3 * HOUR)).toEqual([[HOUR, 3 * HOUR]]);
  });

  it("is not stored when it is shorter than a minute, or the clock was set back", async () => {
    const { app, startAt } = await setUp();
    await recordStop(app.deps);
    expect(await startAt(MINUTE - 1)).toEqual([]);
    expect(await startAt(-HOUR)).toEqual([]);
  });

  it.if(processDialect === "postgres")(
    "is none while another instance runs, and begins with its last heartbeat",
    async () => {
      const { app, startAt } = await setUp();
      await recordStop(app.deps);
      await app.db.insert(instances).values({ id: "other", seenAt: START + HOUR - SECOND });
      expect(await startAt(HOUR)).toEqual([]);
      expect(await startAt(2 * HOUR)).toEqual([[HOUR - SECOND, 2 * HOUR]]);
    },
  );
});

describe("a pause of the process", () => {
  it("of a minute or more is an interruption", async () => {
    const { app, gaps } = await setUp();
    const watch = createPauseWatch(app.deps);
    for (const pause of [5 * SECOND, MINUTE - 1, HOUR, -HOUR, 5 * SECOND]) {
      await app.clock.advance(pause);
      await watch();
    }
    const before = 5 * SECOND + MINUTE - 1;
    expect(await gaps()).toEqual([[before, before + HOUR]]);
  });

  it.if(processDialect === "postgres")("is none while another instance runs", async () => {
    const { app, gaps } = await setUp();
    const watch = createPauseWatch(app.deps);
    await app.db.insert(instances).values({ id: "other", seenAt: START + HOUR });
    await app.clock.advance(HOUR);
    await watch();
    expect(await gaps()).toEqual([]);
  });
});
