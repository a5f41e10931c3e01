import { describe, expect, it } from "bun:test";
import { spanBefore, spanOfPeriod } from "./period";

const ZONE = "Europe/Berlin";
const NOW = Date.parse("2026-11-04T12:00:00+01:00");
const iso = ({ from, to }: { from: number; to: number }) => [from, to].map((time) => new Date(time).toISOString());
const span = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) });

describe("the periods of reports", () => {
  it("begin and end at midnights of the zone, also where clocks change", () => {
    expect(iso(spanOfPeriod("last_month", ZONE, NOW))).toEqual([
      "2026-09-30T22:00:00.000Z",
      "2026-10-31T23:00:00.000Z",
    ]);
    expect(iso(spanOfPeriod("month", ZONE, NOW))).toEqual(["2026-10-31T23:00:00.000Z", "2026-11-30T23:00:00.000Z"]);
    expect(iso(spanOfPeriod("last_week", ZONE, NOW))).toEqual(["2026-10-25T23:00:00.000Z", "2026-11-01T23:00:00.000Z"]);
    expect(iso(spanOfPeriod("week", ZONE, NOW))).toEqual(["2026-10-28T23:00:00.000Z", "2026-11-04T23:00:00.000Z"]);
    const newYear = Date.parse("2027-01-01T00:00:00+01:00");
    expect(iso(spanOfPeriod("last_month", ZONE, newYear))).toEqual([
      "2026-11-30T23:00:00.000Z",
      "2026-12-31T23:00:00.000Z",
    ]);
    // A month is an hour longer than its days where clocks are set back.
    const { from, to } = spanOfPeriod("last_month", ZONE, NOW);
    expect((to - from) / 3_600_000).toBe(31 * 24 + 1);
  });
});

describe("the span before another one", () => {
  it("has as many months before whole months, and as many days before whole days", () => {
    const october = span("2026-10-01T00:00:00+02:00", "2026-11-01T00:00:00+01:00");
    expect(iso(spanBefore(october, ZONE, NOW))).toEqual(["2026-08-31T22:00:00.000Z", "2026-09-30T22:00:00.000Z"]);
    const quarter = span("2026-07-01T00:00:00+02:00", "2026-10-01T00:00:00+02:00");
    expect(iso(spanBefore(quarter, ZONE, NOW))).toEqual(["2026-03-31T22:00:00.000Z", "2026-06-30T22:00:00.000Z"]);
    const days = span("2026-10-25T00:00:00+02:00", "2026-10-27T00:00:00+01:00");
    expect(iso(spanBefore(days, ZONE, NOW))).toEqual(["2026-10-22T22:00:00.000Z", "2026-10-24T22:00:00.000Z"]);
  });

  it("has the length of the span, or of the part that has passed of a span that has not ended", () => {
    const hours = span("2026-11-01T10:00:00Z", "2026-11-01T16:00:00Z");
    expect(iso(spanBefore(hours, ZONE, NOW))).toEqual(["2026-11-01T04:00:00.000Z", "2026-11-01T10:00:00.000Z"]);
    const november = spanOfPeriod("month", ZONE, NOW);
    expect(iso(spanBefore(november, ZONE, NOW))).toEqual(["2026-09-30T22:00:00.000Z", "2026-10-04T10:00:00.000Z"]);
    const future = span("2027-01-01T00:00:00Z", "2027-01-02T00:00:00Z");
    const before = spanBefore(future, "UTC", NOW);
    expect(before.from).toBe(before.to);
  });
});
