import { afterEach, expect, test } from "bun:test";
import { datesOf, isMonth, rangeIn, shiftDates, timesOf } from "./day-range";

const zone = process.env.TZ;
afterEach(() => {
  process.env.TZ = zone ?? "";
});

test("presets are whole days in the viewer's time zone, also across a change of clocks", () => {
  process.env.TZ = "Europe/Berlin";
  const now = new Date("2026-11-02T10:00:00Z");
  expect(timesOf({ preset: "today" }, now)).toEqual({
    from: "2026-11-01T23:00:00.000Z",
    to: "2026-11-02T23:00:00.000Z",
  });
  expect(timesOf({ preset: "week" }, now)?.from).toBe("2026-10-26T23:00:00.000Z");
  expect(timesOf({ preset: "month" }, now)).toEqual({
    from: "2026-10-31T23:00:00.000Z",
    to: "2026-11-30T23:00:00.000Z",
  });
  expect(timesOf({ preset: "lastMonth" }, now)).toEqual({
    from: "2026-09-30T22:00:00.000Z",
    to: "2026-10-31T23:00:00.000Z",
  });
  expect(datesOf({ preset: "lastMonth" }, now)).toEqual({ from: "2026-10-01", to: "2026-10-31" });
});

test("last month of January is December of the year before", () => {
  process.env.TZ = "UTC";
  expect(datesOf({ preset: "lastMonth" }, new Date("2027-01-31T12:00:00Z"))).toEqual({
    from: "2026-12-01",
    to: "2026-12-31",
  });
});

test("two dates are both within the range, and there is none where they are in the wrong order", () => {
  process.env.TZ = "Asia/Shanghai";
  const times = { from: "2026-01-14T16:00:00.000Z", to: "2026-01-15T16:00:00.000Z" };
  expect(timesOf({ from: "2026-01-15", to: "2026-01-15" }, new Date())).toEqual(times);
  expect(timesOf({ from: "2026-01-16", to: "2026-01-14" }, new Date())).toBeUndefined();
});

test("an address without a valid range shows seven days", () => {
  const read = (text: string) => rangeIn(new URLSearchParams(text));
  expect(read("from=2026-01-01&to=2026-01-31")).toEqual({ from: "2026-01-01", to: "2026-01-31" });
  expect(read("range=lastMonth")).toEqual({ preset: "lastMonth" });
  for (const text of ["", "range=never", "from=2026-02-30&to=2026-03-01", "from=x&to=2026-03-01"])
    expect(read(text)).toEqual({ preset: "week" });
});

test("the dates before and after a whole month are months, and others are as many days", () => {
  const february = { from: "2026-02-01", to: "2026-02-28" };
  expect([isMonth(february), isMonth({ from: "2026-02-01", to: "2026-02-27" })]).toEqual([true, false]);
  expect(isMonth({ from: "2026-01-01", to: "2026-02-28" })).toBe(false);
  expect(shiftDates(february, 1)).toEqual({ from: "2026-03-01", to: "2026-03-31" });
  expect(shiftDates({ from: "2026-01-01", to: "2026-01-31" }, -1)).toEqual({ from: "2025-12-01", to: "2025-12-31" });
  expect(shiftDates({ from: "2026-10-25", to: "2026-10-26" }, -1)).toEqual({ from: "2026-10-23", to: "2026-10-24" });
  expect(shiftDates({ from: "2026-10-24", to: "2026-10-25" }, 1)).toEqual({ from: "2026-10-26", to: "2026-10-27" });
});
