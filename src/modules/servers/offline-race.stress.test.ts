import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { events } from "../../db/schema";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { enrollAgent, readAgentState, reportOf, sampleAt, sendReport } from "../../testing/fixtures/agents";
import { markOfflineAgents } from "./ingest/offline";

const [SECOND, HOUR] = [1000, 3_600_000];

/** Two instances on one database, and an agent of bob's. */
const setUp = async () => {
  const first = await createTestApp();
  const second = await createTestApp({ db: first.db, clock: first.clock });
  const { bob } = await first.people();
  const agents = [];
  for (const name of ["a", "b", "c", "d", "e", "f"]) agents.push(await enrollAgent(first, bob, { name }));
  const kindsOf = async (agentId: number) =>
    (await first.db.select().from(events).where(eq(events.targetId, agentId))).map(({ kind }) => kind);
  return { first, second, bob, agents, kindsOf };
};

it("an agent that reports while it is marked offline is either offline and back online, or neither", async () => {
  const { first, second, agents, kindsOf } = await setUp();
  for (let round = 0; round < 12; round++) {
    const now = START + round * HOUR;
    first.clock.set(now);
    for (const { report } of agents) await report([sampleAt(now)]);
    first.clock.set(now + HOUR - 1);
    await Promise.all([
      ...agents.map(({ key }) => sendReport(second, key, reportOf([sampleAt(now + SECOND)]))),
      Bun.sleep(round).then(() => markOfflineAgents(first.deps)),
    ]);
    for (const { id } of agents) {
      const kinds = await kindsOf(id);
      const count = (kind: string) => kinds.filter((found) => found === kind).length;
      const { status } = await readAgentState(first, id);
      expect(count("offline") - count("online")).toBe(status === "inactive" ? 1 : 0);
    }
  }
});
