import type { Clock } from "../lib/time";
import type { CheckError } from "../shared/monitor";

const RETRY_PAUSE = 1000;

/** The outcome of one request. */
export type Outcome = {
  up: boolean;
  /** Milliseconds from before name resolution until the answer was complete; null without an answer. */
  responseTime: number | null;
  /** The status of an HTTP response, otherwise null. */
  statusCode: number | null;
  /** Null when up. */
  error: CheckError | null;
  /** Epoch milliseconds. */
  certExpiresAt: number | null;
};

export type Check = Outcome & { checkedAt: number };

type Parts = {
  clock: Clock;
  /** Waits until the limit of requests per host allows a retry. */
  beforeRetry?: () => Promise<void>;
};

/**
 * Runs one check: an attempt and, while it fails, its retries. Only the last outcome counts. A retry that could not end
 * before `nextDueAt` is not started. `timeout` is in seconds.
 * @throws {LocalFailure} when the hub itself could not make a request
 */
export const check = async (
  attempt: () => Promise<Outcome>,
  { timeout, retries }: { timeout: number; retries: number },
  { clock, beforeRetry }: Parts,
  nextDueAt: number,
): Promise<Check> => {
  const checkedAt = clock.now();
  let outcome = await attempt();
  for (let retry = 0; retry < retries && !outcome.up; retry++) {
    if (clock.now() + RETRY_PAUSE + timeout * 1000 > nextDueAt) break;
    await clock.sleep(RETRY_PAUSE);
    await beforeRetry?.();
    outcome = await attempt();
  }
  return { ...outcome, checkedAt };
};
