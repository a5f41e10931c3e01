import { expect, it } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { processDialect } from "../../../core/config";
import { events, heartbeats, monitorStates, monitors, outages } from "../../../db/schema";
import { MINUTE, SECOND } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { addHeartbeat, createSweep } from "../../../testing/fixtures/heartbeats";
import { seedOr } from "../../../testing/random";
import { repetitions } from "../../../testing/repetitions";
import { extendDeadlines } from "./deadlines";

const SEED = seedOr(20_260_329);

const HEARTBEATS = processDialect === "sqlite" ? repetitions(10, 60) : repetitions(15, 15);
const STEPS = processDialect === "sqlite" ? 150 : 60;

/** A generator of numbers from 0 to 1 that are the same in each run. */
const createRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

type Config = { every: number; grace: number } | { cron: string; tz: string; grace: number };
type Outage = { startedAt: number; endedAt: number | null; errorCode: string };

const ACTIONS = [
  ...[
    "",
    "",
    "",
    "",
    "/0",
    "/start",
    "/start",
    "/start?rid=a",
    "/start?rid=b",
    "?rid=a",
    "?rid=b",
    "/fail",
    "/7",
    "/log",
  ],
  ...["mute", "pause", "resume", "resume", "config", "nothing", "nothing", "nothing"],
] as const;
type Action = (typeof ACTIONS)[number];

/** A plain model of the stored state of a heartbeat after each step. Times are in milliseconds. */
class Model {
  active = true;
  status: "pending" | "up" | "down" = "pending";
  deadline: number | null = null;
  pinged = false;
  run: { since: number; id: string | null } | null = null;
  mutedUntil = 0;
  outages: Outage[] = [];
  events: string[] = [];

  constructor(public config: Config) {}

  get grace() {
    return this.config.grace * SECOND;
  }

  /** The next full five minutes after the ping, which may be ten seconds early, or a period after it. */
  next(at: number) {
    if ("every" in this.config) return at + this.config.every * SECOND;
    return (Math.floor((at + 10 * SECOND) / (5 * MINUTE)) + 1) * 5 * MINUTE;
  }

  down(at: number, errorCode: string) {
    if (this.status !== "down") {
      this.events.push("down");
      this.outages.push({ startedAt: at, endedAt: null, errorCode });
    }
    this.status = "down";
    this.deadline = null;
  }

  up(at: number) {
    const open = this.outages.find(({ endedAt }) => endedAt === null);
    if (open) open.endedAt = at;
    if (this.status === "down") this.events.push("recovery");
    this.status = "up";
  }

  /** The job of each second. */
  sweep(now: number) {
    if (this.deadline === null || this.deadline > now - SECOND) return;
    if (this.mutedUntil > now) this.deadline = this.mutedUntil;
    else if (this.run) this.down(this.deadline, "heartbeat_running");
    else this.down(this.deadline - (this.deadline === this.mutedUntil ? 0 : this.grace), "heartbeat_missed");
  }

  /** A start of the hub. */
  extend(now: number) {
    if (this.deadline === null || (!this.run && this.deadline - this.grace - 10 * SECOND > now)) return;
    this.deadline = Math.max(this.deadline, this.next(now) + this.grace);
  }

  countFrom(now: number) {
    if (!this.pinged || this.status === "down") this.deadline = null;
    else this.deadline = Math.min(this.next(now) + this.grace, this.run ? now + this.grace : Number.POSITIVE_INFINITY);
  }

  act(action: Action, now: number) {
    if (action === "pause" && this.active) {
      this.active = false;
      this.deadline = null;
      const open = this.outages.find(({ endedAt }) => endedAt === null);
      if (open) open.endedAt = now;
    } else if (action === "resume" && !this.active) {
      this.active = true;
      this.run = null;
      if (this.status === "down") this.status = "pending";
      this.countFrom(now);
    } else if (action === "mute") this.mutedUntil = now + MINUTE;
    else if (/^[/?]|^$/.test(action)) this.ping(action, now);
  }

