import { describe, expect, it } from "bun:test";
import { DAY, HOUR, MINUTE } from "./limits";
import { dayIn, startOfDay, wallTime } from "./time-zone";

const at = (time: string) => Date.parse(time);
const day = (date: string) => at(`${date}T00:00:00Z`) / DAY;

describe("wallTime", () => {
  it("is the time on the wall in whole minutes, and UTC for an unknown zone", () => {
    expect(wallTime("Asia/Kolkata", at("2026-01-01T00:00:59Z"))).toBe(at("2026-01-01T05:30:00Z"));
    expect(wallTime("Nowhere/Here", at("2026-01-01T00:00:00Z"))).toBe(at("2026-01-01T00:00:00Z"));
  });
});

describe("dayIn", () => {
  it("is the date in the zone", () => {
    const time = at("2026-03-01T15:59:59.999Z");
    expect(dayIn("Asia/Shanghai", time)).toBe(day("2026-03-01"));
    expect(dayIn("Asia/Shanghai", time + 1)).toBe(day("2026-03-02"));
    expect(dayIn("Asia/Kathmandu", at("2026-03-01T18:15:00Z"))).toBe(day("2026-03-02"));
    expect(dayIn("America/New_York", time)).toBe(day("2026-03-01"));
    expect(dayIn("Pacific/Kiritimati", time)).toBe(day("2026-03-02"));
  });
});

describe("startOfDay", () => {
  it.each([
    ["UTC", "2026-03-01", "2026-03-01T00:00:00.000Z"],
    ["Asia/Shanghai", "2026-03-01", "2026-02-28T16:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-03-01", "2026-02-28T10:00:00.000Z"],
    ["Pacific/Pago_Pago", "2026-03-01", "2026-03-01T11:00:00.000Z"],
    // The first day with summer time, and the day after it.
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z"],
    ["Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00.000Z"],
    // Midnight is skipped.
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"],
  ])("in %s on %s is %s", (zone, date, start) => {
    expect(new Date(startOfDay(zone, day(date))).toISOString()).toBe(start);
  });

  it("is the first minute of its date in every zone, also where clocks change", () => {
    // The weeks with changes.
    const dates = ["2026-03-25", "2026-04-01", "2026-04-24", "2026-09-03", "2026-10-01", "2026-10-22", "2026-10-28"];
    for (const zone of ["Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "Africa/Cairo", "Asia/Kathmandu"])
      for (const date of dates.flatMap((first) => Array.from({ length: 6 }, (_, index) => day(first) + index))) {
        const start = startOfDay(zone, date);
        expect([dayIn(zone, start), dayIn(zone, start - MINUTE)]).toEqual([date, date - 1]);
        expect(Math.abs(start - date * DAY)).toBeLessThanOrEqual(15 * HOUR);
      }
  });
});
