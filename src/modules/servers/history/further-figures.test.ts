import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { agents } from "../../../db/schema";
import type { Sample } from "../../../shared/agents/report";
import { SERIES_NAME_LENGTH } from "../../../shared/agents/series";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, rollUpSamples, sampleAt, storedSamples } from "../../../testing/fixtures/agents";
import { wideSampleAt } from "../../../testing/fixtures/wide-reports";
import { MOST_SERIES } from "./further";
import { addFurtherFigures, furtherFigures } from "./further-figures";

const [TEN_SECONDS, MINUTE] = [10_000, 60_000];

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  return { app, bob, agent, id: agent.id };
};

const namesOf = async ({ db }: TestApp, id: number) => {
  const [row] = await db.select({ series: agents.series }).from(agents).where(eq(agents.id, id));
  return row?.series ?? null;
};

/** The stored further figures of an agent by their names, oldest first. */
const storedFigures = async (app: TestApp, id: number) => {
  const names = await namesOf(app, id);
  return (await storedSamples(app, id)).map(({ further = [] }) =>
    Object.fromEntries(further.map(([number, hundredths]) => [names?.[number], hundredths / 100])),
  );
};

describe("the further figures of a sample", () => {
  it("are named by their kind and by what they are about", () => {
    expect(Object.fromEntries(furtherFigures(wideSampleAt(START)))).toEqual({
      swap: 25,
      load: 0.5,
      iowait: 1,
      steal: 0.5,
      "disk:/": 25,
      "disk:/home": (40 / 60) * 100,
      "rx:eth0": 7,
      "tx:eth0": 1.5,
      "rx:eth1": 1,
      "tx:eth1": 0.5,
      "temp:coretemp/Package id 0": 47.5,
      "temp:nvme/Composite": 39,
      "inodes:/": 10,
      "read:sda": 100,
      "write:sda": 250.5,
      "busy:sda": 12,
      "latency:sda": 1.5,
      "read:sdb": 0,
      "write:sdb": 0,
      "busy:sdb": 0,
    });
    expect(furtherFigures(sampleAt(START))).toEqual([]);
  });

  it("are absent where they are unknown, below zero, or of a name that is too long", () => {
    const odd: Partial<Sample> = {
      swap: { total: 0, used: 0 },
      disks: [
        { mount: "/", total: 0, used: 0 },
        { mount: `/${"x".repeat(SERIES_NAME_LENGTH)}`, total: 10, used: 1 },
      ],
      temperatures: [{ sensor: "outside", celsius: -3 }],
    };
    expect(furtherFigures(sampleAt(START, odd))).toEqual([]);
  });
});

