import { expect, it } from "bun:test";
import type { Report, Sample } from "../../../../shared/agents/report";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { enrollAgent, readServerState, sampleAt, storedSamples } from "../../../../testing/fixtures/agents";
import { markOfflineServers } from "../offline";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const BOOT = START - 10 * DAY;
const iso = (time: number) => new Date(time).toISOString();

/** A machine whose clock is ahead of the hub's by `ahead`; times are on the hub's clock. */
const setUp = async () => {
  const lines: { message: string; fields: object }[] = [];
  const app = await createTestApp();
  for (const level of ["info", "warn"] as const) {
    const write = app.deps.log[level];
    app.deps.log[level] = (message, fields = {}) => {
      if (message.includes("clock")) lines.push({ message, fields });
      write(message, fields);
    };
  }
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const machine = { ahead: 0, boot: "b00t", bootedAt: BOOT };
  const take = (at: number, wanted: Partial<Sample> = {}): Sample =>
    sampleAt(at + machine.ahead, {
      boot_time: iso(machine.bootedAt + machine.ahead),
      traffic: { boot: machine.boot, interfaces: { eth0: [1, 1] } },
      ...wanted,
    });
  /** Sends samples at a time, which the hub's clock shows unless it is set. */
  const send = async (samples: Sample[], at: number, wanted: Partial<Report> = {}) =>
    agent.report(samples, {
      sent_at: iso(at + machine.ahead),
      boot_time: iso(machine.bootedAt + machine.ahead),
      boot: machine.boot,
      ...wanted,
    });
  const read = async () => (await app.as(bob).get(`/api/agents/${agent.id}`)).body.agent;
  const times = async () => (await storedSamples(app, agent.id)).map(({ at }) => at - START);
  return { app, bob, agent, machine, take, send, read, times, lines };
};

for (const ahead of [HOUR, -HOUR, DAY, -365 * DAY, 365 * DAY])
  it(`samples of a clock that is ${ahead / HOUR} h ahead are stored at the hub's time`, async () => {
    const { app, machine, take, send, read, times } = await setUp();
    machine.ahead = ahead;
    app.clock.set(START + MINUTE);
    const { body } = await send([take(START), take(START + MINUTE)], START + MINUTE);
    expect(body).toEqual({ success: true, accepted: 2 } as typeof body);
    expect(await times()).toEqual([0, MINUTE]);
    expect(await read()).toMatchObject({ clock_offset: ahead / SECOND, boot_time: iso(BOOT), status: "active" });
  });

it("a wrong clock is named by the events of a server that stops reporting, and of one that reports again after a restart", async () => {
  const { app, bob, machine, take, send } = await setUp();
  machine.ahead = -HOUR;
  await send([take(START)], START);
  await app.clock.advance(10 * MINUTE);
  await markOfflineServers(app.deps);
  const now = app.clock.now();
  Object.assign(machine, { boot: "b00ted", bootedAt: now - MINUTE });
  await send([take(now)], now);
  const { events } = (await app.as(bob).get("/api/notifications/history")).body;
  expect(events.map(({ kind, facts }) => [kind, facts])).toEqual([
    ["online", { restarted_at: iso(now - MINUTE), clock_offset: -3600 }],
    ["offline", { clock_offset: -3600 }],
  ]);
});

it("a clock that differs by at most 15 seconds is left alone", async () => {
  const { machine, take, send, read, times, lines } = await setUp();
  machine.ahead = 15 * SECOND;
  await send([take(START)], START);
  expect(await times()).toEqual([15 * SECOND]);
  expect((await read()).clock_offset).toBeNull();
  expect(lines).toEqual([]);
});

it("samples that are sent again over a slower network are stored once", async () => {
  const { app, machine, take, send, times } = await setUp();
  machine.ahead = HOUR;
  const samples = [take(START), take(START + SECOND)];
  app.clock.set(START + 2 * SECOND);
  await send(samples, START + SECOND);
  app.clock.set(START + 20 * SECOND);
  const { body } = await send([...samples, take(START + 15 * SECOND)], START + 12 * SECOND);
  expect(body.accepted).toBe(3);
  expect(await times()).toEqual([SECOND, 2 * SECOND, 16 * SECOND]);
});

it("samples that waited while the clock was set keep their distances", async () => {
  const { app, machine, take, send, read, times } = await setUp();
  machine.ahead = HOUR;
  const before = [take(START), take(START + MINUTE)];
  machine.ahead = 0;
  app.clock.set(START + 3 * MINUTE);
  const { body } = await send([...before, take(START + 2 * MINUTE)], START + 3 * MINUTE);
  expect(body).toMatchObject({ success: true, accepted: 3 });
  expect(await times()).toEqual([0, MINUTE, 2 * MINUTE]);
  expect((await read()).clock_offset).toBeNull();
});

