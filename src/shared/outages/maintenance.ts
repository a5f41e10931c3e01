/** Maintenance windows with their targets and schedules. */
import type { Weekday } from "../alert-policy";

/** All targets of a team, or some by their ids and tags: a tag is its name, or name:value. */
export type WindowTargets = { all: boolean; monitors: number[]; agents: number[]; tags: string[] };

/** A day of each month that has it: its number, the last one, or one of its weekdays. */
export type DayOfMonth = number | "last" | { nth: 1 | 2 | 3 | 4 | "last"; weekday: Weekday };

/** The wall time HH:MM and the zone of a start, and the length. */
type Times = { at: string; minutes: number; zone: string };

/** A schedule with a start again and again. */
export type RecurringSchedule =
  /** On days of each week, or of every few weeks counted from the week of the date `anchor`. */
  | (Times & { kind: "weekly"; days: readonly Weekday[]; weeks: number; anchor: string })
  | (Times & { kind: "monthly"; day: DayOfMonth })
  | (Omit<Times, "at"> & { kind: "cron"; cron: string });

export type WindowSchedule =
  | RecurringSchedule
  | { kind: "once"; from: number; to: number }
  /** Until it is ended by a call, at most for the longest time of a window. */
  | { kind: "open"; from: number };
export const SCHEDULE_KINDS = ["once", "weekly", "monthly", "cron", "open"] as const;

export const WINDOW_LIMITS = {
  /** Windows of a team that are not over. */
  windows: 200,
  title: 100,
  /** Ids or tags of one window. */
  targets: 1000,
  /** Minutes of an occurrence: 7 days. */
  minutes: 7 * 1440,
  /** Minutes of a window that begins now. */
  started: 1440,
  weeks: 8,
} as const;
