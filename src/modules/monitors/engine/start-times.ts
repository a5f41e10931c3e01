/** Checks that start within so many milliseconds of each other start together. */
export const START_GRANULARITY_MS = 20;
const SECOND = 1000;

/**
 * Which jobs start after how many milliseconds: each at its own time. What is overdue by more than a second, after a
 * pause of the console perhaps, is spread over one, so that not all of it starts at once.
 */
export const groupByStart = <T extends { dueAt: number }>(jobs: T[], now: number): Map<number, T[]> => {
  const overdue = jobs.filter(({ dueAt }) => dueAt < now - SECOND);
  const startOf = new Map(overdue.map((job, index) => [job, now + (index * SECOND) / overdue.length]));
  return Map.groupBy(jobs, (job) => {
    const wait = (startOf.get(job) ?? job.dueAt) - now;
    return Math.max(0, Math.ceil(wait / START_GRANULARITY_MS)) * START_GRANULARITY_MS;
  });
};
