import { processDialect } from "../core/config";

/** Whether slow tests run, which they do once: on SQLite, and on PostgreSQL with FULL or STRESS set. */
export const runsSlowTests = processDialect === "sqlite" || Boolean(process.env.FULL || process.env.STRESS);

/**
 * How often a test repeats what is random: `few` times, or `many` with STRESS set. Where slow tests do not run, a third
 * of `few`.
 */
export const repetitions = (few: number, many: number): number => {
  if (process.env.STRESS) return many;
  return runsSlowTests ? few : Math.ceil(few / 3);
};
