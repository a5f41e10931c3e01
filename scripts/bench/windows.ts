import { occurrencesBetween } from "../../src/modules/alerting/maintenance/schedule/schedule";
import type { WindowSchedule } from "../../src/shared/outages/maintenance";
import { RECURRING, WALKED_ZONES, walkStarts } from "../../src/testing/fixtures/maintenance/recurring-windows";
import { option } from "./lib/client";
import { round } from "./lib/server";

/** Compares the starts of one schedule in a zone with the walk, year by year, and returns how many there are and differ. */
const compare = (zone: string, [schedule, isDue]: (typeof RECURRING)[number], years: readonly number[]) => {
  const window = { schedule: { ...schedule, zone } as WindowSchedule, validFrom: 0, overAt: null, ends: [] };
  let [starts, differences] = [0, 0];
  for (const year of years) {
    const span = { from: Date.UTC(year, 0, 1), to: Date.UTC(year + 1, 0, 1) };
    const walked = new Set(walkStarts(zone, span, isDue));
    const found = occurrencesBetween(window, span, 100_000).flatMap(({ from }) => (from >= span.from ? [from] : []));
    starts += found.length;
    const common = found.filter((start) => walked.has(start)).length;
    differences += found.length + walked.size - 2 * common;
  }
  return { starts, differences };
};

/** Maintenance windows of ten years in twenty zones against a walk through every minute. `--first` and `--years` change the years. */
export const bench = async (args: string[]): Promise<object> => {
  const first = option(args, "first", 2011);
  const years = Array.from({ length: option(args, "years", 10) }, (_, index) => first + index);
  const begun = performance.now();
  const losses: Record<string, number> = {};
  let starts = 0;
  for (const zone of WALKED_ZONES) {
    losses[zone] = 0;
    for (const recurring of RECURRING) {
      const compared = compare(zone, recurring, years);
      starts += compared.starts;
      losses[zone] += compared.differences;
    }
  }
  return {
    years: years.length,
    zones: WALKED_ZONES.length,
    starts,
    seconds: round((performance.now() - begun) / 1000, 0),
    losses,
  };
};
