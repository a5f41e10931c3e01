import { expect, it } from "bun:test";
import { and, asc, eq } from "drizzle-orm";
import { processDialect } from "../../../core/config";
import { madeBy, viewerOf } from "../../../db/owner";
import { events, monitorStates, outages } from "../../../db/schema";
import { checkError } from "../../../shared/check-error";
import { MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { failAfter, failOnce } from "../../../testing/db/writes";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { createRandom, seedOr } from "../../../testing/random";
import { repetitions } from "../../../testing/repetitions";
import { updateMonitor } from "../change";
import { findMonitor } from "../service";
import type { Claim } from "./claims/claims";
import { createMemoryClaims } from "./claims/memory-claims";
import { createStoredClaims } from "./claims/stored-claims";
import type { Result } from "./record";

const SEED = seedOr(20_260_115);

const [HISTORIES, TURNS] = processDialect === "sqlite" ? [repetitions(15, 80), 80] : [repetitions(25, 25), 60];

const CHECKS = ["slow", "fast", "plain", "failed"] as const;
type Check = (typeof CHECKS)[number];
type Change = "pause" | "resume" | "edit" | "rename" | "none";
const STEPS: (Check | Change)[] = [
  ...Array<Check>(10).fill("slow"),
  ...Array<Check>(8).fill("fast"),
  "failed",
  "failed",
  "plain",
  "pause",
  "resume",
  "resume",
  "edit",
  "rename",
  "none",
];
const isCheck = (step: Check | Change): step is Check => CHECKS.some((one) => one === step);

/** A plain model of the stored state of a monitor after each step. */
class Model {
  active = true;
  status = "pending";
  answers: boolean[] = [];
  outages: { startedAt: number; endedAt: number | null }[] = [];
  events: string[] = [];

  get slow(): boolean {
    return this.answers.filter((slow) => slow).length >= 3;
  }

  get shown(): string {
    return !this.active ? "paused" : this.status === "up" && this.slow ? "degraded" : this.status;
  }

  check(step: Check, now: number): void {
    if (!this.active) return;
    this.status = step === "failed" ? "down" : "up";
    if (step !== "slow" && step !== "fast") return;
    const before = this.slow;
    this.answers = [...this.answers, step === "slow"].slice(-5);
    if (this.slow === before) return;
    const [open] = this.outages.splice(-1, before ? 1 : 0);
    this.outages.push(open ? { ...open, endedAt: now } : { startedAt: now, endedAt: null });
    this.events.push(before ? `slow_normal ${now} ${open?.startedAt}` : `slow ${now} ${now}`);
  }

  change(step: Change, now: number): void {
    if (step === "none" || step === "rename" || (step === "resume" && this.active)) return;
    if (step === "pause" && !this.active) return;
    if (step !== "edit") this.active = step === "resume";
    this.answers = [];
    this.outages = this.outages.map(({ startedAt, endedAt }) => ({ startedAt, endedAt: endedAt ?? now }));
  }
}

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const flights = new Map<number, Claim>();
  const create = () =>
    processDialect === "sqlite"
      ? createMemoryClaims({ ...app.deps, isInFlight: (id) => flights.has(id) })
      : createStoredClaims({ ...app.deps, known: () => [...flights.keys()] });
  let claims = create();
  const viewer = viewerOf(madeBy(bob));

  const change = async (id: number, step: Change, now: number) => {
    const row = await findMonitor(app.deps, viewer, id);
    const active = step === "pause" ? false : step === "resume" ? true : row.monitor.active;
    const config = step === "edit" ? { ...row.monitor.config, url: `https://shop.example/${now}` } : row.monitor.config;
    const name = step === "rename" ? `renamed at ${now}` : row.monitor.name;
    if (step !== "none") await updateMonitor(app.deps, row, { ...row.monitor, active, config, name });
  };

  const resultOf = ({ monitorId, revision, status, slowBits }: Claim, step: Check): Result => ({
    monitorId,
    revision,
    previous: status,
    slowBits,
    slowLimit: 800,
    checkedAt: app.clock.now(),
    up: step !== "failed",
    responseTime: step === "slow" ? 900 : 100,
    statusCode: 200,
    error: step === "failed" ? checkError("refused") : null,
    certExpiresAt: null,
    // A failed answer may have been slow as well, which does not count.
    ...(step !== "plain" && { slow: step !== "fast" }),
  });

  /** Claims and checks some monitors, with this fault while the results are written. Returns whether they are stored. */
  const check = async (steps: ReadonlyMap<number, Check>, fault: "none" | "lost" | number): Promise<boolean> => {
    for (const id of steps.keys()) flights.set(id, await claims.claimOne(id));
    const results = [...steps].map(([id, step]) => resultOf(flights.get(id) as Claim, step));
    const { transact } = app.db;
    if (fault === "lost") failOnce(app.db, "the response was lost", "after");
    else if (fault !== "none") failAfter(app.db, fault);
    const write = () => claims.writeAndClaim(results, 0);
    if (fault === "none") await write();
    else await expect(write()).rejects.toThrow();
    app.db.transact = transact;
    if (fault === "lost") await write();
    flights.clear();
    return typeof fault !== "number";
  };

  /** A new process on the same database, after the claims of the killed one were released. */
  const restart = async () => {
    flights.clear();
    await app.db.update(monitorStates).set({ claimedBy: null });
    claims = create();
    await claims.followClock();
  };
  return { app, bob, change, check, restart };
};

