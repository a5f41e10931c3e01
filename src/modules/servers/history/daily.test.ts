import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { readSetting } from "../../../db/app-settings";
import { appSettings, sampleDays, sampleHours } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, rollUpSamples, sampleAt } from "../../../testing/fixtures/agents";
import { deleteExpiredSamples, sumDays } from "./retention";

const [HOUR, DAY] = [3_600_000, 86_400_000];
const TODAY = Math.floor(START / DAY);

/** An agent that reported three times a day over the past `days` days. */
const setUp = async (days: number) => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const other = await enrollAgent(app, bob, { machine_id: "machine-2" });
  for (let day = TODAY - days; day <= TODAY; day++)
    for (const hour of [1, 9, 17]) {
      const at = day * DAY + hour * HOUR;
      if (at > START) continue;
      app.clock.set(at);
      const cpu = hour === 9 && day % 3 === 0 ? null : (day % 7) * 10 + hour;
      await agent.report([sampleAt(at, { cpu }), sampleAt(at + 1000, { cpu: 5, network: null })]);
      if (day % 2 === 0) await other.report([sampleAt(at)]);
    }
  app.clock.set(START);
  const chart = async (id = agent.id) => (await app.as(bob).get(`/api/agents/${id}/metrics?range=1y`)).body.points;
  const summed = async (id = agent.id) =>
    (await app.db.select().from(sampleDays).where(eq(sampleDays.agentId, id)).orderBy(sampleDays.bucket)).map(
      ({ bucket }) => bucket - TODAY,
    );
  const sum = async () => {
    let rounds = 0;
    await rollUpSamples(app);
    while (await sumDays(app.deps)) rounds++;
    return rounds;
  };
  return { app, bob, agent, other, chart, summed, sum };
};

describe("daily sums", () => {
  it("are written once no more samples are accepted for the day, and the chart stays the same", async () => {
    const { other, chart, summed, sum } = await setUp(8);
    const before = [await chart(), await chart(other.id)];
    expect(before[0]).toHaveLength(9);
    await sum();
    expect(await summed()).toEqual([-8, -7, -6, -5, -4, -3]);
    expect([await chart(), await chart(other.id)]).toEqual(before);
  });

  it("replace the hourly sums, which may be purged", async () => {
    const { app, chart, sum } = await setUp(8);
    const before = await chart();
    await sum();
    await app.db.delete(sampleHours).where(eq(sampleHours.bucket, ((TODAY - 5) * DAY + 9 * HOUR) / HOUR));
    expect(await chart()).toEqual(before);
  });

  it("include late samples for as long as these are accepted", async () => {
    const { app, agent, chart, summed, sum } = await setUp(4);
    await sum();
    const late = START - 47 * HOUR;
    expect((await agent.report([sampleAt(late, { cpu: 100 })])).body.accepted).toBe(1);
    app.clock.set(START + 2 * DAY);
    await sum();
    expect((await summed()).at(-1)).toBe(-1);
    const day = Math.floor(late / DAY) * DAY;
    expect((await chart()).find(({ t }) => t === day)?.cpu_max).toBe(100);
  });

  it("are the same when they are summed again, and by two instances at the same time", async () => {
    const { app, chart, sum } = await setUp(8);
    const before = await chart();
    await Promise.all([sum(), sum()]);
    const stored = () => app.db.select().from(sampleDays).orderBy(sampleDays.agentId, sampleDays.bucket);
    const once = await stored();
    await app.deps.db.atomically((tx) => [tx.delete(appSettings).where(eq(appSettings.key, "days_summed"))]);
    await sum();
    expect(await stored()).toEqual(once);
    expect(await chart()).toEqual(before);
  });

  it("are summed again after a clock that was ahead was corrected", async () => {
    const { app, agent, chart, summed, sum } = await setUp(4);
    app.clock.set(START + 90 * DAY);
    await agent.report([sampleAt(START + 90 * DAY)]);
    await sum();
    app.clock.set(START + HOUR);
    await sum();
    await agent.report([sampleAt(START + HOUR, { cpu: 77 })]);
    expect((await chart()).at(-1)?.cpu_max).toBe(77);
    app.clock.set(START + 5 * DAY);
    await sum();
    expect(await summed()).toContain(0);
    expect((await chart()).at(-1)?.cpu_max).toBe(77);
  });

  it("are deleted with their server, and after a year", async () => {
    const { app, bob, agent, other, summed, sum } = await setUp(5);
    await sum();
    await app.as(bob).delete(`/api/agents/${agent.id}`);
    expect(await summed()).toEqual([]);
    expect(await summed(other.id)).not.toEqual([]);
    app.clock.set(START + 370 * DAY);
    while (await deleteExpiredSamples(app.deps));
    expect(await summed(other.id)).toEqual([]);
    expect(await readSetting(app.deps.db, "days_summed")).toBeDefined();
  });
});
