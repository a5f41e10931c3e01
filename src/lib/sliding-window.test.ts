import { describe, expect, it } from "bun:test";
import { MINUTE, SECOND } from "../shared/limits";
import { createSlidingWindows, type Limit } from "./sliding-window";

const setUp = () => {
  const clock = { time: 0 };
  return { clock, windows: createSlidingWindows({ now: () => clock.time }) };
};

const LIMITS: Limit[] = [
  { messages: 2, seconds: 1 },
  { messages: 5, seconds: 60 },
];

describe("sliding windows", () => {
  it("never let more than the limit through within any period", () => {
    const { clock, windows } = setUp();
    const sent: number[] = [];
    for (; clock.time < 5 * MINUTE; clock.time += 100) {
      if (windows.left(1, LIMITS) === 0) continue;
      windows.count(1, LIMITS);
      sent.push(clock.time);
    }
    for (const { messages, seconds } of LIMITS)
      for (const from of sent)
        expect(sent.filter((at) => at >= from && at < from + seconds * SECOND).length).toBeLessThanOrEqual(messages);
    expect(sent).toHaveLength(25);
  });

  it("count each key by itself, and nothing without limits", () => {
    const { windows } = setUp();
    windows.count(1, LIMITS);
    windows.count(1, LIMITS);
    windows.count(2, []);
    expect([windows.left(1, LIMITS), windows.left(2, LIMITS), windows.left(2, [])]).toEqual([0, 2, Infinity]);
    expect(windows.size()).toBe(1);
  });

  it("give each of several users of a limit its share", () => {
    const { clock, windows } = setUp();
    expect(windows.left(1, [{ messages: 20, seconds: 60 }], 3)).toBe(6);
    const limits = [{ messages: 1, seconds: 1 }];
    windows.count(1, limits);
    clock.time = 1000;
    expect([windows.left(1, limits), windows.left(1, limits, 2)]).toEqual([1, 0]);
    clock.time = 2000;
    expect(windows.left(1, limits, 2)).toBe(1);
  });

  it("start again after the clock was set back", () => {
    const { clock, windows } = setUp();
    clock.time = MINUTE;
    windows.count(1, LIMITS);
    windows.count(1, LIMITS);
    clock.time = 0;
    expect(windows.left(1, LIMITS)).toBe(2);
  });

  it("keep a bounded number of keys", () => {
    const { windows } = setUp();
    for (let key = 0; key < 10_010; key++) windows.count(key, LIMITS);
    expect(windows.size()).toBe(10_000);
    expect([windows.left(0, LIMITS), windows.left(10_009, LIMITS)]).toEqual([2, 1]);
  });
});
