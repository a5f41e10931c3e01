import { describe, expect, it } from "bun:test";
import { DAY, HOUR, MINUTE } from "../../../../shared/limits";
import type { WindowSchedule } from "../../../../shared/outages/maintenance";
import { RECURRING, walkStarts } from "../../../../testing/fixtures/maintenance/recurring-windows";
import { next, occurrence, occurrencesBetween } from "./schedule";

const at = (time: string) => Date.parse(time);
const windowOf = (schedule: WindowSchedule) => ({
  schedule,
  validFrom: 0,
  overAt: null,
  ends: [] as [number, number][],
});
const iso = (found: { from: number; to: number } | null) =>
  found && [new Date(found.from).toISOString(), new Date(found.to).toISOString()];
const startsOf = (schedule: WindowSchedule, from: string, to: string) =>
  occurrencesBetween(windowOf(schedule), { from: at(from), to: at(to) }).map((one) => new Date(one.from).toISOString());

const BERLIN = { kind: "weekly", days: [7], weeks: 1, anchor: "2026-01-01", zone: "Europe/Berlin" } as const;

describe("a window that recurs", () => {
  it("starts at its wall time before and after a change of clocks, and lasts as many elapsed minutes", () => {
    const window = windowOf({ ...BERLIN, at: "01:30", minutes: 120 });
    // The clock goes forward at 02:00, and back at 03:00.
    expect(iso(occurrence(window, at("2026-03-29T02:29:00Z")))).toEqual([
      "2026-03-29T00:30:00.000Z",
      "2026-03-29T02:30:00.000Z",
    ]);
    expect(occurrence(window, at("2026-03-29T02:30:00Z"))).toBeNull();
    expect(iso(occurrence(window, at("2026-10-25T01:29:00Z")))).toEqual([
      "2026-10-24T23:30:00.000Z",
      "2026-10-25T01:30:00.000Z",
    ]);
    expect(iso(next(window, at("2026-03-29T00:30:00Z")))?.[0]).toBe("2026-04-04T23:30:00.000Z");
  });

  it("starts right after the gap when the clock skips its start, and at the first of two equal times", () => {
    const schedule = { ...BERLIN, at: "02:30", minutes: 60 };
    expect(startsOf(schedule, "2026-03-22T00:00:00Z", "2026-04-06T00:00:00Z")).toEqual([
      "2026-03-22T01:30:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-04-05T00:30:00.000Z",
    ]);
    expect(startsOf(schedule, "2026-10-25T00:00:00Z", "2026-11-02T00:00:00Z")).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-11-01T01:30:00.000Z",
    ]);
  });

  it("starts once where the clock skips several of its starts", () => {
    const schedule = { kind: "cron", cron: "*/20 2 * * *", minutes: 10, zone: "Europe/Berlin" } as const;
    expect(startsOf(schedule, "2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z")).toEqual(["2026-03-29T01:00:00.000Z"]);
    expect(startsOf(schedule, "2026-10-25T00:00:00Z", "2026-10-26T00:00:00Z")).toEqual([
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T00:20:00.000Z",
      "2026-10-25T00:40:00.000Z",
    ]);
  });

  it("every few weeks counts from the week of its anchor, also before it", () => {
    const schedule = {
      ...BERLIN,
      zone: "UTC",
      days: [1, 4],
      weeks: 3,
      anchor: "2026-01-15",
      at: "04:00",
      minutes: 5,
    } as const;
    expect(startsOf(schedule, "2025-12-20T00:00:00Z", "2026-02-10T00:00:00Z").map((time) => time.slice(0, 10))).toEqual(
      [...["2025-12-22", "2025-12-25", "2026-01-12", "2026-01-15", "2026-02-02", "2026-02-05"]],
    );
  });

  it("each month leaves out months without the day, and finds weekdays and the last day", () => {
    const month = { kind: "monthly", at: "00:00", minutes: 60, zone: "UTC" } as const;
    const days = (day: Extract<WindowSchedule, { kind: "monthly" }>["day"]) =>
      startsOf({ ...month, day }, "2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z").map((time) => time.slice(5, 10));
    expect(days(31)).toEqual(["01-31", "03-31", "05-31"]);
    expect(days("last")).toEqual(["01-31", "02-28", "03-31", "04-30", "05-31"]);
    expect(days({ nth: 2, weekday: 2 })).toEqual(["01-13", "02-10", "03-10", "04-14", "05-12"]);
    expect(days({ nth: "last", weekday: 5 })).toEqual(["01-30", "02-27", "03-27", "04-24", "05-29"]);
  });

  it.each([
    // Summer time was abolished in 2022, its end was moved in 2007, and a day was skipped in 2011.
    ["America/Mexico_City", ["2022-04-03T08:00:00.000Z", "2023-04-02T09:00:00.000Z"]],
    ["America/New_York", ["2006-11-01T08:00:00.000Z", "2007-11-01T07:00:00.000Z"]],
    ["Pacific/Apia", ["2011-12-29T13:00:00.000Z", "2011-12-30T10:00:00.000Z", "2011-12-30T13:00:00.000Z"]],
  ] as const)("follows the rules of %s as they changed", (zone, starts) => {
    const daily = { kind: "cron", cron: "0 3 * * *", minutes: 60, zone } as const;
    for (const start of starts) expect(iso(next(windowOf(daily), at(start) - MINUTE))?.[0]).toBe(start);
  });

  it("agrees with a walk minute by minute in every kind", () => {
    const span = { from: at("2026-01-01T00:00:00Z"), to: at("2027-01-01T00:00:00Z") };
    for (const zone of ["Europe/Berlin", "Australia/Lord_Howe"])
      for (const [schedule, isDue] of RECURRING) {
        const found = occurrencesBetween(windowOf({ ...schedule, zone }), span, 100_000);
        const starts = found.flatMap(({ from }) => (from >= span.from ? [from] : []));
        expect([zone, schedule, starts] as unknown).toEqual([zone, schedule, walkStarts(zone, span, isDue)]);
      }
  });
});

