import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../core/config";
import { EVERYTHING, madeBy, viewerOf } from "../../../db/owner";
import { hubGaps, outages } from "../../../db/schema";
import { checkError } from "../../../shared/check-error";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { QUICK_RECHECK } from "../../../shared/monitor";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, inputWith, recordBatch, recordOnly } from "../../../testing/fixtures/monitors";
import { publish, readStatusData } from "../../../testing/fixtures/status-page";
import { createRandom, seedOr } from "../../../testing/random";
import { repetitions } from "../../../testing/repetitions";
import { readWindows } from "../../alerting/outages/windows";
import { deleteMonitor, insertMonitors, setActive } from "../change";
import { findMonitor } from "../service";
import { readUptime, readUptimes } from "./uptime";

const SEED = seedOr(7);

const setUp = async (active = true) => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/", active });
  const viewer = viewerOf(madeBy(bob));
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
    return readWindows(app.deps, "monitor", id);
  };
  return { app, bob, id, check, pause, stop, read };
};

describe("the uptime of a monitor", () => {
  it("is unknown before its first check", async () => {
    const { read } = await setUp();
    expect((await read(60))["24h"]).toEqual({
      uptime: null,
      watched: null,
      watched_seconds: 0,
      down_seconds: 0,
      outages: 0,
    });
  });

  it("of a monitor that is watched for five minutes is that of five minutes, in every window", async () => {
    const { app, bob, id, check } = await setUp();
    await check(1, true);
    await check(4, false);
    await check(4.5, true);
    app.clock.set(START + 6 * MINUTE);
    const shown = { uptime: 80, watched: 100, watched_seconds: 300, down_seconds: 60, outages: 1 };
    const { availability } = (await app.as(bob).get(`/api/monitors/${id}`)).body.monitor;
    expect(availability).toEqual({ "24h": shown, "7d": shown, "30d": shown, "90d": shown });
  });

  it("counts only outages during which it was down, not slow answers or certificates that expire", async () => {
    const { app, bob, id, check, read } = await setUp();
    const target = { ...madeBy(bob), targetType: "monitor", targetId: id } as const;
    const add = (kind: "slow" | "certificate", endedAt: number | null) =>
      app.db.insert(outages).values({ ...target, kind, startedAt: START, endedAt });
    await check(0, true);
    await add("certificate", null);
    await check(30.5, false);
    await add("slow", START + 20 * MINUTE);
    await check(40, true);
    const day = { uptime: 75, watched_seconds: 2400, down_seconds: 600, outages: 1 };
    expect((await read(40))["24h"]).toMatchObject(day);
    await add("slow", null);
    expect((await read(40))["24h"]).toMatchObject(day);
  });

  it("is weighted by time, not by the number of checks", async () => {
    const { check, read } = await setUp();
    await check(0, true);
    for (let minute = 1; minute <= 10; minute++) await check(minute, true);
    await check(20.5, false);
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
    await check(10.5, false);
    await stop(15, 30);
    await pause(20);
    await pause(40, true);
    await check(40, false);
    await check(50, true);
    // Known: 0 to 15 and 40 to 60; down: 10 to 15 and 40 to 50.
    expect((await read(60))["24h"]).toEqual({
      uptime: 57.143,
      watched: 87.5,
      watched_seconds: 2100,
      down_seconds: 900,
      outages: 2,
    });
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
    expect((await readWindows(app.deps, "monitor", id))["90d"].watched_seconds).toBe(30 * 86_400);
  });
});

describe("the uptimes of many monitors", () => {
  it("are those of their details, and the same in lists, on badges and on status pages", async () => {
    const { app, bob, id, check } = await setUp();
    const other = await addMonitor(app, bob, { url: "https://blog.example/" });
    const unchecked = await addMonitor(app, bob, { url: "https://new.example/" });
    await check(0, true);
    await check(90.5, false);
    await recordOnly(app, other, [{ at: START + 60 * MINUTE }]);
    app.clock.set(START + 120 * MINUTE);
    const uptimes = { "24h": 75, "7d": 75, "30d": 75, "90d": 75 };
    const client = app.as(bob);
    const { monitor } = (await client.get(`/api/monitors/${id}`)).body;
    expect([monitor.uptime, monitor.uptimes, monitor.availability["30d"].uptime]).toEqual([75, uptimes, 75]);
    const listed = (await client.get("/api/monitors")).body.monitors;
    expect(listed.map(({ uptime }) => uptime)).toEqual([75, 100, null]);
    await publish(app, bob, { monitors: [id, other, unchecked] });
    expect((await readStatusData(app, "bob")).monitors[0]).toMatchObject({ uptime: 75, uptimes });
    const badge = await app.send(new Request(`http://hub.example/badge/${id}.svg?type=uptime&days=1`));
    expect(await badge.text()).toInclude("75.00%");
    expect(await readUptime(app.deps, [id, other, unchecked, 9999])).toEqual(
      new Map([
        [id, 75],
        [other, 100],
      ]),
    );
  });

  it("have the outage that has just ended or begun, and none of a deleted monitor", async () => {
    const { app, id, check, pause } = await setUp();
    const read = async (minute: number) => {
      app.clock.set(START + minute * MINUTE);
      return (await readUptime(app.deps, [id])).get(id);
    };
    await check(0, true);
    expect(await read(10)).toBe(100);
    await check(10.5, false);
    expect(await read(20)).toBe(50);
    await check(20, true);
    expect(await read(40)).toBe(75);
    await check(50.5, false);
    expect(await read(60)).toBe(66.667);
    await pause(60);
    expect(await read(90)).toBe(66.667);
    await deleteMonitor(app.deps, await findMonitor(app.deps, EVERYTHING, id));
    expect(await read(90)).toBeUndefined();
  });

  it("count time once when the clock was set back during outages", async () => {
    const { app, id, check } = await setUp();
    await check(0, true);
    await check(60.5, false);
    expect((await readUptime(app.deps, [id])).get(id)).toBeUndefined();
    await check(90, true);
    await check(30, false);
    await check(70, true);
    app.clock.set(START + 120 * MINUTE);
    // Down from 30 to 90.
    expect((await readUptime(app.deps, [id])).get(id)).toBe(50);
    expect((await readWindows(app.deps, "monitor", id))["24h"]).toMatchObject({ down_seconds: 3600, outages: 2 });
  });

  it("are read for more monitors than one statement has", async () => {
    const { app, bob, id, check } = await setUp();
    await check(0, false);
    const ids = [id];
    await app.db.transact((tx) =>
      insertMonitors(
        tx,
        Array.from({ length: 600 }, (_, index) => {
          ids.push(1000 + index);
          return { ...inputWith({ url: "https://many.example/" }), id: 1000 + index };
        }),
        { owner: madeBy(bob), now: START },
      ),
    );
    await recordBatch(
      app,
      ids.slice(1).map((monitorId) => ({ monitorId, at: START, up: monitorId % 2 === 0 })),
    );
    app.clock.set(START + HOUR);
    const uptimes = await readUptimes(app.deps, ids);
    expect([uptimes.size, uptimes.get(1599)?.uptimes["7d"], uptimes.get(1598)?.uptimes["90d"]]).toEqual([601, 0, 100]);
  });
});

