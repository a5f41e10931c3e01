import { expect, it } from "bun:test";
import { START } from "../../../testing/clock";
import { createTwoInstances, readServerState, reportOf, sampleAt, sendReport } from "../../../testing/fixtures/agents";
import { markOfflineServers } from "./offline";

const [SECOND, HOUR] = [1000, 3_600_000];

it("an agent that reports while it is marked offline is either offline and back online, or neither", async () => {
  const { first, second, agents, kindsOf } = await createTwoInstances();
  for (let round = 0; round < 12; round++) {
    const now = START + round * HOUR;
    first.clock.set(now);
    for (const { report } of agents) await report([sampleAt(now)]);
    first.clock.set(now + HOUR - 1);
    await Promise.all([
      ...agents.map(({ key }) => sendReport(second, key, reportOf([sampleAt(now + SECOND)]))),
      Bun.sleep(round).then(() => markOfflineServers(first.deps)),
    ]);
    for (const { id } of agents) {
      const kinds = await kindsOf(id);
      const count = (kind: string) => kinds.filter((found) => found === kind).length;
      const { status } = await readServerState(first, id);
      expect(count("offline") - count("online")).toBe(status === "inactive" ? 1 : 0);
    }
  }
});
