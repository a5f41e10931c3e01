import type { Clock } from "../core/clock";

/** A Thursday, away from any edge of an hour or a day. */
export const START = Date.UTC(2026, 0, 15, 12, 20, 0);

export type TestClock = Clock & {
  set: (time: number) => void;
  /** Moves on, waking each sleeper at its own time. */
  advance: (milliseconds: number) => Promise<void>;
};

/** Time that stands still until it is moved. Whoever sleeps waits for a moment only, and time does not pass by it. */
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

/** Time that stands still until it is moved; whoever sleeps is woken by that alone. */
export const createHeldClock = (start = START): TestClock => {
  let time = start;
  let sleepers: { until: number; wake: () => void }[] = [];
  const wakeUntil = async (end: number): Promise<void> => {
    const next = sleepers.toSorted((a, b) => a.until - b.until)[0];
    if (!next || next.until > end) return;
    sleepers = sleepers.filter((sleeper) => sleeper !== next);
    time = Math.max(time, next.until);
    next.wake();
    // What it does next may be to sleep again.
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

/** Waits until something holds: long enough for the slowest machine, and less than a test may take. */
export const until = async (holds: () => boolean | Promise<boolean>, what = "it"): Promise<void> => {
  const deadline = performance.now() + 100_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await Bun.sleep(1);
  }
};
