/** The times of scheduled reports: each Monday about the week before, or on the 1st about the month before. */
import { DAY, HOUR } from "../limits";
import { dateOfDay, dayIn, firstTimeOf } from "../time-zone";
import { monthStart, type Period, spanOfPeriod, weekStart } from "./period";

export const REPORT_INTERVALS = ["week", "month"] as const;
export type ReportInterval = (typeof REPORT_INTERVALS)[number];

/** Schedules of one user, and channels of one schedule. */
export const [MAX_REPORT_SCHEDULES, MAX_REPORT_CHANNELS] = [10, 10];

/** When a schedule is due: at an hour of a zone. */
export type ReportTimes = { every: ReportInterval; hour: number; zone: string };

/** The next due time of a schedule after a time. */
export const nextReportTime = ({ every, hour, zone }: ReportTimes, after: number): number => {
  const today = dayIn(zone, after);
  for (let later = 0; ; later++) {
    const day = every === "week" ? weekStart(today) + 7 * later : monthStart(today, later);
    const at = firstTimeOf(zone, day * DAY + hour * HOUR);
    if (at > after) return at;
  }
};

const PERIOD: Record<ReportInterval, Period> = { week: "last_week", month: "last_month" };

/** The period that a schedule reports on at a time. */
export const reportedSpan = ({ every, zone }: ReportTimes, at: number) => spanOfPeriod(PERIOD[every], zone, at);

/** Names the period that a schedule reports on at a time, the same in every time zone. */
export const reportedPeriod = (times: ReportTimes, at: number): string =>
  `${times.every} ${dateOfDay(dayIn(times.zone, reportedSpan(times, at).from))}`;
