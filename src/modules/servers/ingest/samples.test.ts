import { describe, expect, it } from "bun:test";
import type { Sample } from "../../../shared/agents/report";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import {
  countSamples,
  enrollAgent,
  readServerState,
  rollUpSamples,
  sampleAt,
  storedSamples,
} from "../../../testing/fixtures/agents";
import { readHours, readTens } from "../history/read";
import type { StoredSample } from "../history/samples";
import { sumOf } from "../history/sums";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** The sums of the hours of START. */
const hoursOf = async (app: TestApp, agentId: number) =>
  (await readHours(app.deps, { agentId, since: START - HOUR, until: START })).map(({ sums }) => sums);

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const figures = async () => {
    const { cpu, sampledAt, reportedAt } = await readServerState(app, agent.id);
    return { cpu, sampledAt, reportedAt };
  };
  return { app, bob, agent, id: agent.id, figures };
};

/** Checks that the sums of ten minutes and hours, before and after the move to blocks, equal the sums of all samples. */
const expectExactSums = async (app: TestApp, agentId: number) => {
  const spans = (samples: StoredSample[], length: number) =>
    [...Map.groupBy(samples, ({ at }) => Math.floor(at / length) * length)].map(([at, found]) => ({
      at,
      sums: sumOf(found),
    }));
  const samples = await storedSamples(app, agentId);
  const part = { agentId, since: START - DAY, until: START + DAY };
  const expectStored = async () => {
    expect(await storedSamples(app, agentId)).toEqual(samples);
    expect(await readTens(app.deps, part)).toEqual(spans(samples, 10 * MINUTE));
    expect(await readHours(app.deps, part)).toEqual(spans(samples, HOUR));
  };
  await expectStored();
  await rollUpSamples(app, "now");
  await expectStored();
};

/** Figures whose floating-point sums are exact in any order. */
const figuresOf = (index: number): Partial<Sample> => ({
  cpu: index % 5 === 0 ? null : (index % 200) / 2,
  network: index % 7 === 0 ? null : { rx: index % 64, tx: (index % 32) / 4 },
  memory: index % 11 === 0 ? { total: 0, used: 0 } : { total: 1024, used: index % 1024 },
  disk: { total: 512, used: index % 512 },
});

describe("sums", () => {
  it("are exact over hours, and include known figures only", async () => {
    const { app, agent, id } = await setUp();
    const taken = Array.from({ length: 900 }, (_, index) => sampleAt(START - index * 13 * SECOND, figuresOf(index)));
    for (let start = 0; start < taken.length; start += 225)
      await agent.report(taken.slice(start, start + 225).toReversed(), { interval: 13 });
    expect((await countSamples(app, id)).samples).toBe(900);
    await expectExactSums(app, id);
  });

  it("do not count unknown figures as 0", async () => {
    const { app, agent, id } = await setUp();
    await agent.report([
      sampleAt(START, { cpu: null, network: null }),
      sampleAt(START + SECOND, { cpu: 80, network: { rx: 10, tx: 4 } }),
      sampleAt(START + 2 * SECOND, { cpu: 0, network: { rx: 0, tx: 0 } }),
    ]);
    const [hour] = await hoursOf(app, id);
    expect(hour).toMatchObject({ cpuCount: 2, cpuTotal: 80, cpuMax: 80, networkCount: 2, rxTotal: 10, txTotal: 4 });
    expect(
      (await storedSamples(app, id)).filter(({ cpu, rx, tx }) => cpu === null && rx === null && tx === null),
    ).toHaveLength(1);
    await expectExactSums(app, id);
  });

  it("keep the highest CPU usage, whichever report has it", async () => {
    const { app, agent, id } = await setUp();
    const highest = async () => (await hoursOf(app, id))[0]?.cpuMax ?? null;
    const steps: [Sample["cpu"], number | null][] = [
      [null, null],
      [20, 20],
      [90.5, 90.5],
      [null, 90.5],
      [3, 90.5],
      [100, 100],
    ];
    for (const [index, [cpu, max]] of steps.entries()) {
      await agent.report([sampleAt(START + index * SECOND, { cpu })]);
      expect(await highest()).toBe(max);
    }
    await expectExactSums(app, id);
  });

  it("are shares of the total, at most 100 percent", async () => {
    const { app, agent, id } = await setUp();
    await agent.report([sampleAt(START, { memory: { total: 100, used: 250 }, disk: { total: 8, used: 1 } })]);
    expect(await storedSamples(app, id)).toMatchObject([{ memory: 100, disk: 12.5 }]);
  });

  it("of one agent exclude those of another that reports at the same time", async () => {
    const { app, bob, agent, id } = await setUp();
    const other = await enrollAgent(app, bob);
    await Promise.all([
      agent.report([sampleAt(START, { cpu: 10 })]),
      other.report([sampleAt(START, { cpu: 70 }), sampleAt(START + SECOND, { cpu: 90 })]),
    ]);
    const cpu = async (agentId: number) => (await hoursOf(app, agentId)).map(({ cpuTotal }) => cpuTotal);
    expect([await cpu(id), await cpu(other.id)]).toEqual([[10], [160]]);
    for (const agentId of [id, other.id]) await expectExactSums(app, agentId);
  });
});

