import { describe, expect, it } from "bun:test";
import { DAY, HOUR, MINUTE } from "../limits";
import { wallTime } from "../time-zone";
import { nextReportTime, REPORT_INTERVALS, type ReportTimes, reportedPeriod, reportedSpan } from "./schedule";

const iso = (time: number) => new Date(time).toISOString();
const next = (times: ReportTimes, after: string) => iso(nextReportTime(times, Date.parse(after)));
const BERLIN = "Europe/Berlin";

describe("the times of reports", () => {
  it("are each Monday, or the 1st, at an hour of the zone", () => {
    const monthly = { every: "month", hour: 8, zone: BERLIN } as const;
    expect(next(monthly, "2026-01-15T12:00:00Z")).toBe("2026-02-01T07:00:00.000Z");
    expect(next(monthly, "2026-02-01T06:59:59Z")).toBe("2026-02-01T07:00:00.000Z");
    expect(next(monthly, "2026-02-01T07:00:00Z")).toBe("2026-03-01T07:00:00.000Z");
    expect(next(monthly, "2026-12-31T23:30:00Z")).toBe("2027-01-01T07:00:00.000Z");
    const weekly = { every: "week", hour: 0, zone: "Asia/Shanghai" } as const;
    expect(next(weekly, "2026-01-15T12:00:00Z")).toBe("2026-01-18T16:00:00.000Z");
    expect(next(weekly, "2026-01-18T16:00:00Z")).toBe("2026-01-25T16:00:00.000Z");
  });

  it("keep their hour after a change of clocks, and have the next one where clocks skip it", () => {
    const monthly = { every: "month", hour: 8, zone: BERLIN } as const;
    expect(next(monthly, "2026-03-15T12:00:00Z")).toBe("2026-04-01T06:00:00.000Z");
    // Midnight of the 1st of October 2023 did not exist in Asunción.
    expect(next({ every: "month", hour: 0, zone: "America/Asuncion" }, "2023-09-20T00:00:00Z")).toBe(
      "2023-10-01T04:00:00.000Z",
    );
  });

  it("are the first minute of their hour and day, in every zone, as a search by minutes finds it", () => {
    for (const zone of [BERLIN, "America/Asuncion", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Cairo"])
      for (const every of REPORT_INTERVALS)
        for (const hour of [0, 1, 2, 3, 23]) {
          const after = Date.parse("2023-09-25T12:00:00Z");
          const at = nextReportTime({ every, hour, zone }, after);
          const wall = wallTime(zone, at);
          const isDay = every === "week" ? new Date(wall).getUTCDay() === 1 : new Date(wall).getUTCDate() === 1;
          const hourOfDay = Math.floor(wall / DAY) * DAY + hour * HOUR;
          const isFirst = wall >= hourOfDay && wallTime(zone, at - 15 * MINUTE) < hourOfDay;
          expect([zone, every, hour, isDay, isFirst]).toEqual([zone, every, hour, true, true]);
        }
  });

  it("have the week or month before as their period, whose name does not depend on the hour and the zone", () => {
    const times = { every: "month", hour: 23, zone: BERLIN } as const;
    const at = Date.parse("2026-04-01T21:00:00Z");
    expect(Object.values(reportedSpan(times, at)).map(iso)).toEqual([
      "2026-02-28T23:00:00.000Z",
      "2026-03-31T22:00:00.000Z",
    ]);
    expect(reportedPeriod(times, at)).toBe("month 2026-03-01");
    expect(reportedPeriod({ ...times, zone: "Asia/Shanghai", hour: 0 }, at)).toBe("month 2026-03-01");
    expect(reportedPeriod({ ...times, every: "week" }, Date.parse("2026-01-19T07:00:00Z"))).toBe("week 2026-01-12");
  });
});
