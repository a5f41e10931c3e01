import { expect, it } from "bun:test";
import { createLog } from "../core/log";
import { createTestClock, START } from "../testing/clock";
import { createLoopMeter, createSchedule } from "./jobs";

const setUp = (run: () => Promise<unknown> = async () => {}) => {
  const clock = createTestClock();
  const logged: string[] = [];
  const log = createLog("debug", false, (line) => logged.push(line));
  const started: string[] = [];
  const job = (name: string, every: number, offset = 0) => ({
    name,
    every,
    offset,
    run: () => {
      started.push(name);
      return run();
    },
  });
  const tick = createSchedule({ clock, log }, [job("second", 1), job("five", 5), job("minute", 60, 30)]);
  /** Calls at a time, and returns the jobs that it started. */
  const at = async (time: number) => {
    clock.set(START + time * 1000);
    tick();
    await Bun.sleep(0);
    return started.splice(0);
  };
  return { at, logged };
};

it("each job starts once in its period, at its offset", async () => {
  const { at } = setUp();
  const minute: Record<string, number[]> = {};
  for (let time = 1; time <= 120; time++)
    for (const name of await at(time + 0.002)) {
      minute[name] ??= [];
      minute[name].push(time);
    }
  expect(minute.second).toHaveLength(120);
  expect(minute.five).toEqual(Array.from({ length: 24 }, (_, index) => 5 * (index + 1)));
  expect(minute.minute).toEqual([30, 90]);
});

it("jobs start once after calls were late, and after the clock was set ahead or back", async () => {
  const { at } = setUp();
  expect(await at(0.9)).toEqual([]);
  expect(await at(7)).toEqual(["second", "five"]);
  expect(await at(8)).toEqual(["second"]);
  expect(await at(3600)).toEqual(["second", "five", "minute"]);
  expect(await at(-3600)).toEqual(["second", "five", "minute"]);
  expect(await at(-3599)).toEqual(["second"]);
  expect(await at(-3595)).toEqual(["second", "five"]);
});

it("a job does not start again while it runs, and starts again after it failed, which is logged", async () => {
  let gate = Promise.withResolvers<void>();
  const { at, logged } = setUp(() => gate.promise);
  expect(await at(1)).toEqual(["second"]);
  expect(await at(2)).toEqual([]);
  gate.reject(new Error("no disk"));
  await Bun.sleep(0);
  expect(logged.join()).toInclude("no disk");
  gate = Promise.withResolvers();
  gate.resolve();
  expect(await at(3)).toEqual(["second"]);
  expect(await at(4)).toEqual(["second"]);
});

it("the event loop is measured from the first reading until ten minutes after the last", async () => {
  const meter = createLoopMeter();
  const isMeasured = async () => {
    await meter.turn();
    return meter.isMeasuring();
  };
  expect(await isMeasured()).toBe(false);
  expect(meter.read()).toEqual({ p50: 0, p99: 0, max: 0 });
  expect(meter.isMeasuring()).toBe(true);
  for (let minute = 1; minute < 10; minute++) expect(await isMeasured()).toBe(true);
  meter.read();
  for (let minute = 1; minute < 10; minute++) expect(await isMeasured()).toBe(true);
  expect(await isMeasured()).toBe(false);
  meter.stop();
});
