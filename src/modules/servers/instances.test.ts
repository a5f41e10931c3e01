import { expect, it } from "bun:test";
import { START } from "../../testing/clock";
import { createTwoInstances, readServerState, reportOf, sampleAt, sendReport } from "../../testing/fixtures/agents";
import { markOfflineServers } from "./ingest/offline";

const [SECOND, HOUR] = [1000, 3_600_000];

it("an agent that reports to two instances at the same time causes one online event", async () => {
  const { first, second, agents, kindsOf } = await createTwoInstances();
  for (const { report } of agents) await report([sampleAt(START)]);
  first.clock.set(START + HOUR);
  await markOfflineServers(first.deps);
  const report = (nth: number) => reportOf([sampleAt(START + HOUR + nth * SECOND)]);
  const answers = await Promise.all(
    agents.flatMap(({ key }) => [sendReport(first, key, report(0)), sendReport(second, key, report(1))]),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  for (const { id } of agents) {
    expect((await kindsOf(id)).toSorted()).toEqual(["offline", "online"]);
    expect((await readServerState(first, id)).status).toBe("active");
  }
});

it("an agent that two instances find offline causes one event", async () => {
  const { first, second, agents, kindsOf } = await createTwoInstances();
  for (const { report } of agents) await report([sampleAt(START)]);
  first.clock.set(START + HOUR);
  await Promise.all([first, second, first, second].map(({ deps }) => markOfflineServers(deps)));
  for (const { id } of agents) expect(await kindsOf(id)).toEqual(["offline"]);
});
