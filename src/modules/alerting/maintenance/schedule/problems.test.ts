import { expect, it } from "bun:test";
import { DAY } from "../../../../shared/limits";
import type { WindowSchedule } from "../../../../shared/outages/maintenance";
import { scheduleProblems } from "./problems";

const WEEKLY = {
  kind: "weekly",
  days: [1],
  weeks: 1,
  anchor: "2026-01-01",
  at: "03:00",
  minutes: 60,
  zone: "UTC",
} as const;
const CRON = { kind: "cron", cron: "0 3 * * *", minutes: 60, zone: "Europe/Berlin" } as const;

it.each([
  ["ends when it starts", { kind: "once", from: 5, to: 5 }, "to", "window_empty"],
  ["ends before it starts", { kind: "once", from: 5, to: 4 }, "to", "window_empty"],
  ["is longer than a week", { kind: "once", from: 0, to: 7 * DAY + 1 }, "to", "window_too_long"],
  ["recurs and is longer than a week", { ...WEEKLY, weeks: 2, minutes: 7 * 1440 + 1 }, "minutes", "window_too_long"],
  ["lasts until its next start", { ...WEEKLY, minutes: 7 * 1440 }, "minutes", "window_overlaps"],
  ["overlaps the one of the next day", { ...WEEKLY, days: [1, 2], minutes: 1440 }, "minutes", "window_overlaps"],
  ["overlaps the one of Monday after Sunday", { ...WEEKLY, days: [1, 7], minutes: 1440 }, "minutes", "window_overlaps"],
  [
    "is longer than the time between two times of cron",
    { ...CRON, cron: "0 2,4 * * *", minutes: 120 },
    "minutes",
    "window_overlaps",
  ],
  ["comes more often than once an hour", { ...CRON, cron: "0,50 * * * *", minutes: 5 }, "cron", "window_too_often"],
  ["has a cron expression that never comes", { ...CRON, cron: "0 0 31 2 *" }, "cron", "cron_never"],
  ["has no cron expression", { ...CRON, cron: "every day" }, "cron", "cron_unknown"],
  ["has no days", { ...WEEKLY, days: [] }, "days", "window_never"],
  ["counts weeks from a date that does not exist", { ...WEEKLY, anchor: "2026-02-31" }, "anchor", "date_unknown"],
  ["is in an unknown zone", { ...CRON, zone: "Mars/Olympus" }, "zone", "zone_unknown"],
] satisfies [string, WindowSchedule, string, string][])(
  "a window that %s is refused with a code",
  (_, schedule, path, code) => {
    expect(scheduleProblems(schedule)).toMatchObject([{ path, code }]);
  },
);

it.each([
  ["of a week", { kind: "once", from: 0, to: 7 * DAY }],
  ["that is open", { kind: "open", from: 0 }],
  ["of a week every two weeks", { ...WEEKLY, weeks: 2, minutes: 7 * 1440 }],
  ["on the 31st", { kind: "monthly", day: 31, at: "00:00", minutes: 1440, zone: "UTC" }],
  ["of 59 minutes every hour", { ...CRON, cron: "0 * * * *", minutes: 59 }],
] satisfies [string, WindowSchedule][])("a window %s is accepted", (_, schedule) => {
  expect(scheduleProblems(schedule)).toEqual([]);
});
