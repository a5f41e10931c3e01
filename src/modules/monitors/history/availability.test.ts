import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../core/config";
import { hubGaps, monitorPauses } from "../../../db/schema";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { checkError } from "../../../shared/monitor";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";
import { findMonitor, setActive } from "../service";
import { deleteExpiredGaps, readAvailability } from "./availability";

const setUp = async (active = true) => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/", active });
  const viewer = { id: bob.id, role: "user" } as const;
  const check = (minute: number, up: boolean) =>
    recordOnly(app, id, [{ at: START + minute * MINUTE, up, error: up ? null : checkError("refused") }]);
  const pause = async (minute: number, isActive = false) => {
    app.clock.set(START + minute * MINUTE);
    await setActive(app.deps, await findMonitor(app.deps, viewer, id), isActive);
  };
  const stop = (from: number, to: number) =>
    app.db.insert(hubGaps).values({ startedAt: START + from * MINUTE, endedAt: START + to * MINUTE });
  const read = async (minute: number) => {
    app.clock.set(START + minute * MINUTE);
    return readAvailability(app.deps, id);
  };
  return { app, bob, id, check, pause, stop, read };
};

describe("the availability of a monitor", () => {
  it("is unknown before its first check", async () => {
    const { read } = await setUp();
    expect((await read(60))["24h"]).toEqual({ uptime: null, watched_seconds: 0, down_seconds: 0, outages: 0 });
  });

  it("of a monitor that is watched for five minutes is that of five minutes, in every window", async () => {
    const { app, bob, id, check } = await setUp();
    await check(1, true);
    await check(4, false);
    await check(5, true);
    app.clock.set(START + 6 * MINUTE);
    const shown = { uptime: 80, watched_seconds: 300, down_seconds: 60, outages: 1 };
    const { availability } = (await app.as(bob).get(`/api/monitors/${id}`)).body.monitor;
    expect(availability).toEqual({ "24h": shown, "7d": shown, "30d": shown, "90d": shown });
  });

  it("is weighted by time, not by the number of checks", async () => {
    const { check, read } = await setUp();
    await check(0, true);
    for (let minute = 1; minute <= 10; minute++) await check(minute, true);
    await check(20, false);
    expect((await read(40))["24h"]).toMatchObject({ uptime: 50, watched_seconds: 2400, down_seconds: 1200 });
  });

  it("has only the part of an outage that lies in the window", async () => {
    const { check, read } = await setUp();
    await check(0, false);
    await check(60, true);
    const hours = 24.5 * 60;
    expect((await read(hours))["24h"]).toMatchObject({ watched_seconds: 86_400, down_seconds: 1800, outages: 1 });
    expect((await read(hours + 60))["24h"]).toMatchObject({ uptime: 100, down_seconds: 0, outages: 0 });
    expect((await read(hours + 60))["7d"]).toMatchObject({ down_seconds: 3600, outages: 1 });
  });

  it("leaves out pauses and the time during which the hub did not run, also where they overlap", async () => {
    const { check, pause, stop, read } = await setUp();
    await check(0, true);
    await check(10, false);
    await stop(15, 30);
    await pause(20);
    await pause(40, true);
    await check(40, false);
    await check(50, true);
    // Known: 0 to 15 and 40 to 60; down: 10 to 15 and 40 to 50.
    expect((await read(60))["24h"]).toEqual({ uptime: 57.143, watched_seconds: 2100, down_seconds: 900, outages: 2 });
  });

  it("ends with the pause of a monitor that is paused, and begins with its end if it was created paused", async () => {
    const { check, pause, read } = await setUp(false);
    await check(5, false);
    expect((await read(10))["24h"]).toMatchObject({ uptime: null, watched_seconds: 0, outages: 0 });
    await pause(20, true);
    await pause(21, true);
    await check(20, true);
    await pause(30);
    await pause(35);
    expect((await read(90))["24h"]).toMatchObject({ uptime: 100, watched_seconds: 600 });
  });

  it("goes back as far as outages are kept", async () => {
    const app = await createTestApp({ env: { RETENTION_HOUR_DAYS: "30", RETENTION_CHECK_DAYS: "1" } });
    const { bob } = await app.people();
    const id = await addMonitor(app, bob, { url: "https://shop.example/" });
    await recordOnly(app, id, [{ at: START }]);
    app.clock.set(START + 80 * DAY);
    expect((await readAvailability(app.deps, id))["90d"].watched_seconds).toBe(30 * 86_400);
  });
});

it("pauses and interruptions of the hub are kept as long as outages, open pauses always", async () => {
  const { app, pause, stop } = await setUp();
  await stop(0, 5);
  await pause(1);
  await pause(2, true);
  await pause(3);
  app.clock.set(START + app.deps.config.retention.hourDays * DAY + 5 * MINUTE);
  await deleteExpiredGaps(app.deps);
  expect([await app.db.$count(hubGaps), await app.db.$count(monitorPauses)]).toEqual([1, 1]);
  await app.clock.advance(1);
  await deleteExpiredGaps(app.deps);
  expect([await app.db.$count(hubGaps), await app.db.$count(monitorPauses)]).toEqual([0, 1]);
});

type Action = "up" | "down" | "pause" | "resume" | "stop" | "start" | "none";
const ACTIONS: Action[] = ["up", "up", "up", "down", "down", "pause", "resume", "stop", "start", "none"];

/** Plays a random history of one action in each minute, and counts each minute as known and down or not. */
const playRandomly = async (random: () => number, minutes: number) => {
  const { check, pause, stop, read } = await setUp();
  const state = { first: false, active: true, running: true, down: false, outages: 0, known: 0, bad: 0, stoppedAt: 0 };
  for (let minute = 0; minute < minutes; minute++) {
    const action = ACTIONS[Math.floor(random() * ACTIONS.length)] ?? "none";
    if (action === "start" && !state.running) {
      await stop(state.stoppedAt, minute);
      state.running = true;
    } else if (action === "stop" && state.running) {
      Object.assign(state, { running: false, stoppedAt: minute });
    } else if (state.running && (action === "pause" || action === "resume")) {
      await pause(minute, action === "resume");
      state.active = action === "resume";
      if (!state.active) state.down = false;
    } else if (state.running && state.active && (action === "up" || action === "down")) {
      await check(minute, action === "up");
      if (action === "down" && !state.down) state.outages++;
      Object.assign(state, { first: true, down: action === "down" });
    }
    const known = state.first && state.active && state.running;
    state.known += known ? 1 : 0;
    state.bad += known && state.down ? 1 : 0;
  }
  if (!state.running) await stop(state.stoppedAt, minutes);
  const { known, bad, outages } = state;
  const expected = {
    uptime: known === 0 ? null : Math.round((1 - bad / known) * 100_000) / 1000,
    watched_seconds: (known * MINUTE) / SECOND,
    down_seconds: (bad * MINUTE) / SECOND,
    outages,
  };
  expect((await read(minutes))["24h"]).toEqual(expected);
};

const HISTORIES = processDialect === "sqlite" ? 40 : 8;

it(`the availability of ${HISTORIES} random histories is that of a model that counts each minute`, async () => {
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  for (let history = 0; history < HISTORIES; history++) await playRandomly(random, (2 * HOUR) / MINUTE);
});