it(`degraded states of ${HISTORIES} random histories are those of a model, also after kills between statements (seed ${SEED})`, async () => {
  const { app, bob, change, check, restart } = await setUp();
  const random = createRandom(SEED);
  const models = new Map<number, Model>();
  for (let count = 0; count < HISTORIES; count++)
    models.set(await addMonitor(app, bob, { url: "https://shop.example/" }), new Model());
  await restart();

  for (let turn = 0; turn < TURNS; turn++) {
    await app.clock.advance(MINUTE);
    const now = app.clock.now();
    const checks = new Map<number, Check>();
    for (const [id, model] of models) {
      const step = random.pick(STEPS);
      if (isCheck(step)) checks.set(id, step);
      else {
        model.change(step, now);
        await change(id, step, now);
      }
    }
    const fault = random.oneIn(8) ? random.below(8) : random.oneIn(8) ? "lost" : "none";
    const stored = await check(checks, fault);
    if (stored) for (const [id, step] of checks) models.get(id)?.check(step, now);
    if (!stored || random.oneIn(10)) await restart();

    const { counts, monitors } = (await app.as(bob).get("/api/monitors?limit=200")).body;
    const shown = new Map(monitors.map(({ id, status }) => [id, status] as const));
    expect([...models.keys()].map((id) => shown.get(id) as string)).toEqual(
      [...models.values()].map((model) => model.shown),
    );
    const count = (...wanted: string[]) => [...models.values()].filter((model) => wanted.includes(model.shown)).length;
    expect(counts).toMatchObject({ all: HISTORIES, up: count("up", "degraded"), degraded: count("degraded") });
  }

  const isSlow = and(eq(outages.targetType, "monitor"), eq(outages.kind, "slow"));
  const rows = await app.db.select().from(outages).where(isSlow).orderBy(asc(outages.id));
  const written = await app.db.select().from(events).orderBy(asc(events.id));
  for (const [id, model] of models) {
    const own = rows.filter(({ targetId }) => targetId === id);
    expect(own.map(({ startedAt, endedAt }) => ({ startedAt, endedAt }))).toEqual(model.outages);
    const told = written.filter(({ kind, targetId }) => targetId === id && kind.startsWith("slow"));
    expect(told.map(({ kind, at, since }) => `${kind} ${at} ${since}`)).toEqual(model.events);
  }
  expect(rows.length).toBeGreaterThan(HISTORIES);
  expect(rows.every(({ errorCode, errorDetail }) => errorCode === "slow_response" && errorDetail?.limit === 800)).toBe(
    true,
  );
});
