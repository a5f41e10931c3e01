import { expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR } from "../../../shared/limits";
import { daySpan, monthSpan } from "./spans";

const NOW = Date.parse("2026-03-15T12:00:00Z");
const shown = (span: ReturnType<typeof monthSpan>) =>
  span && [
    span.month ?? span.day,
    isoTime(span.from).slice(0, 16),
    isoTime(span.to).slice(0, 16),
    span.earlier,
    span.later,
  ];

it("months begin at midnight in the zone of the page, on the day of a clock change too", () => {
  const berlin = { zone: "Europe/Berlin", historyDays: 365 };
  expect(shown(monthSpan(berlin, NOW))).toEqual(["2026-03", "2026-02-28T23:00", "2026-03-31T22:00", "2026-02", null]);
  expect(shown(monthSpan(berlin, NOW, "2025-10"))).toEqual([
    ...["2025-10", "2025-09-30T22:00", "2025-10-31T23:00", "2025-09", "2025-11"],
  ]);
  // It is the next month in Kiritimati already.
  const later = Date.parse("2026-03-31T11:00:00Z");
  expect(monthSpan({ ...berlin, zone: "Pacific/Kiritimati" }, later)?.month).toBe("2026-04");
});

it.each([14, 30, 90, 365])("of %d days, months and days outside of the history do not exist", (historyDays) => {
  const page = { zone: "UTC", historyDays };
  const oldest = Math.floor(NOW / DAY) * DAY - (historyDays - 1) * DAY;
  const months: string[] = [];
  for (let month = monthSpan(page, NOW); month; month = monthSpan(page, NOW, month.earlier ?? "none")) {
    months.push(month.month ?? "");
    expect(month.from).toBeGreaterThanOrEqual(oldest);
  }
  expect(months.at(-1)).toBe(isoTime(oldest).slice(0, 7));
  const days: string[] = [];
  for (let day = daySpan(page, NOW, "2026-03-15"); day; day = daySpan(page, NOW, day.earlier ?? "none"))
    days.push(day.day ?? "");
  expect(days).toHaveLength(historyDays);
  expect(days.at(-1)).toBe(isoTime(oldest).slice(0, 10));
  for (const month of ["2026-04", "2019-01", "2026-13", "2026-3", "x", ""])
    expect(monthSpan(page, NOW, month)).toBeNull();
  for (const day of ["2026-03-16", "2026-02-30", "2026-3-1", "x", ""]) expect(daySpan(page, NOW, day)).toBeNull();
  expect(daySpan(page, NOW + 12 * HOUR, "2026-03-16")?.later).toBeNull();
});
