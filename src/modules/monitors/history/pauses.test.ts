import { expect, it } from "bun:test";
import { madeBy, viewerOf } from "../../../db/owner";
import { hubGaps, monitorPauses } from "../../../db/schema";
import { DAY, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { setActive } from "../change";
import { findMonitor } from "../service";
import { deleteExpiredGaps } from "./pauses";

it("pauses and interruptions of the hub are kept as long as outages, open pauses always", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  await app.db.insert(hubGaps).values({ startedAt: START, endedAt: START + 5 * MINUTE });
  for (const [minute, isActive] of [
    [1, false],
    [2, true],
    [3, false],
  ] as const) {
    app.clock.set(START + minute * MINUTE);
    await setActive(app.deps, await findMonitor(app.deps, viewerOf(madeBy(bob)), id), isActive);
  }
  app.clock.set(START + app.deps.config.retention.hourDays * DAY + 5 * MINUTE);
  await deleteExpiredGaps(app.deps);
  expect([await app.db.$count(hubGaps), await app.db.$count(monitorPauses)]).toEqual([1, 1]);
  await app.clock.advance(1);
  await deleteExpiredGaps(app.deps);
  expect([await app.db.$count(hubGaps), await app.db.$count(monitorPauses)]).toEqual([0, 1]);
});
