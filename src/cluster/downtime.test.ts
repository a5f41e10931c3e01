import { describe, expect, it } from "bun:test";
import { processDialect } from "../core/config";
import { hubGaps, instances } from "../db/schema";
import { HOUR, MINUTE, SECOND } from "../shared/limits";
import { createTestApp } from "../testing/app";
import { START } from "../testing/clock";
import { addMonitor, recordOnly } from "../testing/fixtures/monitors";
import { recordDowntime, recordStop } from "./downtime";
import { writeGaps } from "./gaps";

const setUp = async () => {
  const app = await createTestApp();
  const gaps = async () =>
    (await app.db.select().from(hubGaps))
      .toSorted((one, other) => one.startedAt - other.startedAt)
      .map(({ startedAt, endedAt }) => [startedAt - START, (endedAt ?? 0) - START]);
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

  it("is stored from a second on, because that can lose a ping, and not when the clock was set back", async () => {
    const { app, startAt } = await setUp();
    await recordStop(app.deps);
    expect(await startAt(SECOND - 1)).toEqual([]);
    expect(await startAt(-HOUR)).toEqual([]);
    expect(await startAt(SECOND)).toEqual([[0, SECOND]]);
  });

  it("follows a gap that was open when the process ended", async () => {
    const { app, startAt } = await setUp();
    app.clock.set(START + MINUTE);
    await recordStop(app.deps);
    await writeGaps(app.db, { ended: [], open: { since: START, reason: "hub_offline" }, now: START });
    expect(await startAt(HOUR)).toEqual([
      [0, MINUTE],
      [MINUTE, HOUR],
    ]);
    expect((await app.db.select().from(hubGaps)).map(({ reason }) => reason).toSorted()).toEqual([
      "hub_offline",
      "hub_stopped",
    ]);
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
