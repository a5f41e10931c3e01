/**
 * Uptime objectives. The error budget of an objective is the downtime that it allows in a period; the burn rate is how many
 * times faster than evenly over the period the budget is used. The rates that alert are taken from the chapter "Alerting on SLOs"
 * of Google's Site Reliability Workbook.
 */
import { type CheckError, checkError } from "../check-error";
import { DAY, HOUR, MINUTE } from "../limits";
import { startOfDay, wallTime } from "../time-zone";

/** The last days up to now, or the present calendar month or quarter. */
export const OBJECTIVE_PERIODS = ["7d", "28d", "30d", "month", "quarter"] as const;
export type ObjectivePeriod = (typeof OBJECTIVE_PERIODS)[number];

/** Uptimes in percent. Without a budget, as with 100 %, no burn rate is defined. */
export const OBJECTIVE_BOUNDS = { lowest: 90, highest: 99.999 } as const;

/** The most objectives of a user. */
export const MAX_OBJECTIVES = 1000;

export type Objective = {
  /** The uptime in percent. */
  target: number;
  period: ObjectivePeriod;
};

/** A time from `from` to before `to`, in epoch milliseconds. */
type Span = { from: number; to: number };

const ROLLING_DAYS: Partial<Record<ObjectivePeriod, number>> = { "7d": 7, "28d": 28, "30d": 30 };

/** The period around `now`. A calendar period begins and ends at midnight in the zone, and ends in the future. */
export const periodAt = (period: ObjectivePeriod, zone: string, now: number): Span => {
  const days = ROLLING_DAYS[period];
  if (days !== undefined) return { from: now - days * DAY, to: now };
  const today = new Date(wallTime(zone, now));
  const months = period === "month" ? 1 : 3;
  const first = Math.floor(today.getUTCMonth() / months) * months;
  const startOf = (month: number) => startOfDay(zone, Date.UTC(today.getUTCFullYear(), month, 1) / DAY);
  return { from: startOf(first), to: startOf(first + months) };
};

/** The downtime in milliseconds that a target in percent allows in a span of `length` milliseconds. */
export const errorBudget = (target: number, length: number): number => (length * (100 - target)) / 100;

/** How many times faster than evenly the budget is used: `down` of `length` milliseconds. 1 uses it up in one period. */
export const burnRate = (target: number, down: number, length: number): number => down / errorBudget(target, length);

/** The spans up to now in milliseconds that burn rates are measured over. */
export const BURN_SPANS = { "5m": 5 * MINUTE, "30m": 30 * MINUTE, "1h": HOUR, "6h": 6 * HOUR } as const;
export type BurnRates = Record<keyof typeof BURN_SPANS, number>;

/** The budget burns while both spans of a pair exceed its rate. */
const BURNING = [
  { rate: 14.4, long: "1h", short: "5m" },
  { rate: 6, long: "6h", short: "30m" },
] as const;

/** Whether the budget burns. Once it does, it burns until half an hour has used no more than its even share. */
export const isBurning = (rates: BurnRates, wasBurning: boolean): boolean =>
  BURNING.some(({ rate, long, short }) => rates[long] >= rate && rates[short] >= rate) ||
  (wasBurning && rates["30m"] > 1);

export type Budget = {
  /** The downtime in milliseconds that the objective allows in its period. */
  budget: number;
  /** The downtime of the period so far. */
  down: number;
  rates: BurnRates;
};

/** Whole percent of the budget that is used. */
export const usedPercent = ({ budget, down }: Pick<Budget, "budget" | "down">): number =>
  Math.floor((down / budget) * 100);

/** Why the outage of a budget is open. */
export const budgetError = (
  kind: "budget_burning" | "budget_spent",
  { target }: Objective,
  budget: Budget,
): CheckError => checkError(kind, { target, used: usedPercent(budget) });