type Action = "up" | "down" | "pause" | "resume" | "stop" | "start" | "none";
const ACTIONS: Action[] = ["up", "up", "up", "down", "down", "pause", "resume", "stop", "start", "none"];

/**
 * Plays a random history of one action in each minute, and counts each minute as known and down or not. A short outage after a
 * good check counts from half a minute before.
 */
const playRandomly = async (random: () => number, minutes: number) => {
  const { app, id, check, pause, stop, read } = await setUp();
  const state = {
    ...{ first: false, up: false, active: true, running: true, down: false },
    ...{ outages: 0, known: 0, bad: 0, due: 0, stoppedAt: 0, since: 0, before: 0 },
  };
  /** The end of a long outage is found as late as its start. */
  const end = (minute: number) => {
    if (state.down && minute - state.since > QUICK_RECHECK.minutes) state.bad -= state.before;
  };
  let wasKnown = false;
  for (let minute = 0; minute < minutes; minute++) {
    const action = ACTIONS[Math.floor(random() * ACTIONS.length)] ?? "none";
    if (action === "start" && !state.running) {
      await stop(state.stoppedAt, minute);
      state.running = true;
    } else if (action === "stop" && state.running) {
      Object.assign(state, { running: false, stoppedAt: minute });
    } else if (state.running && (action === "pause" || action === "resume")) {
      if (action === "pause") end(minute);
      await pause(minute, action === "resume");
      state.active = action === "resume";
      if (!state.active) state.down = false;
    } else if (state.running && state.active && (action === "up" || action === "down")) {
      await check(minute, action === "up");
      if (action === "down" && !state.down) state.outages++;
      if (action === "up") end(minute);
      if (action === "down" && !state.down)
        Object.assign(state, { since: minute, before: state.up && wasKnown ? 0.5 : 0 });
      if (action === "down" && !state.down) state.bad += state.before;
      Object.assign(state, { first: true, up: action === "up", down: action === "down" });
    }
    const known = state.first && state.active && state.running;
    wasKnown = known;
    state.known += known ? 1 : 0;
    state.due += state.first && state.active ? 1 : 0;
    state.bad += known && state.down ? 1 : 0;
    // What lists keep in memory must follow.
    if (random() < 0.1) await readUptime(app.deps, [id]);
  }
  if (!state.running) await stop(state.stoppedAt, minutes);
  const { known, bad, due, outages } = state;
  const percent = (part: number, of: number) => (of === 0 ? null : Math.round((part / of) * 100_000) / 1000);
  const expected = {
    uptime: percent(known - bad, known),
    watched: percent(known, due),
    watched_seconds: (known * MINUTE) / SECOND,
    down_seconds: (bad * MINUTE) / SECOND,
    outages,
  };
  expect((await read(minutes))["24h"]).toEqual(expected);
  expect((await readUptime(app.deps, [id])).get(id) ?? null).toBe(expected.uptime);
  const shares = (await readUptimes(app.deps, [id])).get(id);
  expect([shares?.uptimes["90d"], shares?.watched["90d"]]).toEqual([expected.uptime, expected.watched]);
};

const HISTORIES = processDialect === "sqlite" ? repetitions(15, 40) : repetitions(8, 8);

it(`the uptime of ${HISTORIES} random histories is that of a model that counts each minute (seed ${SEED})`, async () => {
  const { below } = createRandom(SEED);
  const random = () => below(1_000_000) / 1_000_000;
  for (let history = 0; history < HISTORIES; history++) await playRandomly(random, (2 * HOUR) / MINUTE);
});
