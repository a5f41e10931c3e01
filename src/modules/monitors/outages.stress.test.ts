import { expect, it } from "bun:test";
import { asc } from "drizzle-orm";
import { processDialect } from "../../core/config";
import { madeBy, viewerOf } from "../../db/owner";
import { monitors, outages } from "../../db/schema";
import { reserveIds } from "../../db/sql";
import { checkError } from "../../shared/check-error";
import { MINUTE } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { inputWith, recordBatch } from "../../testing/fixtures/monitors";
import { seedOr } from "../../testing/random";
import { repetitions } from "../../testing/repetitions";
import { deleteMonitor, insertMonitors, updateMonitor } from "./change";
import { findMonitor } from "./service";

const SEED = seedOr(20_260_115);

const HISTORIES = processDialect === "sqlite" ? repetitions(1000, 10_000) : repetitions(500, 1000);
const STEPS = 12;

/** A generator of numbers from 0 to 1 that are the same in each run. */
const createRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

type Outage = {
  startedAt: number;
  endedAt: number | null;
  errorCode: string;
  lastErrorCode: string;
  checksFailed: number;
};
type Step = "up" | "refused" | "reset" | "pause" | "resume" | "edit" | "delete" | "none";
const STEPS_IN_ORDER: [number, Step][] = [
  [0.35, "up"],
  [0.55, "refused"],
  [0.7, "reset"],
  [0.78, "pause"],
  [0.88, "resume"],
  [0.93, "edit"],
  [0.95, "delete"],
  [1, "none"],
];

/** A monitor as a plain model: what its outages are after each step. */
class Model {
  active = true;
  deleted = false;
  rows: Outage[] = [];

  play(step: Step, now: number): void {
    const open = this.rows.find(({ endedAt }) => endedAt === null);
    if (step === "resume") this.active = true;
    if (step === "delete") Object.assign(this, { deleted: true, rows: [] });
    if (open && (step === "pause" || (step === "up" && this.active))) open.endedAt = now;
    if (step === "pause") this.active = false;
    if ((step !== "refused" && step !== "reset") || !this.active) return;
    if (open) Object.assign(open, { lastErrorCode: step, checksFailed: open.checksFailed + 1 });
    else this.rows.push({ startedAt: now, endedAt: null, errorCode: step, lastErrorCode: step, checksFailed: 1 });
  }
}

it(`the stored outages of ${HISTORIES} random histories are those of a model that replays them (seed ${SEED})`, async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const viewer = viewerOf(madeBy(bob));
  const random = createRandom(SEED);
  const ids = await reserveIds(app.db, monitors, HISTORIES);
  const input = inputWith({ url: "https://shop.example/" });
  const added = ids.map((id) => ({ ...input, id }));
  await app.db.transact((tx) => insertMonitors(tx, added, { owner: madeBy(bob), now: START }));
  const models = new Map(ids.map((id) => [id, new Model()]));

  const [first] = ids;
  const row = await findMonitor(app.deps, viewer, first ?? 0);
  const stored = new Map(ids.map((id) => [id, { ...row.monitor, id }]));
  /** Does what a step does besides checks. */
  const change = async (id: number, step: Step, turn: number) => {
    const monitor = stored.get(id) ?? row.monitor;
    if (step === "delete") return deleteMonitor(app.deps, { ...row, monitor });
    const active = step === "edit" ? monitor.active : step === "resume";
    const config = step === "edit" ? { ...monitor.config, url: `https://shop.example/${turn}` } : monitor.config;
    const changed = { ...monitor, active, config };
    await updateMonitor(app.deps, { ...row, monitor }, changed);
    stored.set(id, changed);
  };

  for (let turn = 0; turn < STEPS; turn++) {
    await app.clock.advance(MINUTE);
    const now = app.clock.now();
    const checks: Parameters<typeof recordBatch>[1] = [];
    for (const [id, model] of models) {
      const chance = random();
      const step = STEPS_IN_ORDER.find(([limit]) => chance < limit)?.[1] ?? "none";
      if (model.deleted || step === "none") continue;
      model.play(step, now);
      const failed = step === "refused" || step === "reset";
      if (step === "up" || failed)
        checks.push({ monitorId: id, at: now, up: !failed, error: failed ? checkError(step) : null });
      else await change(id, step, turn);
    }
    await recordBatch(app, checks);
  }

  const rows = await app.db.select().from(outages).orderBy(asc(outages.id));
  const byMonitor = Map.groupBy(rows, ({ targetId }) => targetId);
  const differing = [...models].filter(([id, model]) => {
    const found = (byMonitor.get(id) ?? []).map(({ startedAt, endedAt, errorCode, lastErrorCode, checksFailed }) => ({
      startedAt,
      endedAt,
      errorCode,
      lastErrorCode,
      checksFailed,
    }));
    return !Bun.deepEquals(found, model.rows);
  });
  expect(differing.map(([id]) => id)).toEqual([]);
  expect(rows.length).toBeGreaterThan(HISTORIES);
});
