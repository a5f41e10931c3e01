import { checkDays, checkHours } from "../../../db/schema";
import { histogramOf } from "../../../history/histogram";
import type { SumTable } from "../../../history/shape";
import { count, createSums, highest, histogram, lowest, type SumsOf, total } from "../../../history/sums";
import { DAY, HOUR } from "../../../shared/limits";
import type { StoredCheck } from "./pack";

const FIGURES = {
  up: count,
  down: count,
  /** Of the answered checks: their number, and their response times in milliseconds. */
  answered: count,
  totalTime: total,
  minTime: lowest,
  maxTime: highest,
  histogram,
};
/** Figures of the checks in a span of time. */
export type Sums = SumsOf<typeof FIGURES>;
const columns = createSums<Sums>(FIGURES);

export const sumOf = (checks: readonly StoredCheck[]): Sums => {
  const times = checks.flatMap(({ responseTime }) => (responseTime === null ? [] : [responseTime]));
  const up = checks.filter((check) => check.up).length;
  return {
    up,
    down: checks.length - up,
    answered: times.length,
    totalTime: total.add(times),
    minTime: lowest.add(times),
    maxTime: highest.add(times),
    histogram: histogramOf(times),
  };
};

export const addSums = columns.add;

export const hourSums: SumTable<StoredCheck, Sums> = {
  table: checkHours,
  bucket: "bucket",
  length: HOUR,
  sum: sumOf,
  ...columns,
};
export const daySums: SumTable<StoredCheck, Sums> = {
  table: checkDays,
  bucket: "bucket",
  length: DAY,
  sum: sumOf,
  ...columns,
};
