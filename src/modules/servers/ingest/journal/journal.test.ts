import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../../core/config";
import { hashSecret } from "../../../../core/secrets";
import { agentStates, events, reportJournal, samplePacks } from "../../../../db/schema";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import {
  enrollAgent,
  readServerState,
  reportOf,
  restartAfterKill,
  sampleAt,
  storedSamples,
  writeReports,
} from "../../../../testing/fixtures/agents";
import { machineFacts, wideSampleAt } from "../../../../testing/fixtures/wide-reports";
import { viewOf } from "../../../alerting/targets";
import { ingest } from "../ingest";
import { extendDeadlines, markOfflineServers } from "../offline";
import { writeBeforeEnd, writeOverduePending } from "./journal";
import { pendingOf } from "./pending";
import { replayJournal } from "./replay";

const [SECOND, MINUTE] = [1000, 60_000];

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  /** Reports a sample each minute, the first at START. */
  const reportMinutes = async (count: number, first = 0) => {
    for (let minute = first; minute < first + count; minute++) {
      app.clock.set(START + minute * MINUTE);
      await agent.report([sampleAt(app.clock.now(), { cpu: minute, load: [minute, 0, 0] })]);
    }
  };
  const rowsOf = async () => ({
    journal: await app.db.$count(reportJournal),
    reportedAt: (await app.db.select().from(agentStates)).map(({ reportedAt }) => reportedAt),
  });
  return { app, bob, agent, id: agent.id, reportMinutes, rowsOf };
};

const times = (count: number) => Array.from({ length: count }, (_, minute) => START + minute * MINUTE);

