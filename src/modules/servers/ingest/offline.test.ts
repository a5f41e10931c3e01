import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../core/config";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { countStatements } from "../../../testing/db/database";
import { enrollAgent, readServerState, sampleAt } from "../../../testing/fixtures/agents";
import { createOfflineSweep, extendDeadlines, markOfflineServers } from "./offline";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const report = (interval: number, cpu = 5) => agent.report([sampleAt(app.clock.now(), { cpu })], { interval });
  const statusAt = async (time: number) => {
    app.clock.set(time);
    await markOfflineServers(app.deps);
    return (await readServerState(app, agent.id)).status;
  };
  const read = async () => (await app.as(bob).get(`/api/agents/${agent.id}`)).body.agent;
  return { app, bob, report, statusAt, read };
};

describe("an agent", () => {
  it("is connecting until its first report, without a time limit", async () => {
    const { statusAt, report } = await setUp();
    expect(await statusAt(START + 40 * DAY)).toBe("connecting");
    await report(60);
    expect(await statusAt(START + 40 * DAY + MINUTE)).toBe("active");
  });

  it("is inactive after three of its intervals, at least 90 seconds", async () => {
    for (const [interval, deadline] of [
      [1, 90],
      [29, 90],
      [30, 90],
      [31, 93],
      [60, 180],
      [86_400, 259_200],
    ] as const) {
      const { report, statusAt } = await setUp();
      await report(interval);
      expect([interval, await statusAt(START + deadline * SECOND)]).toEqual([interval, "active"]);
      expect([interval, await statusAt(START + deadline * SECOND + 1)]).toEqual([interval, "inactive"]);
    }
  });

  it("that is offline keeps its last figures and times, and is active again with its next report", async () => {
    const { report, statusAt, read } = await setUp();
    await report(60, 42);
    const before = await read();
    expect(await statusAt(START + HOUR)).toBe("inactive");
    const since = new Date(START + MINUTE).toISOString();
    const outage = { kind: "offline", started_at: since, started_after: new Date(START).toISOString(), ended_at: null };
    const outages = [expect.objectContaining(outage)];
    const day = { uptime: 0.833, watched_seconds: 3600, down_seconds: 3570, outages: 1 };
    const availability = expect.objectContaining({ "24h": expect.objectContaining(day) });
    expect(await read()).toEqual({ ...before, status: "inactive", since, availability, outages, open_outages: 1 });
    await report(60, 43);
    expect(await read()).toMatchObject({
      status: "active",
      cpu_usage: 43,
      updated_at: new Date(START + HOUR).toISOString(),
    });
  });

  it("stays active while it reports in time, also with a longer interval than before", async () => {
    const { report, statusAt } = await setUp();
    let time = START;
    for (const interval of [10, 10, 600, 600, 10]) {
      await report(interval);
      time += interval * SECOND;
      expect(await statusAt(time)).toBe("active");
    }
  });

  it("is counted and listed by its status", async () => {
    const { app, bob, report, statusAt } = await setUp();
    await enrollAgent(app, bob);
    await report(60);
    const { body: fresh } = await app.as(bob).get("/api/agents");
    expect(fresh.counts).toEqual({ all: 2, active: 1, inactive: 0, connecting: 1, alerts: 0 } as typeof fresh.counts);
    await statusAt(START + HOUR);
    const { body: inactive } = await app.as(bob).get("/api/agents?status=inactive");
    expect([inactive.total, inactive.counts.inactive, inactive.counts.active]).toEqual([1, 1, 0]);
  });
});

describe("after a time in which the hub took no reports", () => {
  it("every active agent gets its usual time and the longest pause between two attempts", async () => {
    const { app, report, statusAt } = await setUp();
    await report(60);
    app.clock.set(START + 5 * HOUR);
    await extendDeadlines(app.deps);
    expect(await statusAt(START + 5 * HOUR + 4 * MINUTE)).toBe("active");
    expect(await statusAt(START + 5 * HOUR + 4 * MINUTE + 1)).toBe("inactive");
  });

  it("an outage begins when a report after that time is missing, not at one that may have been lost", async () => {
    const { app, report, statusAt, read } = await setUp();
    await report(60);
    app.clock.set(START + 5 * HOUR);
    await extendDeadlines(app.deps);
    await statusAt(START + 6 * HOUR);
    const [started, after] = [START + 5 * HOUR + 2 * MINUTE, START].map((time) => new Date(time).toISOString());
    expect((await read()).outages).toMatchObject([{ started_at: started, started_after: after }]);
  });

  it("the status of agents that were inactive or never reported stays the same", async () => {
    const { app, report, statusAt } = await setUp();
    await extendDeadlines(app.deps);
    expect(await statusAt(START + DAY)).toBe("connecting");
    await report(60);
    expect(await statusAt(START + 2 * DAY)).toBe("inactive");
    await extendDeadlines(app.deps);
    expect(await statusAt(START + 2 * DAY)).toBe("inactive");
  });

  it("no deadline is later than usual after the clock was set back", async () => {
    const { app, report, statusAt } = await setUp();
    await report(60);
    app.clock.set(START - HOUR);
    await extendDeadlines(app.deps);
    expect(await statusAt(START + 3 * MINUTE)).toBe("active");
  });
});

