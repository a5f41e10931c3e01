import { describe, expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { version } from "../../build-info";
import { createHeartbeat } from "../../cluster/instances";
import { createMinuteMeter } from "../../core/minute-meter";
import { readSetting, writeSetting } from "../../db/app-settings";
import { channels, hubGaps, users } from "../../db/schema";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { enrollAgent, sampleAt, writeReports } from "../../testing/fixtures/agents";
import { addChannel, resendChannel } from "../../testing/fixtures/alerts";
import { addMonitor } from "../../testing/fixtures/monitors";
import { type Attention, attentionOf, type Known } from "./attention";
import { readGrowth, recordSize } from "./growth";

const QUIET = { PUBLIC_URL: "https://watch.example", REGISTRATION: "closed" };
const GB = 2 ** 30;

const start = async (env: Record<string, string> = QUIET) => {
  const app = await createTestApp({ env });
  const people = await app.people();
  return { ...app, ...people, app, read: async () => (await app.as(people.alice).get("/api/system")).body };
};

const WELL: Known = {
  now: START,
  isWritable: true,
  unknown: null,
  conditions: [],
  lastMinute: { checksPerSecond: 8, reportsPerSecond: 1, lateness: 0.02 },
  disk: { free: 21 * GB, total: 64 * GB },
  growth: 1_000_000,
  unwatched: MINUTE,
  refusedChannels: 0,
  hasPublicUrl: true,
  isRegistrationOpen: false,
  outdatedAgents: 0,
  misspelled: [],
  backedUpAt: START - DAY,
  backupProblem: null,
};

describe("what needs attention", () => {
  it("is nothing when all is well, and nothing that is not known", () => {
    expect(attentionOf(WELL)).toEqual([]);
    expect(attentionOf({ ...WELL, lastMinute: null, disk: null, growth: null, backedUpAt: null })).toEqual([]);
    expect(attentionOf({ ...WELL, growth: -1_000_000 })).toEqual([]);
    expect(attentionOf({ ...WELL, disk: { free: 0.5 * GB, total: 4 * GB }, growth: null })).toEqual([]);
  });

  const raised: [Partial<Known>, Attention][] = [
    [{ isWritable: false }, { code: "database_not_writable", detail: {} }],
    [{ unknown: "hub_offline" }, { code: "unknown_now", detail: { reason: "hub_offline" } }],
    [{ conditions: ["descriptors"] }, { code: "condition", detail: { condition: "descriptors" } }],
    [
      { lastMinute: { checksPerSecond: 1, reportsPerSecond: 0, lateness: 14.6 } },
      { code: "checks_late", detail: { seconds: 15 } },
    ],
    [
      { disk: { free: 9 * GB, total: 1000 * GB }, growth: null },
      { code: "disk_nearly_full", detail: { free: 9 * GB, total: 1000 * GB } },
    ],
    [
      { disk: { free: GB / 4, total: 4 * GB }, growth: null },
      { code: "disk_nearly_full", detail: { free: GB / 4, total: 4 * GB } },
    ],
    [{ growth: 2 * GB }, { code: "database_fills_disk", detail: { days: 10 } }],
    [{ backupProblem: "backup_no_space" }, { code: "backup_failed", detail: { problem: "backup_no_space" } }],
    [{ unwatched: 12 * MINUTE }, { code: "unwatched", detail: { minutes: 12 } }],
    [{ refusedChannels: 2 }, { code: "channels_refused", detail: { channels: 2 } }],
    [{ hasPublicUrl: false }, { code: "no_public_url", detail: {} }],
    [{ isRegistrationOpen: true }, { code: "registration_open", detail: {} }],
    [{ outdatedAgents: 3 }, { code: "agents_outdated", detail: { agents: 3 } }],
    [{ misspelled: ["PROT (PORT)"] }, { code: "settings_misspelled", detail: { names: "PROT (PORT)" } }],
    [{ backedUpAt: START - 9 * DAY }, { code: "backup_old", detail: { days: 9 } }],
  ];
  for (const [known, attention] of raised)
    it(`is ${attention.code} with its figures`, () => {
      expect(attentionOf({ ...WELL, ...known })).toEqual([attention]);
    });

  it("begins with the most urgent", () => {
    const all = Object.assign({ ...WELL }, ...raised.map(([known]) => known), { backupProblem: null });
    const codes = attentionOf(all).map(({ code }) => code);
    expect([codes[0], codes.at(-1)]).toEqual(["database_not_writable", "backup_old"]);
  });
});

describe("the state of the hub", () => {
  it("has what is known, and null for the rest", async () => {
    const { db, deps, read } = await start();
    await db.update(users).set({ createdAt: START - 2 * DAY });
    const body = await read();
    expect(body).toMatchObject({
      success: true,
      version,
      status: "ok",
      instance: deps.instance,
      instances: [],
      database: { engine: db.engine, growth: null },
      work: null,
      watched: { "24h": 100, "30d": 100 },
      mail: { channels: 0, error_code: null },
      last_backup: null,
      attention: [],
    });
    expect(body.database.size).toBeGreaterThan(10_000);
    await createHeartbeat(deps).beat();
    expect((await read()).instances.map(({ id }) => id)).toEqual([deps.instance]);
  });

  it("says in each case what needs attention", async () => {
    const { app, db, bob, read } = await start({ PROT: "1" });
    await db.update(users).set({ createdAt: START - 10 * DAY });
    await db
      .insert(hubGaps)
      .values({ startedAt: START - 7 * HOUR, endedAt: START - HOUR, reason: "hub_stopped", announced: true });
    const channel = await addChannel(app, bob, resendChannel());
    const problem = { problemCode: "rejected", problemDetail: { status: 401, reply: "no such key" } } as const;
    await db.update(channels).set(problem).where(sql`${channels.id} = ${channel}`);
    for (const agent_version of ["0.0.1", version, "odd"]) {
      const { report } = await enrollAgent(app, bob);
      await report([sampleAt(START)], { agent_version });
    }
    await writeReports(app);
    await writeSetting(db, "backed_up_at", String(START - 8 * DAY));
    const { attention, mail, watched, last_backup } = await read();
    expect(attention).toEqual([
      { code: "unwatched", detail: { minutes: 360 } },
      { code: "channels_refused", detail: { channels: 1 } },
      { code: "no_public_url", detail: {} },
      { code: "registration_open", detail: {} },
      { code: "agents_outdated", detail: { agents: 1 } },
      { code: "settings_misspelled", detail: { names: "PROT (PORT)" } },
      { code: "backup_old", detail: { days: 8 } },
    ]);
    expect(mail).toMatchObject({
      server: null,
      channels: 1,
      error_code: "rejected",
      error_detail: problem.problemDetail,
    });
    expect(watched).toEqual({ "24h": 75, "30d": 97.5 });
    expect(last_backup).toBe(new Date(START - 8 * DAY).toISOString());
  });

  it("has the user with the most of each quota, and how many are at the limit", async () => {
    const { app, alice, bob, charlie, read } = await start({ ...QUIET, QUOTA_MONITORS: "2" });
    for (const owner of [alice, alice, alice, bob, bob, charlie])
      await addMonitor(app, owner, { url: "http://127.0.0.1:1/" });
    const { quotas } = await read();
    expect(quotas.slice(0, 2)).toEqual([
      { name: "monitors", limit: 2, most: 2, username: "bob", full: 1 },
      { name: "servers", limit: 50, most: 0, username: null, full: 0 },
    ]);
  });

  it("has no secret of a setting", async () => {
    const secret = "hunter2-hunter2-hunter2-hunter2-hunter2";
    const { app, alice } = await start({
      JWT_SECRET: secret,
      METRICS_TOKEN: secret,
      HEARTBEAT_URL: `http://a/${secret}`,
    });
    const { text, body } = await app.as(alice).get("/api/system");
    expect(text).not.toInclude("hunter2");
    const token = { name: "METRICS_TOKEN", value: null, secret: true, set: true };
    expect(body.settings).toContainEqual(token);
    expect(body.settings).toContainEqual({ name: "MIN_INTERVAL", value: "60", secret: false, set: true });
  });

  it("is refused to users and their keys, and answered to every key of an administrator", async () => {
    const { app, alice, bob } = await start();
    const statusOf = async (owner: typeof bob, scope: string) => {
      const { key } = (await app.as(owner).post("/api/keys", { name: scope, scope })).body;
      return (await app.as({ ...owner, token: key }).get("/api/system")).status;
    };
    const { status, body } = await app.as(bob).get("/api/system");
    expect([status, body.code]).toEqual([403, "forbidden"]);
    expect([await statusOf(bob, "full"), await statusOf(alice, "read"), await statusOf(alice, "full")]).toEqual([
      403, 200, 200,
    ]);
    expect((await app.anybody.get("/api/system")).status).toBe(401);
  });
});

it("the growth of the database is known after a day, and is that of the last week", async () => {
  const { db, clock } = await start();
  const stored = async () => JSON.parse((await readSetting(db, "database_sizes")) ?? "[]");
  const bytes = await db.size();
  let size = bytes;
  const growth = () => readGrowth({ db, clock }, size);
  const grown = { clock, db: Object.assign(Object.create(db), { size: async () => size }) };
  await recordSize(grown);
  expect(await growth()).toBeNull();
  clock.set(START + 23 * HOUR);
  await recordSize(grown);
  expect([await stored(), await growth()]).toEqual([[{ at: START, bytes, engine: db.engine }], null]);
  for (let day = 1; day <= 10; day++) {
    clock.set(START + day * DAY);
    size = bytes - day * 1000;
    await recordSize(grown);
  }
  const sizes = await stored();
  expect([sizes.length, sizes[0].at, sizes.at(-1).at]).toEqual([8, START + 3 * DAY, START + 10 * DAY]);
  expect(await growth()).toBe(-1000);
  await writeSetting(db, "database_sizes", JSON.stringify(sizes.map((one: object) => ({ ...one, engine: "other" }))));
  expect(await growth()).toBeNull();
});

it("the work of the last minute is the difference of the counters", async () => {
  const { deps, clock, read } = await start();
  const { meters } = deps;
  meters.checks.up = 500;
  const meter = createMinuteMeter(meters, clock.now);
  meters.lastMinute = meter.read;
  expect((await read()).work).toBeNull();
  meters.checks.up += 90;
  meters.checks.down += 30;
  meters.reports += 6;
  for (const seconds of [0.1, 0.3]) meters.lateness.observe(seconds);
  clock.set(START + MINUTE);
  await meter.turn();
  const { work } = await read();
  expect(work).toMatchObject({ checks: 2, reports: 0.1 });
  expect(work?.lateness).toBeCloseTo(0.2);
  clock.set(START + 2 * MINUTE);
  await meter.turn();
  expect((await read()).work).toEqual({ checks: 0, reports: 0, lateness: null });
  clock.set(START);
  await meter.turn();
  expect((await read()).work).toBeNull();
});
