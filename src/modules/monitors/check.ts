import type { Clock } from "../../clock";
import { type Outcome, probe, type Target } from "./probe";

const RETRY_PAUSE = 1000;

export type Check = Outcome & { checkedAt: number };

/**
 * One check: a request and, while it fails, its repetitions. Only the last outcome counts.
 * A repetition that could not end before `nextDueAt` is not begun.
 */
export const check = async (target: Target & { retries: number }, clock: Clock, nextDueAt: number): Promise<Check> => {
  const checkedAt = clock.now();
  let outcome = await probe(target);
  for (let retry = 0; retry < target.retries && !outcome.up; retry++) {
    if (clock.now() + RETRY_PAUSE + target.timeout * 1000 > nextDueAt) break;
    await clock.sleep(RETRY_PAUSE);
    outcome = await probe(target);
  }
  return { ...outcome, checkedAt };
};