// PostgreSQL has several processes, so reports are written to states and packs at once.
describe.if(processDialect === "sqlite")("reports that change no status", () => {
  it("wait in the journal, and every answer has them", async () => {
    const { app, bob, id, reportMinutes, rowsOf } = await setUp();
    await reportMinutes(4);
    expect(await rowsOf()).toEqual({ journal: 3, reportedAt: [START] });
    const { body } = await app.as(bob).get(`/api/agents/${id}`);
    expect(body.agent).toMatchObject({ cpu_usage: 3, load_average: [3, 0, 0] });
    expect(body.agent.updated_at).toBe(new Date(START + 3 * MINUTE).toISOString());
    expect((await app.as(bob).get("/api/agents")).body.agents).toMatchObject([{ cpu_usage: 3 }]);
    for (const range of ["1h", "24h", "7d", "30d", "1y"]) {
      const { points } = (await app.as(bob).get(`/api/agents/${id}/metrics?range=${range}`)).body;
      expect(Math.max(...points.map(({ cpu_max }) => cpu_max ?? 0))).toBe(3);
    }
    expect((await app.as(bob).get("/metrics")).text).toMatch(/wakeful_server_cpu_ratio\{[^}]*\} 0.03/);
  });

  it("are part of what a transaction reads", async () => {
    const { app, id, reportMinutes } = await setUp();
    await reportMinutes(2);
    const facts = await app.db.transact((tx) => viewOf("agent").read({ ...app.deps, db: tx }, [id]));
    expect(facts.get(id)).toMatchObject({ reportedAt: START + MINUTE, cpu: 1 });
  });

  it("are written to states and packs after ten minutes, and leave the journal", async () => {
    const { app, id, reportMinutes, rowsOf } = await setUp();
    await writeOverduePending(app.deps);
    await reportMinutes(10);
    await writeOverduePending(app.deps);
    expect((await rowsOf()).journal).toBe(9);
    await reportMinutes(1, 10);
    await writeOverduePending(app.deps);
    expect(await rowsOf()).toEqual({ journal: 0, reportedAt: [START + 10 * MINUTE] });
    expect((await storedSamples(app, id)).map(({ at }) => at)).toEqual(times(11));
  });

  it("that arrive while others are written stay in the journal", async () => {
    const { app, agent, id, reportMinutes, rowsOf } = await setUp();
    await reportMinutes(3);
    const { atomically } = app.db;
    const [keyHash, at] = [hashSecret(agent.key), START + 3 * MINUTE];
    let later: Promise<unknown> | null = null;
    app.db.atomically = (build) => {
      app.db.atomically = atomically;
      later = ingest(app.deps, [{ keyHash, report: reportOf([sampleAt(at)]) }], at);
      return atomically(build);
    };
    await writeReports(app);
    await later;
    expect(await rowsOf()).toEqual({ journal: 1, reportedAt: [START + 2 * MINUTE] });
    await restartAfterKill(app);
    expect((await storedSamples(app, id)).map(({ at }) => at)).toEqual(times(4));
  });

  it("are left in the journal by an end that has no time to write them", async () => {
    const { app, id, reportMinutes, rowsOf } = await setUp();
    await reportMinutes(3);
    await writeBeforeEnd(app.deps, 0);
    expect(await rowsOf()).toEqual({ journal: 2, reportedAt: [START] });
    await writeBeforeEnd(app.deps, SECOND);
    expect(await rowsOf()).toEqual({ journal: 0, reportedAt: [START + 2 * MINUTE] });
    expect((await storedSamples(app, id)).map(({ at }) => at)).toEqual(times(3));
  });

  it("are written earlier when they take much memory, and are not counted afterwards", async () => {
    const { app, agent, reportMinutes, rowsOf } = await setUp();
    await writeOverduePending(app.deps);
    await reportMinutes(1);
    const pending = pendingOf(app.db);
    // The first one opens the problems that it has, so that it is written at once.
    for (const minute of [1, 2, 3]) {
      app.clock.set(START + minute * MINUTE);
      await agent.report([wideSampleAt(app.clock.now())], machineFacts());
    }
    // The last report replaces the state of the previous one.
    expect(pending.size).toBeWithin(2000, 4000);
    await writeOverduePending(app.deps);
    expect((await rowsOf()).journal).toBe(2);
    pending.size += 192 * 2 ** 20;
    await writeOverduePending(app.deps);
    expect((await rowsOf()).journal).toBe(0);
    expect(pending.size).toBe(192 * 2 ** 20);
  });

  it("are written before a report that changes the interval or the identity of their agent", async () => {
    const { app, id, agent, reportMinutes, rowsOf } = await setUp();
    await reportMinutes(3);
    await agent.report([sampleAt(START + 3 * MINUTE)], { interval: 30 });
    expect((await rowsOf()).reportedAt).toEqual([START + 2 * MINUTE]);
    app.clock.set(START + 4 * MINUTE);
    await agent.report([sampleAt(START + 4 * MINUTE)], { interval: 30, hostname: "renamed" });
    expect((await rowsOf()).reportedAt).toEqual([START + 4 * MINUTE]);
    expect((await storedSamples(app, id)).map(({ at }) => at)).toEqual(times(5));
  });

  it("survive a kill, and are replayed once", async () => {
    const { app, id, reportMinutes, rowsOf } = await setUp();
    await reportMinutes(4);
    const before = await readServerState(app, id);
    for (let kill = 0; kill < 3; kill++) {
      await restartAfterKill(app);
      expect(await rowsOf()).toEqual({ journal: 3, reportedAt: [START] });
      expect(await readServerState(app, id)).toEqual(before);
      expect((await storedSamples(app, id)).map(({ at }) => at)).toEqual(times(4));
    }
    await writeReports(app);
    expect(await rowsOf()).toEqual({ journal: 0, reportedAt: [START + 3 * MINUTE] });
    expect(await readServerState(app, id)).toEqual(before);
    expect((await storedSamples(app, id)).map(({ at }) => at)).toEqual(times(4));
  });

  it("that were written before a kill change nothing when they are replayed", async () => {
    const { app, id, reportMinutes } = await setUp();
    await reportMinutes(3);
    const rows = await app.db.select().from(reportJournal);
    await writeReports(app);
    await reportMinutes(2, 3);
    await app.db.insert(reportJournal).values(rows.map((row) => ({ ...row, id: row.id + 100 })));
    const before = await readServerState(app, id);
    await restartAfterKill(app);
    expect(await readServerState(app, id)).toEqual(before);
    expect((await storedSamples(app, id)).map(({ at }) => at)).toEqual(times(5));
    await writeReports(app);
    await app.db.insert(reportJournal).values(rows);
    await restartAfterKill(app);
    expect(await readServerState(app, id)).toEqual(before);
    expect((await storedSamples(app, id)).map(({ at }) => at)).toEqual(times(5));
    expect(await app.db.$count(reportJournal)).toBe(0);
  });

  it("are written before their machine enrolls again, which changes its key", async () => {
    const { app, bob, id, rowsOf } = await setUp();
    const machine_id = "machine-again";
    const first = await enrollAgent(app, bob, { machine_id });
    for (const minute of [0, 1, 2]) {
      app.clock.set(START + minute * MINUTE);
      await first.report([sampleAt(app.clock.now())]);
    }
    const again = await enrollAgent(app, bob, { machine_id });
    expect(again.id).toBe(first.id);
    expect(first.id).not.toBe(id);
    expect((await rowsOf()).reportedAt).toEqual([null, null]);
    await restartAfterKill(app);
    expect((await rowsOf()).reportedAt).toEqual([null, null]);
    expect((await storedSamples(app, first.id)).map(({ at }) => at)).toEqual(times(3));
    await again.report([sampleAt(START + 3 * MINUTE)]);
    expect((await rowsOf()).reportedAt).toEqual([null, START + 2 * MINUTE]);
  });

  it("of a deleted agent are dropped", async () => {
    const { app, bob, id, reportMinutes } = await setUp();
    await reportMinutes(3);
    await app.as(bob).delete(`/api/agents/${id}`);
    await writeReports(app);
    expect(await app.db.$count(samplePacks)).toBe(0);
    expect(await app.db.$count(reportJournal)).toBe(0);
  });

  it("count for the deadline of their agent, and for the time since which it is offline", async () => {
    const { app, reportMinutes } = await setUp();
    await reportMinutes(5);
    expect(await markOfflineServers(app.deps)).toBe(false);
    app.clock.set(START + 7 * MINUTE);
    expect(await markOfflineServers(app.deps)).toBe(false);
    app.clock.set(START + 7 * MINUTE + SECOND);
    expect(await markOfflineServers(app.deps)).toBe(true);
    expect(await app.db.select().from(events)).toMatchObject([{ kind: "offline", at: START + 7 * MINUTE }]);
  });

  it("get a later deadline after the hub could not be reached", async () => {
    const { app, reportMinutes } = await setUp();
    await reportMinutes(3);
    app.clock.set(START + 60 * MINUTE);
    await extendDeadlines(app.deps);
    expect(await markOfflineServers(app.deps)).toBe(false);
  });

  it("in a damaged row of the journal are skipped and logged, and the others are written at the start", async () => {
    const { app, reportMinutes, rowsOf } = await setUp();
    await reportMinutes(3);
    const kept = await app.db.select().from(reportJournal);
    for (const data of [new Uint8Array(), new Uint8Array([1, 2, 3]), Uint8Array.from(kept[0]!.data.subarray(0, 20))]) {
      await app.db.insert(reportJournal).values({ id: kept[0]!.id - data.length - 100, data });
    }
    await restartAfterKill(app);
    await writeReports(app);
    expect(await rowsOf()).toEqual({ journal: 0, reportedAt: [START + 2 * MINUTE] });
    expect(app.logged.filter((line) => line.includes("row of the report journal is damaged"))).toHaveLength(3);
  });
});