  ping(action: string, now: number) {
    this.pinged = true;
    const [path = "", rid = null] = action.split("?rid=");
    if (!this.active || path === "/log") return;
    if (path === "/start") {
      this.run = { since: now, id: rid };
      if (this.status !== "down") this.deadline = Math.min(this.deadline ?? Number.POSITIVE_INFINITY, now + this.grace);
    } else if (path === "/fail" || path === "/7") {
      this.run = null;
      this.down(now, path === "/7" ? "heartbeat_exit" : "heartbeat_failed");
    } else {
      this.up(now);
      const isOther = this.run && rid !== null && this.run.id !== null && this.run.id !== rid;
      if (!isOther || (this.run && this.run.since + this.grace <= now)) this.run = null;
      this.deadline = Math.min(
        this.next(now) + this.grace,
        this.run ? this.run.since + this.grace : Number.POSITIVE_INFINITY,
      );
    }
  }
}

it(`the stored state of ${HEARTBEATS} heartbeats after ${STEPS} random steps each is that of a model (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const newConfig = (): Config => {
    const grace = pick([10, 45, 120, 400]);
    return random() < 0.5 ? { every: pick([60, 90, 200]), grace } : { cron: "*/5 * * * *", tz: "Asia/Shanghai", grace };
  };
  let app = await createTestApp();
  const { clock, db } = app;
  const { alice } = await app.people();
  let { sweep } = createSweep(app);
  const pairs = await Promise.all(
    Array.from({ length: HEARTBEATS }, async () => {
      const config = newConfig();
      const { id, token } = await addHeartbeat(app, alice, config);
      return { id, token, model: new Model(config) };
    }),
  );

  /** Performs an action on a heartbeat as its owner or its job would. */
  const perform = async ({ id, token, model }: (typeof pairs)[number], action: Action): Promise<void> => {
    const client = app.as(alice);
    if (action === "nothing") return;
    if (action === "config") {
      const config = newConfig();
      const isChange = !Bun.deepEquals(config, model.config);
      await client.put(`/api/monitors/${id}`, { name: "x", config });
      model.config = config;
      if (model.active && isChange) model.countFrom(clock.now());
      return;
    }
    if (action === "pause" || action === "resume") await client.post(`/api/monitors/${id}/${action}`);
    else {
      const path = action === "mute" ? "/mute/1" : action;
      const { status } = await app.send(new Request(`http://localhost/ping/${token}${path}`, { method: "POST" }));
      expect(status).toBe(200);
    }
    model.act(action, clock.now());
  };

  const pass = async (length: number): Promise<void> => {
    for (const end = clock.now() + length; clock.now() < end; ) {
      await clock.advance(Math.min(15 * SECOND, end - clock.now()));
      await sweep();
      for (const { model } of pairs) model.sweep(clock.now());
    }
  };

  for (let step = 0; step < STEPS; step++) {
    await pass(1 + Math.floor(random() ** 3 * 4 * MINUTE));
    if (random() < 0.03) {
      // The hub is down for a while, and starts again.
      const from = clock.now();
      await clock.advance(Math.floor(random() * 12 * MINUTE));
      app = await createTestApp({ clock, db });
      await extendDeadlines(app.deps, { from, to: clock.now() });
      for (const { model } of pairs) model.extend(clock.now());
      sweep = createSweep(app).sweep;
    }
    const chosen = pairs.map((pair) => [pair, pick(ACTIONS)] as const);
    await Promise.all(chosen.map(([pair, action]) => perform(pair, action)));
  }

  for (const { id, model } of pairs) {
    const [stored] = await db
      .select({ row: heartbeats, status: monitorStates.status, active: monitors.active })
      .from(heartbeats)
      .innerJoin(monitorStates, eq(monitorStates.monitorId, heartbeats.monitorId))
      .innerJoin(monitors, eq(monitors.id, heartbeats.monitorId))
      .where(eq(heartbeats.monitorId, id));
    const { startedAt, endedAt, errorCode } = outages;
    const ofIt = await db
      .select({ startedAt, endedAt, errorCode })
      .from(outages)
      .where(eq(outages.targetId, id))
      .orderBy(asc(outages.id));
    const kinds = await db
      .select({ kind: events.kind })
      .from(events)
      .where(eq(events.targetId, id))
      .orderBy(asc(events.id));
    expect({
      id,
      active: stored?.active,
      status: stored?.status,
      deadline: stored?.row.deadlineAt,
      run: stored?.row.startedAt === null ? null : { since: stored?.row.startedAt, id: stored?.row.runId },
      outages: ofIt as Outage[],
      events: kinds.map(({ kind }) => kind as string),
    }).toEqual({
      id,
      active: model.active,
      status: model.status,
      deadline: model.deadline,
      run: model.run,
      outages: model.outages,
      events: model.events,
    });
  }
});
