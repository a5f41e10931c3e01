import { describe, expect, it } from "bun:test";
import type { QuietHours, Weekday } from "../../../../shared/alert-policy";
import { DAY, HOUR, MINUTE } from "../../../../shared/limits";
import { createRandom } from "../../../../testing/random";
import { repetitions } from "../../../../testing/repetitions";
import { quietEnd } from "./quiet";

const EVERY_DAY: Weekday[] = [1, 2, 3, 4, 5, 6, 7];
const quiet = (facts: Partial<QuietHours>): QuietHours => ({
  days: EVERY_DAY,
  from: "22:00",
  to: "07:00",
  timeZone: "Europe/Berlin",
  mode: "hold",
  ...facts,
});
const at = (text: string) => Date.parse(text);
const endOf = (hours: QuietHours, text: string) => {
  const end = quietEnd(hours, at(text));
  return end === null ? null : new Date(end).toISOString();
};

describe("quiet hours", () => {
  const cases: [string, Partial<QuietHours>, string, string | null][] = [
    ["over midnight, in the evening", {}, "2026-01-15T22:30:10Z", "2026-01-16T06:00:00.000Z"],
    ["over midnight, in the morning", {}, "2026-01-15T05:59:59.999Z", "2026-01-15T06:00:00.000Z"],
    ["at their end", {}, "2026-01-15T06:00:00Z", null],
    ["at their start", {}, "2026-01-15T21:00:00Z", "2026-01-16T06:00:00.000Z"],
    ["before their start", {}, "2026-01-15T20:59:59Z", null],
    ["of a day, which start on it alone", { days: [4] }, "2026-01-15T03:00:00Z", null],
    ["of a day, which end on the next", { days: [4] }, "2026-01-16T03:00:00Z", "2026-01-16T06:00:00.000Z"],
    ["within a day", { from: "12:00", to: "13:30" }, "2026-01-15T11:10:00Z", "2026-01-15T12:30:00.000Z"],
    [
      "of a whole weekend",
      { days: [6, 7], from: "00:00", to: "00:00" },
      "2026-01-17T10:00:00Z",
      "2026-01-18T23:00:00.000Z",
    ],
    // Berlin skips 02:00 to 03:00 on 29 March and repeats it on 25 October.
    ["that a clock change shortens", {}, "2026-03-28T22:00:00Z", "2026-03-29T05:00:00.000Z"],
    ["that a clock change lengthens", {}, "2026-10-24T21:00:00Z", "2026-10-25T06:00:00.000Z"],
    ["whose end is skipped", { from: "01:00", to: "02:30" }, "2026-03-29T00:30:00Z", "2026-03-29T01:00:00.000Z"],
    ["whose start is skipped", { from: "02:30", to: "04:00" }, "2026-03-29T01:00:00Z", "2026-03-29T02:00:00.000Z"],
    ["that are skipped", { from: "02:10", to: "02:50" }, "2026-03-29T01:00:00Z", null],
    ["whose first end is repeated", { from: "01:00", to: "02:30" }, "2026-10-25T00:20:00Z", "2026-10-25T00:30:00.000Z"],
    ["whose second end comes", { from: "01:00", to: "02:30" }, "2026-10-25T01:20:00Z", "2026-10-25T01:30:00.000Z"],
    ["in a zone without a name", { timeZone: "Mars/Olympus" }, "2026-01-15T23:00:00Z", "2026-01-16T07:00:00.000Z"],
  ];
  it.each(cases)("%s", (_, facts, time, end) => expect(endOf(quiet(facts), time)).toBe(end));

  it("without a gap end within nine days, so that nothing is held for ever", () => {
    const end = quietEnd(quiet({ from: "08:00", to: "08:00" }), at("2026-01-15T12:00:00Z"));
    expect(end).toBeGreaterThan(at("2026-01-22T12:00:00Z"));
    expect(end).toBeLessThan(at("2026-01-24T12:00:00Z"));
  });
});

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The plain rule, minute by minute: quiet from `from` to `to` on the days given, or until `to` on the day after. */
const createSlowModel = (hours: QuietHours) => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: hours.timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const isQuiet = (time: number): boolean => {
    // As in "Mon 08:15".
    const text = format.format(time);
    const [day, clock] = [DAYS.indexOf(text.slice(0, 3)), text.slice(-5)];
    const today = hours.days.includes((day + 1) as Weekday);
    const yesterday = hours.days.includes((((day + 6) % 7) + 1) as Weekday);
    if (hours.from < hours.to) return today && hours.from <= clock && clock < hours.to;
    return (today && clock >= hours.from) || (yesterday && clock < hours.to);
  };
  return (time: number): number | null => {
    if (!isQuiet(time)) return null;
    let minute = Math.floor(time / MINUTE) * MINUTE;
    while (isQuiet(minute)) minute += MINUTE;
    return minute;
  };
};

// Each with the time of a change in 2026: by an hour at night, by half an hour, at midnight, and a zone without any.
const CHANGES: [string, string][] = [
  ["Europe/Berlin", "2026-03-29T01:00:00Z"],
  ["Europe/Berlin", "2026-10-25T01:00:00Z"],
  ["America/New_York", "2026-03-08T07:00:00Z"],
  ["America/New_York", "2026-11-01T06:00:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["America/Havana", "2026-03-08T05:00:00Z"],
  ["America/St_Johns", "2026-11-01T04:30:00Z"],
  ["Asia/Kathmandu", "2026-05-01T00:00:00Z"],
  ["Africa/Casablanca", "2026-02-15T02:00:00Z"],
];

describe("the end of quiet hours agrees with a walk minute by minute", () => {
  it.each(CHANGES)("in %s around %s", (timeZone, change) => {
    const random = createRandom(Date.parse(change) / 1000);
    const clock = () => `${String(random.below(24)).padStart(2, "0")}:${String(random.below(60)).padStart(2, "0")}`;
    for (let round = 0; round < repetitions(8, 25); round++) {
      const days = EVERY_DAY.filter(() => random.below(3) > 0);
      const from = random.below(5) === 0 ? "00:00" : clock();
      const to = random.below(5) === 0 ? from : clock();
      const hours = quiet({ days: days.length === 7 ? [1, 3, 4, 6] : days, from, to, timeZone });
      const slow = createSlowModel(hours);
      for (let look = 0; look < 8; look++) {
        const time = Date.parse(change) + Math.round((random.below(1000) / 1000 - 0.5) * 2 * DAY);
        expect([hours, time, quietEnd(hours, time)]).toEqual([hours, time, slow(time)]);
      }
      const near = Date.parse(change) + (random.below(9) - 4) * 15 * MINUTE + random.below(60_000);
      expect([hours, near, quietEnd(hours, near)]).toEqual([hours, near, slow(near)]);
      expect(quietEnd(hours, near + HOUR)).toBe(slow(near + HOUR));
    }
  });
});