describe("the offline sweep", () => {
  it("marks offline agents, and extends deadlines after a pause of the process", async () => {
    const { app, report } = await setUp();
    const sweep = createOfflineSweep(app.deps);
    const at = async (time: number) => {
      app.clock.set(time);
      app.deps.watching.look();
      await app.deps.watching.stored();
      return sweep();
    };
    await report(60);
    for (let time = START; time <= START + 3 * MINUTE; time += 5 * SECOND) expect(await at(time)).toBe(false);
    expect(await at(START + 3 * MINUTE + 1)).toBe(true);
    await report(60);
    // The machine slept, or its clock was set ahead.
    expect(await at(app.clock.now() + HOUR)).toBe(false);
    const back = app.clock.now() - HOUR;
    await report(60);
    // The clock was set back, so the deadline in the coming hour is shortened.
    expect(await at(back)).toBe(false);
    for (let time = back; time <= back + 4 * MINUTE; time += 5 * SECOND) expect(await at(time)).toBe(false);
    expect(await at(back + 4 * MINUTE + 1)).toBe(true);
  });

  it("extends deadlines after the database was unavailable", async () => {
    const { app, report } = await setUp();
    const sweep = createOfflineSweep(app.deps);
    await report(60);
    app.deps.watching.look();
    await app.deps.watching.stored();
    const { atomically, select, transact } = app.db;
    let isAway = true;
    app.deps.watching.observe("hub_overloaded", () => (isAway ? START : null));
    const away = () => {
      throw new Error("the database is away");
    };
    Object.assign(app.db, { atomically: async () => away(), select: away, transact: async () => away() });
    for (let time = START; time <= START + HOUR; time += 5 * SECOND) {
      app.clock.set(time);
      app.deps.watching.look();
      await app.deps.watching.stored();
      expect(await sweep()).toBe(false);
    }
    isAway = false;
    app.deps.watching.look();
    await app.deps.watching.stored();
    if (processDialect === "sqlite") await expect(sweep()).rejects.toThrow("away");
    Object.assign(app.db, { atomically, select, transact });
    app.deps.watching.look();
    await app.deps.watching.stored();
    expect(await sweep()).toBe(false);
    expect((await readServerState(app, 1)).expiresAt).toBeGreaterThan(app.clock.now());
  });

  it.if(processDialect === "sqlite")("makes no query until a deadline has passed or a report was stored", async () => {
    const { app, report } = await setUp();
    const sweep = createOfflineSweep(app.deps);
    const count = countStatements(app.db);
    const at = async (time: number) => {
      app.clock.set(time);
      return [await sweep(), count() > 0];
    };
    expect(await at(START)).toEqual([false, true]);
    for (let time = START; time < START + HOUR; time += 20 * SECOND) expect(await at(time)).toEqual([false, false]);
    app.clock.set(START + HOUR);
    await report(60);
    count();
    expect(await at(START + HOUR)).toEqual([false, true]);
    const deadline = START + HOUR + 3 * MINUTE;
    for (let time = START + HOUR; time < deadline; time += 20 * SECOND) expect(await at(time)).toEqual([false, false]);
    expect(await at(deadline + 1)).toEqual([true, true]);
  });
});

it("servers whose reports are missing are not accused while the hub's own network does not work", async () => {
  const { app, report, read } = await setUp();
  await report(10);
  const asked: number[] = [];
  let works = false;
  app.deps.watching.confirmBy(async (missingSince) => {
    asked.push(missingSince);
    return works;
  });
  const sweep = createOfflineSweep(app.deps);
  await app.clock.advance(90 * SECOND);
  expect([await sweep(), asked]).toEqual([false, []]);
  await app.clock.advance(SECOND);
  expect([await sweep(), asked]).toEqual([false, [START + 90 * SECOND]]);
  expect((await read()).status).toBe("active");
  works = true;
  expect(await sweep()).toBe(true);
  expect((await read()).status).toBe("inactive");
});
