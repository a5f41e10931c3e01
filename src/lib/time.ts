import { MINUTE, SECOND } from "../shared/limits";
import { CRON_EXPECTED } from "../shared/monitor-kinds/heartbeat";

/** The clock of the hub, which tests replace by a fixed one. */
export type Clock = {
  /** Epoch milliseconds. */
  now: () => number;
  sleep: (milliseconds: number) => Promise<void>;
};

export const systemClock: Clock = { now: Date.now, sleep: (milliseconds) => Bun.sleep(milliseconds) };

/** The numbers of the buckets since a time, including the current one. */
export const bucketsSince = (since: number, now: number, length: number): number[] => {
  const first = Math.floor(since / length);
  return Array.from({ length: Math.floor(now / length) - first + 1 }, (_, index) => first + index);
};

/** Milliseconds. A clock that went back by more than this was set; less is drift. */
export const CLOCK_JUMP_MS = 2000;

const minutes = new Map<number, string>();
const MINUTES_KEPT = 10_000;

/** `2026-01-15T12:34:` */
const upToSeconds = (minute: number): string => {
  const cached = minutes.get(minute);
  if (cached !== undefined) return cached;
  if (minutes.size >= MINUTES_KEPT) minutes.clear();
  const text = new Date(minute * MINUTE).toISOString().slice(0, -"00.000Z".length);
  minutes.set(minute, text);
  return text;
};

const SECONDS = Array.from({ length: 60 }, (_, number) => `${String(number).padStart(2, "0")}.`);
const MILLISECONDS = Array.from({ length: 1000 }, (_, number) => `${String(number).padStart(3, "0")}Z`);

/**
 * Formats a time as ISO 8601 in UTC with milliseconds, like Date's toISOString but much faster: lists hold
 * thousands of times of the same minutes.
 */
export const isoTime = (time: number): string => {
  const minute = Math.floor(time / MINUTE);
  const rest = time - minute * MINUTE;
  return `${upToSeconds(minute)}${SECONDS[Math.floor(rest / SECOND)]}${MILLISECONDS[rest % SECOND]}`;
};

/** Formats a time like isoTime; null stays null. */
export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

const CRON_NEVER = "the days of this cron expression never come, such as 30 February";

/**
 * The first time of a cron expression after `from`, or null if there is no such time in the next years.
 * @throws {Error} when the expression or the time zone is invalid
 */
export const nextCronTime = (cron: string, tz: string, from: number): number | null =>
  Bun.cron.parse(cron, new Date(from), { tz })?.getTime() ?? null;

/** The error of a cron expression with its code, or null if it is valid and has a time. */
export const cronProblem = (expression: string): { path: string; message: string; code: string } | null => {
  try {
    const isNever = nextCronTime(expression, "UTC", 0) === null;
    return isNever ? { path: "cron", message: `cron: ${CRON_NEVER}`, code: "cron_never" } : null;
  } catch {
    return { path: "cron", message: `cron: ${CRON_EXPECTED}`, code: "cron_unknown" };
  }
};
