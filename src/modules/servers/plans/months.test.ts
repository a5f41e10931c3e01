import { describe, expect, it } from "bun:test";
import type { TrafficPlan } from "../../../shared/agents/server-plan";
import { DAY } from "../../../shared/limits";
import { startOfDay } from "../../../shared/time-zone";
import { fc } from "../../../testing/property";
import { dateOf, dayOf, exhaustedAt, monthOf, monthsUntil, usedIn } from "./months";

const plan = (more: Partial<TrafficPlan> = {}): TrafficPlan => ({
  quota: null,
  resetDay: 1,
  zone: "UTC",
  mode: "sum",
  correction: null,
  ...more,
});
const month = (date: string, resetDay: number) => {
  const { first, end } = monthOf(dayOf(date), resetDay);
  return [dateOf(first), dateOf(end)];
};

describe("a month", () => {
  it.each([
    ["2026-01-01", 1, "2026-01-01", "2026-02-01"],
    ["2026-01-31", 1, "2026-01-01", "2026-02-01"],
    ["2026-01-14", 15, "2025-12-15", "2026-01-15"],
    ["2026-01-15", 15, "2026-01-15", "2026-02-15"],
    // In shorter months the last day.
    ["2026-02-27", 31, "2026-01-31", "2026-02-28"],
    ["2026-02-28", 31, "2026-02-28", "2026-03-31"],
    ["2028-02-28", 31, "2028-01-31", "2028-02-29"],
    ["2026-04-30", 31, "2026-04-30", "2026-05-31"],
    ["2026-03-01", 29, "2026-02-28", "2026-03-29"],
  ])("of %s that begins on day %i is from %s to %s", (date, resetDay, first, end) => {
    expect(month(date, resetDay)).toEqual([first, end]);
  });

  it("has every day once, and 28 to 31 of them, whichever day it begins on", () => {
    const from = dayOf("2023-01-01");
    fc.assert(
      fc.property(fc.integer({ min: from, max: from + 3000 }), fc.integer({ min: 1, max: 31 }), (day, resetDay) => {
        const { first, end } = monthOf(day, resetDay);
        expect(first <= day && day < end).toBe(true);
        expect(end - first >= 28 && end - first <= 31).toBe(true);
        expect(monthOf(end, resetDay).first).toBe(end);
        expect(monthOf(first - 1, resetDay).end).toBe(first);
      }),
      { numRuns: 2000 },
    );
  });

  it("is followed by the ones before it", () => {
    expect(monthsUntil(dayOf("2026-03-10"), 31, 3).map(({ first }) => dateOf(first))).toEqual([
      "2026-02-28",
      "2026-01-31",
      "2025-12-31",
    ]);
  });
});

describe("a date", () => {
  it("that does not exist has no day", () => {
    for (const date of ["2026-02-30", "2026-13-01", "26-01-01", "", "2026-1-1", "+010000-01-01"])
      expect(dayOf(date)).toBeNaN();
    expect(dayOf("1970-01-02")).toBe(1);
  });
});

describe("usage", () => {
  const { first, end } = monthOf(dayOf("2026-01-10"), 1);
  it("counts by the mode of the plan, with the correction of its month", () => {
    const bytes: [number, number] = [70, 30];
    const used = (more: Partial<TrafficPlan>) => usedIn({ first, end }, bytes, plan(more));
    expect(["sum", "rx", "tx", "max"].map((mode) => used({ mode } as Partial<TrafficPlan>))).toEqual([100, 70, 30, 70]);
    expect(used({ correction: { bytes: 5, month: "2026-01-01" } })).toBe(105);
    expect(used({ correction: { bytes: -500, month: "2026-01-01" } })).toBe(0);
    expect(used({ correction: { bytes: 5, month: "2025-12-01" } })).toBe(100);
  });

  it("at the average rate of the month reaches the quota on a day", () => {
    const at = startOfDay("UTC", first) + 10 * DAY;
    const exhausted = (used: number, more: Partial<TrafficPlan> = {}, firstCounted = first) => {
      const time = exhaustedAt({ first, end, used, firstCounted }, plan({ quota: 1000, ...more }), at);
      return time === null ? null : new Date(time).toISOString().slice(0, 10);
    };
    expect(exhausted(500)).toBe("2026-01-21");
    expect(exhausted(100)).toBeNull();
    expect(exhausted(1000)).toBeNull();
    expect(exhausted(0)).toBeNull();
    expect(exhausted(500, { quota: null })).toBeNull();
    // Counted since five days, unless a correction stands for the days before.
    expect(exhausted(500, {}, first + 5)).toBe("2026-01-16");
    expect(exhausted(500, { correction: { bytes: 1, month: "2026-01-01" } }, first + 5)).toBe("2026-01-21");
    // Less than a day is known.
    expect(exhausted(500, {}, first + 10)).toBeNull();
  });
});