it("a clock that is set right is trusted again, and shown as right", async () => {
  const { app, machine, take, send, read, times, lines } = await setUp();
  machine.ahead = HOUR;
  await send([take(START)], START);
  app.clock.set(START + MINUTE);
  await send([take(START + MINUTE)], START + MINUTE);
  machine.ahead = 0;
  app.clock.set(START + 2 * MINUTE);
  await send([take(START + 2 * MINUTE)], START + 2 * MINUTE);
  expect(await times()).toEqual([0, MINUTE, 2 * MINUTE]);
  expect((await read()).clock_offset).toBeNull();
  expect(lines).toEqual([
    {
      message: "the clock of a server is wrong, its samples are stored at the hub's time",
      fields: { agent: expect.any(Number), seconds_ahead: 3600 },
    },
    { message: "the clock of a server agrees with the hub's again", fields: { agent: expect.any(Number) } },
  ]);
});

for (const hub of [-HOUR, HOUR])
  it(`samples keep their times while the hub's own clock is ${hub / HOUR} h ahead`, async () => {
    const { app, take, send, read, times, lines } = await setUp();
    await send([take(START)], START);
    for (const minute of [1, 2]) {
      app.clock.set(START + minute * MINUTE + hub);
      const { body } = await send([take(START + minute * MINUTE, { cpu: minute })], START + minute * MINUTE);
      expect(body).toEqual({ success: true, accepted: 1 } as typeof body);
      expect(await read()).toMatchObject({ clock_offset: -hub / SECOND, boot_time: iso(BOOT) });
    }
    expect((await read()).cpu_usage).toBe(2);
    app.clock.set(START + 3 * MINUTE);
    await send([take(START + 3 * MINUTE)], START + 3 * MINUTE);
    expect(await times()).toEqual([0, MINUTE, 2 * MINUTE, 3 * MINUTE]);
    expect((await read()).clock_offset).toBeNull();
    expect(lines.map(({ message }) => message)).toEqual([
      "the hub's clock was set, or is wrong: that of a server now differs",
      "the clock of a server agrees with the hub's again",
    ]);
  });

it("a clock that drifts is followed", async () => {
  const { app, machine, take, send, read, times } = await setUp();
  for (let minute = 0; minute < 5; minute++) {
    // Its frequency is wrong, so that it seems to have started at the same time.
    machine.ahead = minute * 10 * SECOND;
    machine.bootedAt = BOOT - machine.ahead;
    app.clock.set(START + minute * MINUTE);
    await send([take(START + minute * MINUTE)], START + minute * MINUTE);
  }
  expect((await times()).map((time) => time % MINUTE)).toEqual([0, 10, 0, 10, 0].map((late) => late * SECOND));
  expect((await read()).clock_offset).toBe(40);
});

it("a restart of the machine with another clock is not taken for a change of the hub's", async () => {
  const { app, machine, take, send, times } = await setUp();
  await send([take(START)], START);
  Object.assign(machine, { ahead: -HOUR, boot: "other", bootedAt: START + MINUTE });
  app.clock.set(START + 2 * MINUTE);
  await send([take(START + 2 * MINUTE)], START + 2 * MINUTE);
  expect(await times()).toEqual([0, 2 * MINUTE]);
});

it("a report without its machine's time is corrected by its newest sample, if that is in the future", async () => {
  const { app, agent, read, times } = await setUp();
  const { body } = await agent.report([sampleAt(START + HOUR - MINUTE), sampleAt(START + HOUR)]);
  expect(body.accepted).toBe(2);
  expect(await times()).toEqual([-MINUTE, 0]);
  expect((await read()).clock_offset).toBe(3600);
  app.clock.set(START + 30 * SECOND);
  expect((await agent.report([sampleAt(START + HOUR)])).body.accepted).toBe(1);
  expect(await times()).toEqual([-MINUTE, 0]);
  app.clock.set(START + MINUTE);
  await agent.report([sampleAt(START + MINUTE)]);
  expect(await times()).toEqual([-MINUTE, 0, MINUTE]);
  expect((await read()).clock_offset).toBeNull();
});

it("samples that are later than their report are named as not stored", async () => {
  const { take, send, times } = await setUp();
  const { body } = await send([take(START), take(START + 365 * DAY)], START);
  expect(body).toMatchObject({ accepted: 1, not_stored: { future: 1, old: 0, same_second: 0 } });
  expect(await times()).toEqual([0]);
});

it("a time that is no time is refused", async () => {
  const { app, agent, send } = await setUp();
  for (const wrong of ["soon", "2026-13-01T00:00:00Z", "", 5, "2026-01-15", "x".repeat(100)])
    for (const name of ["sent_at", "boot_time"]) {
      const { status, body } = await send([sampleAt(START)], START, { [name]: wrong } as Partial<Report>);
      expect([status, body.code]).toEqual([422, "validation"]);
    }
  expect((await readServerState(app, agent.id)).status).toBe("connecting");
});
