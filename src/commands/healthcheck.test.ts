import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { checkBlocks, monitorStates, reportJournal, sampleBlocks, samplePacks, sampleTens } from "../db/schema";
import { HOUR, MINUTE } from "../shared/limits";
import { createTestApp } from "../testing/app";
import { START } from "../testing/clock";
import { enrollAgent, rollUpSamples, sampleAt, writeReports } from "../testing/fixtures/agents";
import { addMonitor, record, recordOnly } from "../testing/fixtures/monitors";
import { run } from "./healthcheck";
import { readAllHistory } from "./stored-history";

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const monitor = await addMonitor(app, bob, { url: "https://shop.example/" });
  await record(app, monitor, [{ at: START - 2 * HOUR }]);
  await recordOnly(app, monitor, [{ at: START }]);
  const agent = await enrollAgent(app, bob);
  await agent.report([sampleAt(START - 2 * HOUR), sampleAt(START)]);
  await rollUpSamples(app);
  app.clock.set(START + MINUTE);
  await agent.report([sampleAt(START + MINUTE)]);
  const read = async () => {
    const places: string[] = [];
    const found = await readAllHistory(app.db, (place) => places.push(place));
    return { ...found, places };
  };
  return { app, monitor, agent: agent.id, read };
};

const HOUR_OF_BLOCKS = "hour 2026-01-15T10:00:00.000Z";

it("reads all history that is whole", async () => {
  const { app, read } = await setUp();
  const all = { read: app.db.engine === "sqlite" ? 7 : 6, damaged: 0, places: [] };
  expect(await read()).toEqual(all);
});

it("names the monitor or the agent and the hour of everything that is damaged", async () => {
  const { app, monitor, agent, read } = await setUp();
  await writeReports(app);
  const bytes = new Uint8Array([1, 0, 0]);
  await app.db.update(checkBlocks).set({ data: bytes });
  await app.db.update(monitorStates).set({ pack: bytes }).where(eq(monitorStates.monitorId, monitor));
  await app.db.update(sampleBlocks).set({ data: bytes });
  await app.db.update(sampleTens).set({ data: bytes });
  await app.db.update(samplePacks).set({ data: bytes });
  await app.db.insert(reportJournal).values({ id: 9, data: bytes });
  expect(await read()).toMatchObject({
    damaged: 6,
    places: [
      `monitor ${monitor}, ${HOUR_OF_BLOCKS}: checks`,
      `monitor ${monitor}: running checks`,
      `agent ${agent}, ${HOUR_OF_BLOCKS}: samples`,
      `agent ${agent}, ${HOUR_OF_BLOCKS}: ten-minute sums`,
      `agent ${agent}: running samples`,
      "journal 9: waiting reports",
    ],
  });
});

it("reads more than a page of rows, each once", async () => {
  const { app, read } = await setUp();
  const before = (await read()).read;
  const [block] = await app.db.select().from(sampleBlocks);
  const rows = Array.from({ length: 1100 }, (_, index) => ({
    ...block!,
    hour: 1000 + (index % 3),
    agentId: 10 + index,
  }));
  for (const part of [rows.slice(0, 600), rows.slice(600)]) await app.db.insert(sampleBlocks).values(part);
  expect(await read()).toMatchObject({ read: before + 1100, damaged: 0 });
});

it("refuses other arguments", () => {
  expect(() => run(["extra"])).toThrow('healthcheck takes no "extra"');
  expect(() => run(["--deep", "more"])).toThrow('healthcheck takes no "more"');
});
