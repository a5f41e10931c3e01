import { describe, expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { hashSecret } from "../../../../core/secrets";
import type { Database } from "../../../../db/database";
import { agentStates } from "../../../../db/schema";
import type { Sample } from "../../../../shared/agents/report";
import type { AlarmState } from "../../../../shared/agents/thresholds";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { enrollAgent, readServerState, reportOf, sampleAt, sendReport } from "../../../../testing/fixtures/agents";
import { readEvents, saveRule } from "../../../../testing/fixtures/alerts";
import { ingest } from "../ingest";
import { markOfflineServers } from "../offline";

const ALL = { on_cpu_threshold: true, on_memory_threshold: true, on_disk_threshold: true };
const usage = (percent: number) => ({ total: 1000, used: percent * 10 });

const setUp = async (setting: object = ALL) => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  await saveRule(app, bob, { target_type: "global-agent", ...setting });
  const agent = await enrollAgent(app, bob);
  /** One report a minute, each of one sample. */
  const play = async (...samples: Partial<Sample>[]) => {
    for (const figures of samples) {
      await app.clock.advance(MINUTE);
      expect((await agent.report([sampleAt(app.clock.now(), figures)])).status).toBe(200);
    }
    return storedEvents();
  };
  const storedEvents = async () =>
    (await readEvents(app)).map(({ kind, figure, mount }) =>
      [kind, ...(figure === null ? [] : [Math.round(figure)]), ...(mount === null ? [] : [mount])].join(" "),
    );
  const ids = { agentId: agent.id, keyHash: hashSecret(agent.key) };
  return { app, bob, charlie, agent, play, storedEvents, ...ids };
};