describe("one sample is stored for each second,", () => {
  it("of several in one report", async () => {
    const { app, agent, id } = await setUp();
    const taken = Array.from({ length: 1000 }, (_, index) => sampleAt(START + index * 4, { cpu: index / 10 }));
    const { body } = await agent.report(taken);
    expect(body.accepted).toBe(4);
    expect((await storedSamples(app, id)).map(({ at }) => at - START)).toEqual([0, 1000, 2000, 3000]);
    expect((await countSamples(app, id)).samples).toBe(4);
    await expectExactSums(app, id);
  });

  it("of several in consecutive reports", async () => {
    const { app, agent, id } = await setUp();
    const accepted: number[] = [];
    for (const at of [500, 501, 999, 0, 1000, 500, 1999])
      accepted.push((await agent.report([sampleAt(START + at, { cpu: at / 100 })])).body.accepted);
    // The sample at 500 ms is stored, also when it is sent again.
    expect(accepted).toEqual([1, 0, 0, 0, 1, 1, 0]);
    expect((await countSamples(app, id)).samples).toBe(2);
    await expectExactSums(app, id);
  });

  it("and one of another agent in the same second", async () => {
    const { app, bob, agent } = await setUp();
    const other = await enrollAgent(app, bob, { machine_id: "machine-2" });
    const answers = await Promise.all([agent.report([sampleAt(START)]), other.report([sampleAt(START + 1)])]);
    expect(answers.map(({ body }) => body.accepted)).toEqual([1, 1]);
  });
});

describe("a sample that is sent twice", () => {
  it("in one report is stored once", async () => {
    const { app, agent, id } = await setUp();
    const { body } = await agent.report([
      sampleAt(START, { cpu: 1 }),
      sampleAt(START, { cpu: 2 }),
      sampleAt(START + SECOND),
    ]);
    expect(body.accepted).toBe(2);
    expect(await countSamples(app, id)).toEqual({ samples: 2, tens: 1, hours: 1 });
    await expectExactSums(app, id);
  });

  it("in a later report is stored once, with the new ones of that report", async () => {
    const { app, agent, id } = await setUp();
    const taken = Array.from({ length: 30 }, (_, index) => sampleAt(START - index * MINUTE, figuresOf(index)));
    await agent.report(taken.slice(0, 20));
    await agent.report(taken);
    await agent.report(taken.toReversed());
    expect((await countSamples(app, id)).samples).toBe(30);
    await expectExactSums(app, id);
  });

  it("in concurrent reports is stored once", async () => {
    const { app, agent, id } = await setUp();
    const taken = Array.from({ length: 50 }, (_, index) => sampleAt(START - index * MINUTE, figuresOf(index)));
    const answers = await Promise.all([0, 10, 20, 0].map((start) => agent.report(taken.slice(start, start + 30))));
    expect(answers.map(({ body }) => body.accepted)).toEqual([30, 30, 30, 30]);
    expect((await countSamples(app, id)).samples).toBe(50);
    await expectExactSums(app, id);
  });

  it("to two instances on one database is stored once", async () => {
    const { app, bob } = await setUp();
    const second = await createTestApp({ db: app.db, clock: app.clock });
    const agents = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => enrollAgent(app, bob, { name })));
    for (let round = 0; round < 5; round++) {
      const taken = [1, 2, 3].map((index) => sampleAt(START + (round * 3 + index) * SECOND, figuresOf(round + index)));
      const send = (to: TestApp, { key }: { key: string }) =>
        to.anybody.post("/api/agents/report", reportBody(taken, round), { authorization: `Bearer ${key}` });
      const answers = await Promise.all([
        ...agents.map((agent) => send(app, agent)),
        ...agents.toReversed().map((agent) => send(second, agent)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    }
    for (const { id } of agents) {
      expect((await countSamples(app, id)).samples).toBe(15);
      await expectExactSums(app, id);
    }
  });
});

const reportBody = (taken: Sample[], round: number) => ({
  hostname: `host-${round}`,
  ip_addresses: [`10.0.0.${round}`],
  os: "Debian",
  version: "12",
  interval: 1,
  samples: taken,
});

describe("the current figures", () => {
  it("are those of the newest sample of a report, at any position", async () => {
    const { agent, figures } = await setUp();
    await agent.report([
      sampleAt(START - MINUTE, { cpu: 1 }),
      sampleAt(START, { cpu: 3 }),
      sampleAt(START - 2 * MINUTE, { cpu: 2 }),
    ]);
    expect(await figures()).toEqual({ cpu: 3, sampledAt: START, reportedAt: START });
  });

  it("are not replaced by late samples, which are stored", async () => {
    const { app, agent, figures, id } = await setUp();
    await agent.report([sampleAt(START, { cpu: 50 })]);
    app.clock.set(START + MINUTE);
    const late = Array.from({ length: 20 }, (_, index) => sampleAt(START - (index + 1) * MINUTE, { cpu: index }));
    await agent.report(late, { interval: 300 });
    expect(await figures()).toEqual({ cpu: 50, sampledAt: START, reportedAt: START + MINUTE });
    expect((await readServerState(app, id)).interval).toBe(300);
    expect((await countSamples(app, id)).samples).toBe(21);
    await expectExactSums(app, id);
  });
});
