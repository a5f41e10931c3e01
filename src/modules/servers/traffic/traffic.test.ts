import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../core/config";
import { hashSecret } from "../../../core/secrets";
import { agentStates, trafficDays } from "../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import {
  enrollAgent,
  readServerState,
  reportOf,
  restartAfterKill,
  sampleAt,
  writeReports,
} from "../../../testing/fixtures/agents";
import { ingest } from "../ingest/ingest";
import { dateOf } from "../plans/months";
import { moveTrafficDays } from "./days";

const setUp = async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  const agent = await enrollAgent(app, bob);
  let boot = 1;
  /** Reports counters of both directions at a time. */
  const report = async (at: number, rx: number, tx = 0) => {
    app.clock.set(at);
    const { status } = await agent.report([
      sampleAt(at, { traffic: { boot: `${boot}`, interfaces: { eth0: [rx, tx] } } }),
    ]);
    expect(status).toBe(200);
  };
  const traffic = async () => (await app.as(bob).get(`/api/agents/${agent.id}`)).body.agent.traffic;
  const history = async (query = "") => (await app.as(bob).get(`/api/agents/${agent.id}/traffic${query}`)).body;
  return { app, bob, charlie, agent, id: agent.id, report, traffic, history, restart: () => boot++ };
};

const TODAY = dateOf(Math.floor(START / DAY));