describe("figures", () => {
  it("at or above their thresholds in two consecutive reports cause one event, and their end another", async () => {
    const { play } = await setUp();
    const high = { cpu: 90, memory: usage(85), disk: usage(90) };
    const low = { cpu: 84, memory: usage(79), disk: usage(84) };
    expect(await play(high)).toEqual([]);
    expect((await play(high)).toSorted()).toEqual(["cpu_high 90", "disk_high 90", "memory_high 85"]);
    expect(await play(high, high, low, high, { cpu: 87, memory: usage(82), disk: usage(87) })).toHaveLength(3);
    expect(await play(low)).toHaveLength(3);
    expect((await play(low)).toSorted().slice(0, 4)).toEqual([
      "cpu_high 90",
      "cpu_normal 84",
      "disk_high 90",
      "disk_normal 84",
    ]);
    expect(await play(low, low, low)).toHaveLength(6);
  });

  it("are stored with the threshold, and their end with the time at which they began", async () => {
    const { app, bob, agentId, play } = await setUp({ ...ALL, cpu_threshold: 70.5 });
    await play({ cpu: 71 }, { cpu: 71.25 }, { cpu: 60 }, { cpu: 60 });
    const common = {
      userId: bob.id,
      targetType: "agent" as const,
      targetId: agentId,
      targetName: "db-1",
      threshold: 70.5,
    };
    const began = START + 2 * MINUTE;
    expect(await readEvents(app)).toMatchObject([
      { ...common, kind: "cpu_high", at: began, figure: 71.25, since: null },
      { ...common, kind: "cpu_normal", at: START + 4 * MINUTE, figure: 60, since: began },
    ]);
  });

  it("of disks are those of the fullest mount, whose name is stored", async () => {
    const { play } = await setUp();
    const disks = [
      { mount: "/", ...usage(50) },
      { mount: "/var", ...usage(95) },
      { mount: "/empty", total: 0, used: 0 },
      { mount: "/srv", ...usage(93) },
    ];
    expect(await play({ disk: usage(60), disks }, { disk: usage(60), disks })).toEqual(["disk_high 95 /var"]);
  });

  it("of a disk end with the mount that alerted, and another full mount causes the next alert", async () => {
    const { play } = await setUp();
    const on = (root: number, mount: number) => ({
      disks: [
        { mount: "/", ...usage(root) },
        { mount: "/var", ...usage(mount) },
      ],
    });
    expect(await play(on(50, 95), on(50, 95))).toEqual(["disk_high 95 /var"]);
    expect(await play(on(50, 40), on(50, 40))).toEqual(["disk_high 95 /var", "disk_normal 40 /var"]);
    const before = (await play(on(50, 96), on(50, 96), on(97, 96), on(97, 40))).length;
    expect((await play(on(97, 40))).slice(before)).toEqual(["disk_normal 40 /var"]);
    expect((await play(on(97, 40), on(97, 40))).slice(before + 1)).toEqual(["disk_high 97 /"]);
    expect((await play(on(60, 40), on(60, 40))).slice(before + 2)).toEqual(["disk_normal 60 /"]);
  });

  it("of a disk that can't be read keep its alert; after a disk was removed, the fullest one counts", async () => {
    const { app, agent, play, storedEvents } = await setUp();
    const root = { mount: "/", ...usage(50) };
    const full = { disks: [root, { mount: "/var", ...usage(95) }] };
    await play(full, full);
    for (let time = 0; time < 2; time++) {
      await app.clock.advance(MINUTE);
      const report = reportOf([sampleAt(app.clock.now(), { disks: [root] })]);
      await sendReport(app, agent.key, { ...report, unreadable_disks: [{ mount: "/var", reason: "timeout" }] });
    }
    expect(await storedEvents()).toEqual(["disk_high 95 /var"]);
    expect(await play({ disks: [root] }, { disks: [root] })).toEqual(["disk_high 95 /var", "disk_normal 50 /"]);
  });

  it("that are unknown change nothing", async () => {
    const { play } = await setUp();
    const unknown = { cpu: null, memory: { total: 0, used: 0 }, disk: { total: 0, used: 0 } };
    expect(await play({ cpu: 95 }, unknown, { cpu: 95 })).toEqual(["cpu_high 95"]);
    expect(await play(unknown, unknown, unknown)).toHaveLength(1);
  });

  it("are compared with the current threshold", async () => {
    const { app, bob, agentId, play } = await setUp();
    await play({ cpu: 80 }, { cpu: 80 });
    await saveRule(app, bob, { target_type: "global-agent", cpu_threshold: 75 });
    expect(await play({ cpu: 80 }, { cpu: 80 })).toEqual(["cpu_high 80"]);
    await saveRule(app, bob, { target_type: "global-agent", on_cpu_threshold: false });
    expect(await play({ cpu: 1 }, { cpu: 1 })).toHaveLength(1);
    const specific = { target_type: "agent", target_id: agentId, override_global: true };
    await saveRule(app, bob, { ...specific, on_cpu_threshold: true, cpu_threshold: 50 });
    expect(await play({ cpu: 60 }, { cpu: 60 })).toEqual(["cpu_high 80", "cpu_high 60"]);
  });

  it("are compared with the thresholds for all servers while those for the server do not replace them", async () => {
    const { app, bob, agentId, play } = await setUp({ ...ALL, cpu_threshold: 95 });
    const own = { target_type: "agent", target_id: agentId, on_cpu_threshold: true, cpu_threshold: 50 };
    await saveRule(app, bob, { ...own, override_global: false });
    expect(await play({ cpu: 60 }, { cpu: 60 })).toEqual([]);
    await saveRule(app, bob, { ...own, override_global: true });
    expect(await play({ cpu: 60 }, { cpu: 60 })).toEqual(["cpu_high 60"]);
    await saveRule(app, bob, { ...own, enabled: false });
    expect(await play({ cpu: 99 }, { cpu: 99 })).toEqual(["cpu_high 60"]);
    await saveRule(app, bob, { ...own, override_global: false });
    expect(await play({ cpu: 99 }, { cpu: 99 })).toEqual(["cpu_high 60", "cpu_high 99"]);
  });

  it("cause no event without a threshold", async () => {
    const { app, charlie, play } = await setUp({ on_cpu_threshold: false });
    await saveRule(app, charlie, { target_type: "global-agent", on_cpu_threshold: true });
    expect(await play({ cpu: 99 }, { cpu: 99 }, { cpu: 99 })).toEqual([]);
  });

  it("count once for each report: only its newest sample is evaluated", async () => {
    const { app, agent, storedEvents, play } = await setUp();
    await app.clock.advance(60 * MINUTE);
    const late = Array.from({ length: 30 }, (_, index) => sampleAt(START + index * MINUTE, { cpu: 99 }));
    await agent.report(late);
    expect(await storedEvents()).toEqual([]);
    await agent.report([...late, sampleAt(START + 30 * MINUTE, { cpu: 10 })]);
    expect(await play({ cpu: 99 })).toEqual([]);
  });

  it("that are sent again or late are not evaluated", async () => {
    const { app, agent, storedEvents, play } = await setUp();
    await play({ cpu: 10 }, { cpu: 99 });
    const same = sampleAt(app.clock.now(), { cpu: 99 });
    for (let time = 0; time < 3; time++) await agent.report([same]);
    await agent.report([sampleAt(app.clock.now() - SECOND, { cpu: 99 })]);
    expect(await storedEvents()).toEqual([]);
    expect(await play({ cpu: 99 })).toEqual(["cpu_high 99"]);
    await agent.report([sampleAt(app.clock.now() - 2 * SECOND, { cpu: 1 })]);
    await agent.report([sampleAt(app.clock.now() - SECOND, { cpu: 1 })]);
    expect(await storedEvents()).toHaveLength(1);
  });
});

