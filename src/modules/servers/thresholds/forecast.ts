/**
 * When a disk will be full, from the history of its share in use. Alerts and the forecasts on pages follow from this one rule:
 *
 *   1. the next four days   the lower of the rates of the last day and of the last six hours
 *   2. later                the lower of the rate of the last seven days and of the median growth of a day, which neither one
 *                           large file nor a daily cycle changes
 */
import { DAY, HOUR } from "../../../shared/limits";

/** The share in use in percent at a time in epoch milliseconds. */
export type SharePoint = { at: number; share: number };

/** An alert begins if less time than this is left, and ends if more than that is. */
export const [ALERT_BEGINS, ALERT_ENDS] = [72 * HOUR, 96 * HOUR];
/** For how long a mount has to be known. */
const LEAST_KNOWN = 12 * HOUR;
const RECENT = 6 * HOUR;
/** The fewest and the most days of history of a forecast beyond four days. */
const [LEAST_DAYS, DAYS] = [3, 7];
/** A disk that takes longer to fill up counts as not growing. */
const LONGEST = 365 * DAY;

/** Of the days before the last one a forecast uses every sixth hour: four of a day show its cycle. */
const STRIDE = 6;
/** Of these hours, the number that a day needs to count. */
const LEAST_HOURS = 2;

/** The numbers of the hours whose history a forecast uses: all of the last day, and some of the six days before. */
export const hoursOfForecast = (now: number): number[] => {
  const [first, last] = [Math.floor((now - DAYS * DAY) / HOUR), Math.floor(now / HOUR)];
  const recent = Math.floor((now - DAY) / HOUR);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (hour) => hour >= recent || hour % STRIDE === 0,
  );
};

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)];
  return ((sorted[low] ?? 0) + (sorted[high] ?? 0)) / 2;
};

/** The slope of the best line through points, in percent for each millisecond. */
const slopeOf = (points: readonly SharePoint[]): number => {
  const [at, share] = [meanOf(points.map((one) => one.at)), meanOf(points.map((one) => one.share))];
  const spread = points.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, one) => sum + (one.at - at) * (one.share - share), 0) / spread;
};

/** The mean share of each of the last days, the oldest first, at the hours that are read of all of them. */
const daysOf = (points: readonly SharePoint[], now: number): SharePoint[] => {
  const hourOf = ({ at }: SharePoint) => Math.floor(at / HOUR);
  const some = points.filter((point) => hourOf(point) % STRIDE === 0);
  return [...Map.groupBy(some, ({ at }) => Math.floor((now - at) / DAY))]
    .filter(([day, own]) => day >= 0 && day < DAYS && new Set(own.map(hourOf)).size >= LEAST_HOURS)
    .map(([day, own]) => ({ at: now - day * DAY, share: meanOf(own.map(({ share }) => share)) }))
    .toSorted((a, b) => a.at - b.at);
};

/** The median of the slopes from each day to the next one. */
const medianSlopeOf = (days: readonly SharePoint[]): number =>
  medianOf(
    days.slice(1).map(({ at, share }, place) => {
      const before = days[place] as SharePoint;
      return (share - before.share) / (at - before.at);
    }),
  );

/** The time until a disk is full at a rate. */
const leftAt = (rate: number, used: number): number => (rate > 0 ? (100 - used) / rate : Number.POSITIVE_INFINITY);

/** Infinity for a disk that does not grow, null if too little is known. */
type Forecast = {
  /** The milliseconds until the disk is full at the rates of the last day. Alerts begin and end by it. */
  soon: number | null;
  /** The same where that is within four days, or else at the rate of the last days. */
  left: number | null;
};

/** When a disk will be full, from points in the order of time and the share that is in use now. */
export const forecastOf = (points: readonly SharePoint[], used: number, now: number): Forecast => {
  const day = points.filter(({ at }) => at >= now - DAY);
  const [first, last] = [day[0], day.at(-1)];
  if (!first || !last || last.at - first.at < LEAST_KNOWN) return { soon: null, left: null };
  const recent = day.filter(({ at }) => at > now - RECENT);
  const rate = recent.length > 0 ? Math.min(slopeOf(day), slopeOf(recent)) : 0;
  const soon = leftAt(rate, used);
  if (soon <= ALERT_ENDS) return { soon, left: soon };
  const days = daysOf(points, now);
  if (days.length < LEAST_DAYS) return { soon, left: null };
  // It is not full within four days at the rates of the last day, which say more about them.
  const left = Math.max(leftAt(Math.min(slopeOf(days), medianSlopeOf(days)), used), ALERT_ENDS);
  return { soon, left: left > LONGEST ? Number.POSITIVE_INFINITY : left };
};
