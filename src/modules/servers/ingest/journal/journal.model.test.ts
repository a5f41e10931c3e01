import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../../core/config";
import { hashSecret } from "../../../../core/secrets";
import { reportJournal, sampleHours } from "../../../../db/schema";
import { createTestApp, type TestApp } from "../../../../testing/app";
import {
  enrollAgent,
  readServerState,
  reportOf,
  restartAfterKill,
  rollUpSamples,
  sampleAt,
  storedSamples,
  writeReports,
} from "../../../../testing/fixtures/agents";
import type { TestUser } from "../../../../testing/fixtures/people";
import { createRandom, type Random, seeds } from "../../../../testing/random";
import { ingest } from "../ingest";
import { extendDeadlines } from "../offline";
import { writeBeforeEnd, writeOverduePending, writePendingOf } from "./journal";
import { pendingOf } from "./pending";

const [SECOND, MINUTE] = [1000, 60_000];

/** A server that reports samples of the last minutes in any order, and what is expected of it. */
const createServer = async (app: TestApp, bob: TestUser, random: Random, machine_id: string) => {
  let agent = await enrollAgent(app, bob, { machine_id });
  const samples = new Map<number, { at: number; cpu: number }>();
  const latest = { cpu: 0, sampledAt: 0, received: 0 };
  let [counter, hasCounted] = [0, false];

  const report = async () => {
    const now = app.clock.now();
    const ages = Array.from({ length: random.below(3) }, () => random.below(10 * MINUTE));
    const taken = [...ages, ...(random.oneIn(4) ? [] : [0])].map((age) => ({
      at: now - age,
      cpu: random.below(1000) / 10,
    }));
    if (taken.length === 0) return;
    for (const sample of taken) {
      const second = Math.floor(sample.at / SECOND);
      if (!samples.has(second)) samples.set(second, sample);
    }
    const newest = taken.reduce((one, other) => (other.at >= one.at ? other : one));
    if (newest.at >= latest.sampledAt) Object.assign(latest, { cpu: newest.cpu, sampledAt: newest.at });
    const isCounted = taken.at(-1)?.at === now;
    const more = isCounted ? random.below(5000) : 0;
    counter += more;
    if (hasCounted) latest.received += more;
    hasCounted ||= isCounted;
    const traffic = { boot: "one", interfaces: { eth0: [counter, 0] as [number, number] } };
    const sent = taken.map(({ at, cpu }) => sampleAt(at, { cpu, load: [cpu, 0, 0], ...(at === now && { traffic }) }));
    const wanted = reportOf(sent, { interval: random.oneIn(10) ? 30 : 60 });
    await ingest(app.deps, [{ keyHash: hashSecret(agent.key), report: wanted }], now);
  };

  const expectEqual = async () => {
    const stored = await storedSamples(app, agent.id);
    expect(stored.map(({ at, cpu }) => [at, cpu])).toEqual(
      [...samples.values()].toSorted((one, other) => one.at - other.at).map(({ at, cpu }) => [at, cpu]),
    );
    if (samples.size === 0) return;
    const { cpu, sampledAt, extra, traffic } = await readServerState(app, agent.id);
    const received = Object.values(traffic?.days ?? {}).reduce((sum, [rx]) => sum + rx, 0);
    expect({ cpu, sampledAt, received, load: extra?.load?.[0] }).toEqual({ ...latest, load: latest.cpu });
  };

  const enrollAgain = async () => {
    agent = await enrollAgent(app, bob, { machine_id });
  };
  return { id: agent.id, samples, report, expectEqual, enrollAgain };
};

/** Fails all transactions after this many. */
const failAfter = async (app: TestApp, count: number, work: () => Promise<void>) => {
  const { atomically } = app.db;
  let left = count;
  app.db.atomically = (build) => (left-- > 0 ? atomically(build) : Promise.reject(new Error("the disk is full")));
  await work().catch(() => {});
  app.db.atomically = atomically;
};

const run = async (seed: number) => {
  const app = await createTestApp();
  const random = createRandom(seed);
  const { bob } = await app.people();
  const servers = await Promise.all(["one", "two", "three"].map((name) => createServer(app, bob, random, name)));
  const pending = pendingOf(app.db);
  const anyServer = () => random.pick(servers);
  const rare: (() => Promise<unknown>)[] = [
    () => restartAfterKill(app),
    // A write to states and packs that a kill cuts off before the rows of the journal are deleted.
    () => pending.exclusively(() => writePendingOf(app.deps, pending, [anyServer().id])),
    () => failAfter(app, random.below(2), () => writeReports(app)),
    () => writeReports(app),
    () =>
      Promise.all([writeReports(app), ...servers.map(({ report }) => report()), writeReports(app)]).then(() =>
        restartAfterKill(app),
      ),
    () => Promise.all([writeBeforeEnd(app.deps, SECOND), anyServer().report()]),
    () => writeOverduePending(app.deps),
    () => writeBeforeEnd(app.deps, random.below(2) * SECOND).then(() => restartAfterKill(app)),
    () => rollUpSamples(app),
    () => extendDeadlines(app.deps),
    () => anyServer().enrollAgain(),
  ];
  for (let step = 0; step < 120; step++) {
    app.clock.set(app.clock.now() + (1 + random.below(60)) * SECOND);
    await (random.oneIn(3) ? random.pick(rare)() : anyServer().report());
    for (const server of servers) await server.expectEqual();
  }
  await restartAfterKill(app);
  await rollUpSamples(app, "now");
  for (const server of servers) await server.expectEqual();
  expect(await app.db.$count(reportJournal)).toBe(0);
  const sums = await app.db.select().from(sampleHours);
  const counted = sums.reduce((sum, { memoryCount }) => sum + memoryCount, 0);
  expect(counted).toBe(servers.reduce((sum, { samples }) => sum + samples.size, 0));
};

describe.if(processDialect === "sqlite")("reports in the journal", () => {
  for (const seed of seeds(3))
    it(`are neither lost nor counted twice by kills, failures and writes in any order, seed ${seed}`, () => run(seed));
});
