import { describe, expect, it } from "bun:test";
import fc from "fast-check";
import { DAY, HOUR, MINUTE } from "../limits";
import {
  type BurnRates,
  burnRate,
  errorBudget,
  isBurning,
  OBJECTIVE_PERIODS,
  periodAt,
  usedPercent,
} from "./objectives";

const at = (text: string) => Date.parse(text);
const calm: BurnRates = { "5m": 0, "30m": 0, "1h": 0, "6h": 0 };

describe("the period of an objective", () => {
  it("ends now where it is a number of days", () => {
    const now = at("2026-03-10T12:00:00Z");
    expect(periodAt("7d", "UTC", now)).toEqual({ from: now - 7 * DAY, to: now });
    expect(periodAt("30d", "Asia/Shanghai", now)).toEqual({ from: now - 30 * DAY, to: now });
  });

  it("is the calendar month in the zone, an hour shorter in the month in which clocks are set forward", () => {
    expect(periodAt("month", "Europe/Berlin", at("2026-03-31T21:59:59Z"))).toEqual({
      from: at("2026-02-28T23:00:00Z"),
      to: at("2026-03-31T22:00:00Z"),
    });
    expect(periodAt("month", "Europe/Berlin", at("2026-03-31T22:00:00Z")).from).toBe(at("2026-03-31T22:00:00Z"));
  });

  it("is the calendar quarter, which may end in the next year", () => {
    expect(periodAt("quarter", "UTC", at("2026-12-31T23:59:00Z"))).toEqual({
      from: at("2026-10-01T00:00:00Z"),
      to: at("2027-01-01T00:00:00Z"),
    });
    expect(periodAt("quarter", "Asia/Shanghai", at("2026-12-31T16:00:00Z")).from).toBe(at("2026-12-31T16:00:00Z"));
  });

  it("contains now, whatever the period, the zone and the time", () => {
    const zones = fc.constantFrom("UTC", "Europe/Berlin", "Asia/Shanghai", "America/St_Johns", "Pacific/Kiritimati");
    const times = fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2030-01-01T00:00:00Z") });
    fc.assert(
      fc.property(fc.constantFrom(...OBJECTIVE_PERIODS), zones, times, (period, zone, now) => {
        const { from, to } = periodAt(period, zone, now);
        expect(from <= now && now <= to && to - from >= 7 * DAY && to - from < 93 * DAY).toBe(true);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe("the budget of an objective", () => {
  it("of 99.9 % in 30 days is 43.2 minutes", () => {
    expect(errorBudget(99.9, 30 * DAY)).toBeCloseTo(43.2 * MINUTE, 3);
  });

  it("is used 1,000 times too fast by an outage, and is used up after its own length of it", () => {
    expect(burnRate(99.9, HOUR, HOUR)).toBeCloseTo(1000, 6);
    expect(burnRate(99, 36 * 1000, HOUR)).toBeCloseTo(1, 6);
    expect(usedPercent({ budget: 1000, down: 999 })).toBe(99);
    expect(usedPercent({ budget: 1000, down: 1000 })).toBe(100);
  });

  const cases: [string, Partial<BurnRates>, boolean, boolean][] = [
    ["nothing happens", {}, false, false],
    ["the last hour and the last five minutes use it 14.4 times too fast", { "1h": 14.4, "5m": 15 }, false, true],
    ["the last hour was bad and the last five minutes are well", { "1h": 60, "5m": 0, "30m": 120 }, false, false],
    ["six hours and half an hour use it six times too fast", { "6h": 6, "30m": 6 }, false, true],
    ["six hours were bad and the last half hour is well", { "6h": 30, "30m": 0 }, false, false],
    ["a short failure does not count for the hour", { "5m": 200, "1h": 14 }, false, false],
    ["it burned, and the last half hour still uses more than its share", { "30m": 1.1 }, true, true],
    ["it burned, and the last half hour used its even share", { "30m": 1 }, true, false],
  ];
  it.each(cases)("burns as expected when %s", (_, rates, before, expected) => {
    expect(isBurning({ ...calm, ...rates }, before)).toBe(expected);
  });
});