describe("an offline agent", () => {
  it("causes one event, and its return another", async () => {
    const { app, agentId, play, storedEvents } = await setUp();
    await markOfflineServers(app.deps);
    await play({});
    const reportedAt = app.clock.now();
    await app.clock.advance(3 * MINUTE);
    await markOfflineServers(app.deps);
    expect(await storedEvents()).toEqual([]);
    await app.clock.advance(1);
    expect(await markOfflineServers(app.deps)).toBe(true);
    expect(await markOfflineServers(app.deps)).toBe(false);
    expect(await storedEvents()).toEqual(["offline"]);
    expect(await play({}, {})).toEqual(["offline", "online"]);
    const at = reportedAt + 3 * MINUTE;
    expect(await readEvents(app)).toMatchObject([
      { kind: "offline", targetId: agentId, at, since: reportedAt },
      { kind: "online", targetId: agentId, at: at + MINUTE + 1, since: reportedAt + MINUTE },
    ]);
  });

  it("keeps its alerts: a figure that is still high after its return causes no event", async () => {
    const { app, play } = await setUp();
    await play({ cpu: 99 }, { cpu: 99 });
    await app.clock.advance(10 * MINUTE);
    await markOfflineServers(app.deps);
    expect(await play({ cpu: 99 }, { cpu: 99 })).toEqual(["cpu_high 99", "offline", "online"]);
  });

  it("that never reported causes no event, and its first report causes none", async () => {
    const { app, play, storedEvents } = await setUp();
    await app.clock.advance(60 * MINUTE);
    await markOfflineServers(app.deps);
    await play({});
    expect(await storedEvents()).toEqual([]);
  });
});

describe("two concurrent instances", () => {
  it("that evaluate the same crossing write one event", async () => {
    const { app, agentId, keyHash, play, storedEvents } = await setUp();
    await play({ cpu: 95 });
    await app.clock.advance(MINUTE);
    const now = app.clock.now();
    const take = (at: number) => ingest(app.deps, [{ keyHash, report: reportOf([sampleAt(now, { cpu: 95 })]) }], at);
    await Promise.all([take(now), take(now + 1), take(now + 2), take(now + 3)]);
    expect(await storedEvents()).toEqual(["cpu_high 95"]);
    expect((await readServerState(app, agentId)).alarms).toMatchObject([
      { metric: "cpu", alerting: true, since: null },
    ]);
  });

  it("that find the same agent offline and online write one event of each", async () => {
    const { app, keyHash, play, storedEvents } = await setUp();
    await play({});
    await app.clock.advance(4 * MINUTE);
    await Promise.all([markOfflineServers(app.deps), markOfflineServers(app.deps), markOfflineServers(app.deps)]);
    const now = app.clock.now();
    const take = (at: number) => ingest(app.deps, [{ keyHash, report: reportOf([sampleAt(now)]) }], at);
    await Promise.all([take(now), take(now + 1), take(now + 2)]);
    expect(await storedEvents()).toEqual(["offline", "online"]);
  });
});

it("a change of alarms is not written after another instance has changed them", async () => {
  const { app, agentId, keyHash, play, storedEvents } = await setUp();
  await play({ cpu: 95 });
  const other: AlarmState = { metric: "cpu", subject: "other", alerting: true, since: null };
  const raced: Database = Object.assign(Object.create(app.db) as Database, {
    transact: async <T>(body: (tx: Database) => Promise<T>) => {
      await app.db.update(agentStates).set({ alarms: [other] });
      return app.db.transact(body);
    },
  });
  await app.clock.advance(MINUTE);
  const now = app.clock.now();
  await ingest({ ...app.deps, db: raced }, [{ keyHash, report: reportOf([sampleAt(now, { cpu: 95 })]) }], now);
  expect(await storedEvents()).toEqual([]);
  expect(await readServerState(app, agentId)).toMatchObject({ alarms: [other], reportedAt: now });
});

it("an alert and its figures are written together or not at all", async () => {
  const { app, agentId, keyHash, play, storedEvents } = await setUp();
  await play({ cpu: 95 });
  const before = await readServerState(app, agentId);
  const broken: Database = Object.assign(Object.create(app.db) as Database, {
    transact: <T>(body: (tx: Database) => Promise<T>) =>
      app.db.transact(async (tx) => {
        await body(tx);
        await tx.rows(sql`insert into no_such_table values (1)`);
      }),
  });
  await app.clock.advance(MINUTE);
  const report = reportOf([sampleAt(app.clock.now(), { cpu: 95 })]);
  await expect(
    (async () => ingest({ ...app.deps, db: broken }, [{ keyHash, report }], app.clock.now()))(),
  ).rejects.toThrow();
  expect(await storedEvents()).toEqual([]);
  expect(await readServerState(app, agentId)).toEqual(before);
  await ingest(app.deps, [{ keyHash, report }], app.clock.now());
  expect(await storedEvents()).toEqual(["cpu_high 95"]);
});