// A database that was moved from SQLite may bring some.
it("on PostgreSQL, where no reports wait, those of a journal are written at the start", async () => {
  const { app, agent, id, reportMinutes, rowsOf } = await setUp();
  await reportMinutes(2);
  await writeReports(app);
  const { reportedAt, sampledAt, ...state } = await readServerState(app, id);
  const at = START + 2 * MINUTE;
  const facts = { hostname: "db-1", ipAddresses: ["10.0.0.5"], os: "Debian", version: "6.1.0" };
  const [sample] = await storedSamples(app, id);
  const report = {
    agentId: id,
    state: { ...state, keyHash: hashSecret(agent.key), facts, reportedAt: at, sampledAt: at },
    samples: [sample!, { ...sample!, at }],
  };
  expect(Math.max(reportedAt ?? 0, sampledAt ?? 0)).toBeLessThan(at);
  const data = Bun.deflateSync(new TextEncoder().encode(JSON.stringify([report])));
  await app.db.insert(reportJournal).values({ id: 1, data });
  await replayJournal(app.deps);
  const isWritten = processDialect === "postgres";
  expect(await rowsOf()).toEqual({ journal: isWritten ? 0 : 1, reportedAt: [isWritten ? at : START + MINUTE] });
  expect((await storedSamples(app, id)).map((one) => one.at)).toEqual(times(3));
});
