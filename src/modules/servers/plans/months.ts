import type { TrafficMode, TrafficPlan } from "../../../shared/agents/server-plan";
import { DAY } from "../../../shared/limits";
import { startOfDay } from "../../../shared/time-zone";
import type { Bytes } from "../traffic/count";

/** A month of a plan: the numbers of its first day, and of the first day of the next one. */
export type Month = { first: number; end: number };

/** The date of a day, YYYY-MM-DD. */
export const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/** The number of the day of a date, YYYY-MM-DD; NaN for a date that does not exist. */
export const dayOf = (date: string): number => {
  const day = Date.parse(`${date}T00:00:00Z`) / DAY;
  // Date.parse accepts 30 February.
  return Number.isInteger(day) && dateOf(day) === date ? day : Number.NaN;
};

/** The first day that counts in a calendar month, which is numbered from year 0. */
const resetIn = (month: number, resetDay: number): number => {
  const [year, index] = [Math.floor(month / 12), month % 12];
  const last = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  return Date.UTC(year, index, Math.min(resetDay, last)) / DAY;
};

/** The month of a plan that has this day. */
export const monthOf = (day: number, resetDay: number): Month => {
  const date = new Date(day * DAY);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const begun = day >= resetIn(month, resetDay) ? month : month - 1;
  return { first: resetIn(begun, resetDay), end: resetIn(begun + 1, resetDay) };
};

/** The latest months of a plan up to the month of this day, newest first. */
export const monthsUntil = (day: number, resetDay: number, count: number): Month[] => {
  const months: Month[] = [];
  for (let last = day; months.length < count; last = (months.at(-1) as Month).first - 1)
    months.push(monthOf(last, resetDay));
  return months;
};

const used: Record<TrafficMode, (rx: number, tx: number) => number> = {
  sum: (rx, tx) => rx + tx,
  rx: (rx) => rx,
  tx: (_rx, tx) => tx,
  max: Math.max,
};

/** The bytes of a month that count against the quota. */
export const usedIn = ({ first }: Month, [rx, tx]: Bytes, { mode, correction }: TrafficPlan): number =>
  Math.max(0, used[mode](rx, tx) + (correction && dayOf(correction.month) === first ? correction.bytes : 0));

/** Below this time the rate of a month is not known well enough. */
const LEAST_MEASURED = DAY;

/**
 * When the quota of a month is used up at the average rate of the month so far; null when it is not before the month ends,
 * when it is used up already, or when too little of the month is known. `firstCounted` is the first day with traffic.
 */
export const exhaustedAt = (
  month: Month & { used: number; firstCounted: number },
  { quota, zone, correction }: TrafficPlan,
  now: number,
): number | null => {
  if (quota === null || month.used >= quota || month.used <= 0) return null;
  const corrected = correction !== null && dayOf(correction.month) === month.first;
  // A correction stands for what was used before it was counted.
  const from = startOfDay(zone, corrected ? month.first : Math.max(month.first, month.firstCounted));
  if (now - from < LEAST_MEASURED) return null;
  const at = from + ((now - from) * quota) / month.used;
  return at < startOfDay(zone, month.end) ? Math.round(at) : null;
};
