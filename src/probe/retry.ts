import type { Clock } from "../core/clock";
import { type Outcome, probe, type Target } from "./http";
import type { Outbound } from "./outbound";

const RETRY_PAUSE = 1000;

export type Check = Outcome & { checkedAt: number };

type Parts = {
  clock: Clock;
  outbound: Outbound;
  /** Waits until a retry may start; see admission.ts. */
  beforeRetry?: () => Promise<void>;
};

/**
 * One check: a request and, while it fails, its retries. Only the last outcome counts. A retry that could not end
 * before `nextDueAt` is not started.
 * @throws {LocalFailure} when the hub itself could not make a request
 */
export const check = async (
  target: Target & { retries: number },
  { clock, outbound, beforeRetry }: Parts,
  nextDueAt: number,
): Promise<Check> => {
  const checkedAt = clock.now();
  let outcome = await probe(target, outbound);
  for (let retry = 0; retry < target.retries && !outcome.up; retry++) {
    if (clock.now() + RETRY_PAUSE + target.timeout * 1000 > nextDueAt) break;
    await clock.sleep(RETRY_PAUSE);
    await beforeRetry?.();
    outcome = await probe(target, outbound);
  }
  return { ...outcome, checkedAt };
};
