import { expect, it } from "bun:test";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { forecastOf, hoursOfForecast, type SharePoint } from "./forecast";

/** Points each ten minutes of the last day: `share` by the hours before now. */
const pointsOf = (share: (hours: number) => number, hours = 24) =>
  Array.from({ length: hours * 6 }, (_, index) => {
    const before = hours - index / 6;
    return { at: START - before * HOUR, share: share(before) };
  });
const hoursLeft = (points: readonly SharePoint[], used: number) => {
  const { soon } = forecastOf(points, used, START);
  return soon === null ? null : Math.round(soon / HOUR);
};

it("the time that is left follows from the rate of the last day", () => {
  expect(
    hoursLeft(
      pointsOf((before) => 90 - before * 0.5),
      90,
    ),
  ).toBe(20);
  expect(
    hoursLeft(
      pointsOf(() => 90),
      90,
    ),
  ).toBe(Number.POSITIVE_INFINITY);
  expect(
    hoursLeft(
      pointsOf((before) => 50 + before),
      50,
    ),
  ).toBe(Number.POSITIVE_INFINITY);
});

it("a disk that was filled once, and has not grown since, does not fill up", () => {
  expect(
    hoursLeft(
      pointsOf((before) => (before > 10 ? 40 : 80)),
      80,
    ),
  ).toBe(Number.POSITIVE_INFINITY);
});

it("a disk with a few hours of samples raises no alert", () => {
  expect(
    hoursLeft(
      pointsOf((before) => 90 - before, 6),
      90,
    ),
  ).toBeNull();
  expect(forecastOf([], 90, START)).toEqual({ soon: null, left: null });
});

/** The forecast of a disk with points in the hours that are read of some days, in days. */
const daysLeft = (share: (days: number) => number, days = 7) => {
  const points = hoursOfForecast(START).flatMap((hour) =>
    Array.from({ length: 6 }, (_, index) => {
      const at = hour * HOUR + index * 10 * MINUTE;
      return at <= START && at >= START - days * DAY ? [{ at, share: share((START - at) / DAY) }] : [];
    }).flat(),
  );
  const { left } = forecastOf(points, share(0), START);
  return left === null ? null : Math.round((left / DAY) * 10) / 10;
};
const NEVER = Number.POSITIVE_INFINITY;

it("the hours of a forecast are all of the last day and four of each of six days before it", () => {
  const hours = hoursOfForecast(START);
  expect(hours.length).toBeWithin(47, 52);
  expect(hours.at(-1)).toBe(Math.floor(START / HOUR));
  expect(hours).toEqual([...new Set(hours)].toSorted((a, b) => a - b));
});

it("a forecast beyond four days follows from the days before, and is unknown before there are three", () => {
  expect(daysLeft((days) => 80 - days)).toBe(20);
  expect(daysLeft((days) => 60 - days * 0.5)).toBe(80);
  expect(daysLeft((days) => 80 - days, 2)).toBeNull();
  expect(daysLeft(() => 80, 2)).toBeNull();
  expect(daysLeft((days) => 80 - days, 3)).toBe(20);
});

it("a disk that would take more than a year, shrinks or stays the same does not grow", () => {
  expect(daysLeft((days) => 50 - days * 0.1)).toBe(NEVER);
  expect(daysLeft((days) => 50 + days)).toBe(NEVER);
  expect(daysLeft(() => 50)).toBe(NEVER);
});

it("a file of 30 % that was added once within the week makes no forecast, and neither does a daily cycle", () => {
  for (const day of [1.2, 2, 3.5, 5]) expect([day, daysLeft((days) => (days > day ? 40 : 70))]).toEqual([day, NEVER]);
  for (const phase of [0, 0.25, 0.5, 0.75])
    expect([phase, daysLeft((days) => 60 + 5 * Math.sin((days + phase) * 2 * Math.PI))]).toEqual([phase, NEVER]);
});

it("a disk that grows at night only has a forecast", () => {
  expect(daysLeft((days) => 80 - Math.ceil(days))).toBe(20);
});

it("a forecast within four days is that of the alert, and a later one never contradicts it", () => {
  const within = (points: SharePoint[], used: number) => forecastOf(points, used, START);
  const fast = pointsOf((before) => 90 - before * 0.5);
  const { soon, left } = within(fast, 90);
  expect(Math.round((soon ?? 0) / HOUR)).toBe(20);
  expect(left).toBe(soon);
  // It grew by 10 % a day until 20 hours ago.
  expect(daysLeft((days) => (days > 0.8 ? 88 - days * 10 : 80))).toBe(4);
});