describe("series", () => {
  it("keep their numbers when more are added, and samples without further figures add none", async () => {
    const { app, agent, id } = await setUp();
    await agent.report([sampleAt(START)]);
    expect(await namesOf(app, id)).toBeNull();
    await agent.report([sampleAt(START + TEN_SECONDS, { load: [1.5, 1, 1] })]);
    await agent.report([sampleAt(START + 2 * TEN_SECONDS, { swap: { total: 4, used: 1 }, load: [2, 1, 1] })]);
    await rollUpSamples(app, "now");
    await agent.report([sampleAt(START + 3 * TEN_SECONDS, { swap: { total: 4, used: 2 } })]);
    expect(await namesOf(app, id)).toEqual(["load", "swap"]);
    expect(await storedFigures(app, id)).toEqual([{}, { load: 1.5 }, { load: 2, swap: 25 }, { swap: 50 }]);
  });

  it("of one name in one sample are the first of them, and a very large figure is limited", async () => {
    const { app, agent, id } = await setUp();
    const interfaces = [1, 2].map((rx) => ({ name: "eth0", rx, tx: 2 ** 60 }));
    for (const at of [START, START + TEN_SECONDS]) {
      expect((await agent.report([sampleAt(at, { interfaces, network: { rx: 2 ** 60, tx: 2 ** 60 } })])).status).toBe(
        200,
      );
      await rollUpSamples(app, "now");
    }
    const [first] = await storedFigures(app, id);
    expect(first).toMatchObject({ "rx:eth0": 1 });
    expect(first?.["tx:eth0"]).toBeGreaterThan(2e10);
    expect(await storedSamples(app, id)).toHaveLength(2);
  });

  it("are at most 200 of an agent: others have no history, and cost no more writes", async () => {
    const { app, agent, id } = await setUp();
    const interfaces = (round: number) =>
      Array.from({ length: 32 }, (_, index) => ({ name: `veth-${round}-${index}`, rx: 1, tx: 1 }));
    for (let round = 0; round < 4; round++)
      await agent.report([sampleAt(START + round * TEN_SECONDS, { interfaces: interfaces(round) })]);
    const names = await namesOf(app, id);
    expect(names).toHaveLength(MOST_SERIES);
    expect(new Set(names).size).toBe(MOST_SERIES);
    expect(Object.keys((await storedFigures(app, id)).at(-1) ?? {})).toHaveLength(8);
    const changes = app.db.version(agents);
    await agent.report([sampleAt(START + MINUTE, { interfaces: interfaces(9), load: [1, 1, 1] })]);
    expect((await storedFigures(app, id)).at(-1)).toEqual({});
    expect(app.db.version(agents)).toBe(changes);
  });

  it("have at most one figure in ten seconds, of the first sample that is stored in them", async () => {
    const { app, agent, id } = await setUp();
    const at = (second: number) => sampleAt(START + second * 1000, { load: [second, 1, 1] });
    await agent.report([at(10), at(3), at(2), at(29)]);
    await agent.report([at(11), at(20), at(9), at(35)]);
    await rollUpSamples(app, "now");
    await agent.report([at(30), at(41), at(2)]);
    const loads = (await storedFigures(app, id)).map(({ load }) => load ?? null);
    expect(loads).toEqual([2, null, null, 10, null, null, 29, null, 35, 41]);
  });

  it("are not added by samples that are not stored", async () => {
    const { app, agent, id } = await setUp();
    const load: [number, number, number] = [1, 1, 1];
    const sent_at = new Date(START).toISOString();
    for (const at of [START + 6 * MINUTE, START - 49 * 60 * MINUTE])
      expect((await agent.report([sampleAt(at, { load })], { sent_at })).body.accepted).toBe(0);
    expect(await namesOf(app, id)).toBeNull();
  });

  it("that two instances add at the same time have one number each", async () => {
    const { app, id } = await setUp();
    const take = (more: Partial<Sample>) => {
      const sent = sampleAt(START, more);
      const sample = { at: START, cpu: 1, memory: 1, disk: 1, rx: 1, tx: 1, sent };
      return addFurtherFigures(app.deps, [{ agentId: id, series: null, samples: [sample] }]);
    };
    const disks = [{ mount: "/", total: 10, used: 1 }];
    const swap = { total: 10, used: 2 };
    const taken = await Promise.all([
      take({ swap, disks }),
      take({ load: [3, 1, 1], disks }),
      take({ temperatures: [{ sensor: "cpu", celsius: 40 }] }),
    ]);
    const names = await namesOf(app, id);
    expect(names?.toSorted()).toEqual(["disk:/", "load", "swap", "temp:cpu"]);
    const figures = taken.map(([samples]) =>
      Object.fromEntries(
        (samples?.[0]?.further ?? []).map(([number, hundredths]) => [names?.[number], hundredths / 100]),
      ),
    );
    expect(figures).toEqual([{ swap: 20, "disk:/": 10 }, { load: 3, "disk:/": 10 }, { "temp:cpu": 40 }]);
  });

  it("of an agent that was deleted in between are left out", async () => {
    const { app } = await setUp();
    const sample = { at: START, cpu: 1, memory: 1, disk: 1, rx: 1, tx: 1, sent: sampleAt(START, { load: [1, 1, 1] }) };
    const [[stored] = []] = await addFurtherFigures(app.deps, [{ agentId: 999, series: null, samples: [sample] }]);
    expect(stored).toEqual({ at: START, cpu: 1, memory: 1, disk: 1, rx: 1, tx: 1 });
  });
});
