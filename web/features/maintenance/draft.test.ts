import { expect, test } from "bun:test";
import { type Draft, draftOf, newDraft, scheduleOf, splitLength } from "./draft";

const NOW = Date.UTC(2026, 0, 15, 12, 20);
const BERLIN = "Europe/Berlin";
const draft = (change: Partial<Draft>): Draft => ({ ...newDraft(NOW, BERLIN), ...change });

test("a new window is once, from the next full hour of the user's time zone", () => {
  expect(scheduleOf(newDraft(NOW, BERLIN))).toEqual({
    schedule: { kind: "once", from: "2026-01-15T13:00:00.000Z", to: "2026-01-15T14:00:00.000Z" },
  });
});

test("a time that the clock skips in spring is the moment after the gap", () => {
  const schedule = scheduleOf(draft({ from: "2026-03-29T02:30", to: "2026-03-29T04:00" }));
  expect(schedule).toMatchObject({ schedule: { from: "2026-03-29T01:00:00.000Z", to: "2026-03-29T02:00:00.000Z" } });
});

test.each<[string, Partial<Draft>]>([
  ["on weekdays", { kind: "weekly", days: [1, 5], at: "22:15", length: "90" }],
  ["every few weeks", { kind: "weekly", days: [7], weeks: 3, anchor: "2026-01-01" }],
  ["on a day of the month", { kind: "monthly", by: "day", day: "31" }],
  ["on the last day of the month", { kind: "monthly", by: "last" }],
  ["on a weekday of the month", { kind: "monthly", by: "nth", nth: "2", weekday: 3 }],
  ["on the last weekday of the month", { kind: "monthly", by: "nth", nth: "last", weekday: 7 }],
  ["by cron", { kind: "cron", cron: "0 3 * * 1-5", length: "2", unit: "days" }],
  ["until it is ended", { kind: "open", from: "2026-01-16T10:00" }],
])("a window %s is edited as it was saved", (_, change) => {
  const result = scheduleOf(draft({ unit: "minutes", length: "45", ...change }));
  if (!("schedule" in result)) throw new Error(`missing: ${result.missing}`);
  const again = draftOf({ schedule: result.schedule as Parameters<typeof draftOf>[0]["schedule"] }, NOW, BERLIN);
  expect(scheduleOf(again)).toEqual(result);
});

test.each<[Partial<Draft>, string[]]>([
  [{ from: "" }, ["from"]],
  [{ zone: "Europe/Nowhere" }, ["zone"]],
  [{ kind: "weekly", days: [], length: "" }, ["days", "minutes"]],
  [{ kind: "weekly", weeks: 2, anchor: "" }, ["anchor"]],
  [{ kind: "monthly", at: "", length: "0" }, ["at", "minutes"]],
  [{ kind: "cron", cron: " ", length: "1.5" }, ["cron", "minutes"]],
])("a form with %j misses %j", (change, missing) => {
  expect(scheduleOf(draft(change))).toEqual({ missing: missing as never });
});

test("a length is shown in the largest unit that holds it", () => {
  expect([90, 120, 2880].map(splitLength)).toEqual([
    { length: "90", unit: "minutes" },
    { length: "2", unit: "hours" },
    { length: "2", unit: "days" },
  ]);
});
