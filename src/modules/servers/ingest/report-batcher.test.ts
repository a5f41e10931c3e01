import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../core/config";
import { hashSecret } from "../../../core/secrets";
import { agentStates, samplePacks } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import type { Sample } from "../../../shared/agents/report";
import { createTestApp } from "../../../testing/app";
import { createHeldClock, START } from "../../../testing/clock";
import { countWrites, failAfter } from "../../../testing/db/writes";
import { countSamples, enrollAgent, reportOf, sampleAt, writeReports } from "../../../testing/fixtures/agents";
import { ingest } from "./ingest";
import { createReportBatcher } from "./report-batcher";

const SECOND = 1000;

const setUp = async (count: number) => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agents = [];
  for (let index = 0; index < count; index++) agents.push(await enrollAgent(app, bob, { hostname: `host-${index}` }));
  return { app, bob, agents };
};

type Enrolled = { id: number; key: string };
const reporting = ({ id, key }: Enrolled, userId: number) => ({ id, userId, keyHash: hashSecret(key) });

it("writes reports that arrive together in one transaction, and answers each on its own", async () => {
  const { app, agents } = await setUp(20);
  const writes = countWrites(app.db);
  const answers = await Promise.all([
    ...agents.map(({ report }, index) =>
      report(
        Array.from({ length: index + 1 }, (_, nth) => sampleAt(START - nth * SECOND)),
        { hostname: `new-${index}` },
      ),
    ),
    app.anybody.post("/api/agents/report", reportOf([sampleAt(START)]), { authorization: "Bearer wka_nobody" }),
  ]);
  expect(writes.count).toBeLessThan(5);
  expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(200), 401]);
  expect(answers.slice(0, 20).map(({ body }) => body.accepted)).toEqual(agents.map((_, index) => index + 1));
  for (const [index, { id }] of agents.entries()) {
    expect((await countSamples(app, id)).samples).toBe(index + 1);
    const { text } = await app.anybody.get(`/api/agents/${id}`);
    expect(text).toInclude("unauthorized");
  }
});

it("limits the samples of one transaction", async () => {
  const { app, agents } = await setUp(6);
  const writes = countWrites(app.db);
  const taken = Array.from({ length: 1000 }, (_, index) => sampleAt(START - index * SECOND));
  const answers = await Promise.all(agents.map(({ report }) => report(taken, { interval: 1 })));
  expect(answers.map(({ body }) => body.accepted)).toEqual(Array(6).fill(1000));
  expect(writes.count).toBeWithin(3, 7);
});

it("the batcher keeps the order of one agent's reports, and answers another agent's report before the second of them", async () => {
  const { app, agents } = await setUp(2);
  const [first, second] = agents;
  const batcher = createReportBatcher(app.deps, () => {});
  const order: string[] = [];
  // Submitted in one iteration of the event loop, so that the first batch has a report of each agent.
  const submit = (agent: Enrolled | undefined, name: string, taken: Sample) =>
    batcher.submit(reporting(agent!, 2), reportOf([taken])).then(() => order.push(name));
  await Promise.all([
    ...[1, 2, 3, 4].map((nth) => submit(first, `first ${nth}`, sampleAt(START + nth * SECOND, { cpu: nth }))),
    submit(second, "second", sampleAt(START)),
  ]);
  expect(order).toEqual(["first 1", "second", "first 2", "first 3", "first 4"]);
  await writeReports(app);
  expect((await app.db.select().from(agentStates)).map(({ cpu }) => cpu).toSorted()).toEqual([12.5, 4]);
});

it("the batcher refuses further reports of an agent that sends too many, and of no other agent", async () => {
  const { app, agents } = await setUp(2);
  const [flooding, other] = agents;
  const floods = Array.from({ length: 12 }, (_, nth) => flooding?.report([sampleAt(START + nth * SECOND)]));
  const [quiet, ...answers] = await Promise.all([other?.report([sampleAt(START)]), ...floods]);
  expect(quiet?.status).toBe(200);
  const refused = answers.filter((answer) => answer?.status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expect(answer?.body.code).toBe("unavailable");
  expect((await countSamples(app, flooding?.id ?? 0)).samples).toBe(12 - refused.length);
});

describe("while the database can't be written", () => {
  it("every report of the batch is answered 503 without any of it stored, and can be sent again", async () => {
    const { app, agents } = await setUp(5);
    const mend = failAfter(app.db, Number.POSITIVE_INFINITY);
    const send = () => Promise.all(agents.map(({ report }) => report([sampleAt(START)])));
    for (const { status, body, text } of await send()) {
      expect([status, body.code]).toEqual([503, "unavailable"]);
      expect(text).not.toInclude("no_such_table");
    }
    expect(await app.db.$count(samplePacks)).toBe(0);
    await writeReports(app);
    expect((await app.db.select().from(agentStates)).map(({ status }) => status)).toEqual(Array(5).fill("connecting"));
    expect(app.logged.filter((line) => line.includes("reports could not be stored"))).not.toEqual([]);
    expect(app.logged.join("")).not.toInclude("wka_");
    mend();
    for (const { status } of await send()) expect(status).toBe(200);
    expect(await app.db.$count(samplePacks)).toBe(5);
  });
});

// PostgreSQL has no journal, so its reports do not wait.
it.if(processDialect === "sqlite")(
  "the waiting samples of one user take a quarter of the queue, and another user's report is stored",
  async () => {
    const app = await createTestApp({ clock: createHeldClock() });
    const { bob, charlie } = await app.people();
    const [first, second, other] = [
      await enrollAgent(app, bob, { hostname: "one" }),
      await enrollAgent(app, bob, { hostname: "two" }),
      await enrollAgent(app, charlie),
    ];
    const batcher = createReportBatcher(app.deps, () => {});
    const samples = Array.from({ length: 12_500 }, (_, nth) => sampleAt(START - nth * SECOND));
    const waiting = [first, first].map((agent) => batcher.submit(reporting(agent, bob.id), reportOf(samples)));
    for (const agent of [first, second]) {
      const submit = () => batcher.submit(reporting(agent, bob.id), reportOf([sampleAt(START)]));
      expect(submit).toThrow("Too many attempts. Try again in 5 seconds.");
    }
    waiting.push(batcher.submit(reporting(other, charlie.id), reportOf([sampleAt(START)])));
    expect(waiting).toHaveLength(3);
  },
);

it("a report that waited for others counts from when it arrived", async () => {
  const { app, bob, agents } = await setUp(1);
  const [agent] = agents;
  if (!agent) throw new Error("no agent");
  await agent.report([sampleAt(START)]);
  const report = reportOf([sampleAt(START + 57 * SECOND)]);
  await ingest(
    app.deps,
    [{ keyHash: hashSecret(agent.key), report, receivedAt: START + 57 * SECOND }],
    START + 60 * SECOND,
  );
  const { body } = await app.as(bob).get(`/api/agents/${agent.id}`);
  expect(body.agent.updated_at).toBe(isoTime(START + 57 * SECOND));
});