describe("traffic", () => {
  it("is that of the month in every answer, and null for an agent that reports no counters", async () => {
    const { app, bob, agent, report, traffic } = await setUp();
    await agent.report([sampleAt(START)]);
    expect(await traffic()).toBeNull();
    await report(START + MINUTE, 1000, 50);
    await report(START + 2 * MINUTE, 1500, 60);
    const month = { since: `${TODAY.slice(0, 8)}01`, rx: 500, tx: 10, used: 510, quota: null, percent: null };
    expect(await traffic()).toMatchObject({ ...month, exhausted_at: null });
    expect((await app.as(bob).get("/api/agents")).body.agents[0]?.traffic).toMatchObject(month);
  });

  it("continues over starts of the machine, a kill of the hub, and days that were moved", async () => {
    const { app, id, report, traffic, history, restart } = await setUp();
    await report(START, 1000);
    await report(START + MINUTE, 1100);
    await report(START + 2 * MINUTE, 1150);
    await restartAfterKill(app);
    expect((await traffic())?.rx).toBe(150);
    restart();
    await report(START + 3 * MINUTE, 30);
    await moveTrafficDays(app.deps);
    expect(await app.db.$count(trafficDays)).toBe(0);
    await report(START + DAY, 40);
    await report(START + DAY + MINUTE, 60);
    await moveTrafficDays(app.deps);
    await moveTrafficDays(app.deps);
    expect(await app.db.select().from(trafficDays)).toEqual([
      { agentId: id, day: Math.floor(START / DAY), rx: 180, tx: 0 },
    ]);
    expect((await readServerState(app, id)).traffic?.days).toEqual({ [Math.floor(START / DAY) + 1]: [30, 0] });
    expect((await traffic())?.rx).toBe(210);
    // A sample of the day before, that came late, and further ones.
    await writeReports(app);
    await moveTrafficDays(app.deps);
    await report(START + DAY + 2 * MINUTE, 61);
    const { days, months } = await history();
    expect(days.map(({ rx }) => rx)).toEqual([180, 31]);
    expect(months).toMatchObject([{ rx: 211, used: 211 }]);
  });

  it("of a day whose samples come after it was moved is added to it", async () => {
    const { app, agent, history } = await setUp();
    const send = (...of: [at: number, rx: number][]) =>
      agent.report(of.map(([at, rx]) => sampleAt(at, { traffic: { boot: "1", interfaces: { a: [rx, 0] } } })));
    await send([START, 0], [START + MINUTE, 10]);
    app.clock.set(START + DAY + HOUR);
    await moveTrafficDays(app.deps);
    await send([START + 2 * MINUTE, 15], [START + DAY + HOUR, 18]);
    await moveTrafficDays(app.deps);
    expect((await history()).days).toMatchObject([{ date: TODAY, rx: 15 }, { rx: 3 }]);
  });

  it("is deleted after 400 days", async () => {
    const { app, report } = await setUp();
    await report(START, 0);
    await report(START + MINUTE, 10);
    for (const days of [1, 400]) {
      app.clock.set(START + days * DAY);
      await moveTrafficDays(app.deps);
      expect(await app.db.$count(trafficDays)).toBe(1);
    }
    app.clock.set(START + 401 * DAY);
    await moveTrafficDays(app.deps);
    expect(await app.db.$count(trafficDays)).toBe(0);
  });

  it("of past months is answered by month, as many as are asked for", async () => {
    const { app, id, report, history } = await setUp();
    await report(START, 0);
    await report(START + MINUTE, 7);
    const today = Math.floor(START / DAY);
    await app.db
      .insert(trafficDays)
      .values(Array.from({ length: 400 }, (_, index) => ({ agentId: id, day: today - index - 1, rx: 1, tx: 2 })));
    const { months, days } = await history("?months=13");
    expect(months).toHaveLength(13);
    expect(months.slice(1).map(({ rx, since, until }) => rx - (Date.parse(until) - Date.parse(since)) / DAY)).toEqual(
      Array.from({ length: 12 }, () => 0),
    );
    expect(months[0]?.rx).toBe(days.reduce((sum, { rx }) => sum + rx, 0));
    expect((await history("?months=2")).months).toEqual(months.slice(0, 2));
    expect((await history()).months).toHaveLength(12);
    for (const wrong of ["0", "14", "x", "1.5"])
      expect((await history(`?months=${wrong}`)).success).toBe(false as true);
  });

  it("belongs to the days of the owner's time zone, or of the plan's", async () => {
    const { app, bob, id, agent, history } = await setUp();
    await app.as(bob).put("/api/auth/time-zone", { time_zone: "Pacific/Kiritimati" });
    const tomorrow = Math.floor(START / DAY) + 1;
    const at = tomorrow * DAY - 13 * HOUR;
    app.clock.set(at);
    const send = (minute: number, rx: number) =>
      agent.report([sampleAt(at + minute * MINUTE, { traffic: { boot: "1", interfaces: { a: [rx, 0] } } })]);
    await send(0, 0);
    await send(1, 10);
    expect((await history()).days).toEqual([{ date: dateOf(tomorrow), rx: 10, tx: 0 }]);
    const plan = { traffic: { quota: null, reset_day: 1, zone: "Pacific/Pago_Pago", mode: "sum" } };
    expect((await app.as(bob).put(`/api/agents/${id}`, { name: "x", plan })).status).toBe(200);
    await send(2, 11);
    expect((await history()).zone).toBe("Pacific/Pago_Pago");
    expect((await history()).days).toEqual([
      { date: dateOf(tomorrow - 1), rx: 1, tx: 0 },
      { date: dateOf(tomorrow), rx: 10, tx: 0 },
    ]);
  });

  it("that two instances count at the same time is counted once, and none of it is lost", async () => {
    const { app, agent, id } = await setUp();
    const keyHash = hashSecret(agent.key);
    const at = (minute: number, boot: string, rx: number) =>
      sampleAt(START + minute * MINUTE, { traffic: { boot, interfaces: { a: [rx, 0] } } });
    app.clock.set(START + 10 * MINUTE);
    // Another process has no pending reports in common: two mutexes.
    const other = { ...app.deps, db: Object.assign(Object.create(app.db), { atomically: app.db.atomically }) };
    const send = (deps: typeof app.deps, ...samples: ReturnType<typeof at>[]) =>
      ingest(deps, [{ keyHash, report: reportOf(samples) }], START + 10 * MINUTE);
    await send(app.deps, at(0, "1", 100));
    const first = at(1, "1", 150);
    await Promise.all([send(app.deps, first), send(other, first, at(2, "1", 170))]);
    await Promise.all([send(other, at(3, "2", 5)), send(app.deps, at(3, "2", 5))]);
    const { traffic } = await readServerState(app, id);
    if (processDialect === "postgres") expect(Object.values(traffic?.days ?? {})).toEqual([[75, 0]]);
  });

  it("of a server is shown to its owner, and of hostile counters nothing is stored", async () => {
    const { app, charlie, agent, id, traffic } = await setUp();
    expect((await app.as(charlie).get(`/api/agents/${id}/traffic`)).status).toBe(404);
    for (const interfaces of [{ a: [-1, 0] }, { a: ["1", 0] }, { a: [1] }, { a: null }, "x"])
      expect((await agent.report([sampleAt(START, { traffic: { boot: "1", interfaces } as never })])).status).toBe(422);
    const huge = (rx: number) => ({ boot: "1", interfaces: { a: [rx, 2 ** 52] as [number, number] } });
    await agent.report([sampleAt(START, { traffic: { boot: "0", interfaces: { a: [0, 0] } } })]);
    for (const minute of [1, 2, 3]) {
      app.clock.set(START + minute * MINUTE);
      await agent.report([sampleAt(app.clock.now(), { traffic: { ...huge(2 ** 53 - 1), boot: `${minute}` } })]);
    }
    expect(await traffic()).toMatchObject({ rx: Number.MAX_SAFE_INTEGER, tx: Number.MAX_SAFE_INTEGER });
    app.clock.set(START + 2 * DAY);
    await moveTrafficDays(app.deps);
    expect(await app.db.$count(trafficDays)).toBe(1);
    expect((await traffic())?.rx).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("costs reports without counters nothing: their state stays null", async () => {
    const { app, agent, id } = await setUp();
    for (const minute of [0, 1, 2]) {
      app.clock.set(START + minute * MINUTE);
      await agent.report([sampleAt(app.clock.now())]);
    }
    await writeReports(app);
    expect((await readServerState(app, id)).traffic).toBeNull();
    await moveTrafficDays(app.deps);
    expect(await app.db.select({ traffic: agentStates.traffic }).from(agentStates)).toEqual([{ traffic: null }]);
  });
});
