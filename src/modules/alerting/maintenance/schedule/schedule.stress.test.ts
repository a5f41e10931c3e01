import { expect, it } from "bun:test";
import { DAY } from "../../../../shared/limits";
import type { WindowSchedule } from "../../../../shared/outages/maintenance";
import { wallTime } from "../../../../shared/time-zone";
import { RECURRING, WALKED_ZONES, walkStarts } from "../../../../testing/fixtures/maintenance/recurring-windows";
import { occurrencesBetween } from "./schedule";

// With the day that Samoa skipped, and many rules that were changed.
const [FIRST, LAST] = [Date.UTC(2011, 0, 1), Date.UTC(2021, 0, 1)];

/** Two days around each change of clocks, and one day in nineteen. The benchmark `windows` walks through every minute. */
const spansOf = (zone: string) =>
  Array.from({ length: (LAST - FIRST) / DAY }, (_, day) => FIRST + day * DAY).flatMap((from, index) => {
    const offsets = [from, from + DAY, from + 2 * DAY].map((time) => wallTime(zone, time) - time);
    const isChange = new Set(offsets).size > 1;
    return isChange || index % 19 === 0 ? [{ from, to: from + (isChange ? 2 : 1) * DAY }] : [];
  });

it.each(WALKED_ZONES)(
  "windows in %s agree with a walk minute by minute through changes of clocks and other days",
  (zone) => {
    for (const [schedule, isDue] of RECURRING) {
      const window = { schedule: { ...schedule, zone } as WindowSchedule, validFrom: 0, overAt: null, ends: [] };
      for (const span of spansOf(zone)) {
        const found = occurrencesBetween(window, span, 100_000);
        const starts = found.flatMap(({ from }) => (from >= span.from ? [from] : []));
        expect([span.from, starts]).toEqual([span.from, walkStarts(zone, span, isDue)]);
      }
    }
  },
);