describe("a window", () => {
  it("of two times is between them, the end excluded", () => {
    const window = windowOf({ kind: "once", from: 1000, to: 2000 });
    expect([999, 1000, 1999, 2000].map((time) => occurrence(window, time) !== null)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(next(window, 999)).toMatchObject({ from: 1000, to: 2000 });
    expect(next(window, 1000)).toBeNull();
  });

  it("that is open ends after a week, or when it is ended", () => {
    const window = windowOf({ kind: "open", from: 0 });
    expect(occurrence(window, 7 * DAY - 1)).toMatchObject({ from: 0, to: 7 * DAY });
    expect(occurrence(window, 7 * DAY)).toBeNull();
    expect(occurrence({ ...window, ends: [[0, HOUR] as const] }, HOUR)).toBeNull();
    expect(occurrence({ ...window, ends: [[0, HOUR] as const] }, HOUR - 1)).toMatchObject({ from: 0, to: HOUR });
  });

  it("that is ended or left out once goes on with the next occurrence, and one that is cancelled does not", () => {
    const window = windowOf({ ...BERLIN, at: "12:00", minutes: 60 });
    const sunday = at("2026-06-07T10:00:00Z");
    const ended = { ...window, ends: [[sunday, sunday + 10 * MINUTE] as const] };
    expect(occurrence(ended, sunday + 5 * MINUTE)?.to).toBe(sunday + 10 * MINUTE);
    expect(occurrence(ended, sunday + 10 * MINUTE)).toBeNull();
    expect(next(ended, sunday)?.from).toBe(sunday + 7 * DAY);
    const leftOut = { ...window, ends: [[sunday, sunday - HOUR] as const] };
    expect([occurrence(leftOut, sunday), next(leftOut, sunday - 1)?.from]).toEqual([null, sunday + 7 * DAY]);
    const cancelled = { ...window, overAt: sunday + 30 * MINUTE };
    expect(occurrence(cancelled, sunday)?.to).toBe(sunday + 30 * MINUTE);
    expect(next(cancelled, sunday)).toBeNull();
  });

  it("that is changed while it runs starts again at the time of the change", () => {
    const window = windowOf({ ...BERLIN, at: "12:00", minutes: 60 });
    const sunday = at("2026-06-07T10:00:00Z");
    const changed = { ...window, validFrom: sunday + 20 * MINUTE };
    expect(occurrence(changed, sunday + 10 * MINUTE)).toBeNull();
    expect(occurrence(changed, sunday + 20 * MINUTE)).toEqual({
      ...{ from: sunday + 20 * MINUTE, to: sunday + HOUR, scheduled: sunday },
    });
  });
});
