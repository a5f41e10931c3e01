import type { Clock } from "../lib/time";

/** A Thursday, away from any edge of an hour or a day. */
export const START = Date.UTC(2026, 0, 15, 12, 20, 0);

export type TestClock = Clock & {
  set: (time: number) => void;
  /** Advances the clock, ending each sleep at its own time. */
  advance: (milliseconds: number) => Promise<void>;
};

/** A clock that stands still until it is set. A sleep lasts at most 2 ms and does not advance it. */
export const createTestClock = (start = START): TestClock => {
  let time = start;
  return {
    now: () => time,
    sleep: (milliseconds) => Bun.sleep(Math.min(milliseconds, 2)),
    set: (to) => {
      time = to;
    },
    advance: async (milliseconds) => {
      time += milliseconds;
    },
  };
};

/** A clock that stands still until `advance` is called, which alone ends sleeps. */
export const createHeldClock = (start = START): TestClock => {
  let time = start;
  let sleepers: { until: number; wake: () => void }[] = [];
  const wakeUntil = async (end: number): Promise<void> => {
    const next = sleepers.toSorted((a, b) => a.until - b.until)[0];
    if (!next || next.until > end) return;
    sleepers = sleepers.filter((sleeper) => sleeper !== next);
    time = Math.max(time, next.until);
    next.wake();
    // The caller may sleep again.
    await Bun.sleep(0);
    return wakeUntil(end);
  };
  return {
    now: () => time,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        sleepers.push({ until: time + milliseconds, wake });
      }),
    set: (to) => {
      time = to;
    },
    advance: async (milliseconds) => {
      const end = time + milliseconds;
      await wakeUntil(end);
      time = end;
    },
  };
};

/** Waits until a condition is true; fails shortly before the timeout of a test. */
export const until = async (condition: () => boolean | Promise<boolean>, what = "a condition"): Promise<void> => {
  const deadline = performance.now() + 100_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await Bun.sleep(1);
  }
};
