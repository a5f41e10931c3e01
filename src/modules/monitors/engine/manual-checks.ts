import type { Clock } from "../../../core/clock";
import { AppError, rateLimited } from "../../../core/errors";
import { LocalFailure } from "../../../probe/local-failure";
import { CONDITION_WORDS } from "../../../shared/conditions";

/** Monitors whose last manual check is remembered; the oldest is dropped first. */
const REMEMBERED = 10_000;

/** Keeps manual checks of one monitor apart, in this process. */
export const createManualPause = (clock: Pick<Clock, "now">) => {
  const startedAt = new Map<number, number>();
  return {
    /** @throws {AppError} rate_limited less than `pause` milliseconds after the last one began */
    require: (monitorId: number, pause: number): void => {
      const left = (startedAt.get(monitorId) ?? Number.NEGATIVE_INFINITY) + pause - clock.now();
      // A clock that was set back must not refuse for longer than the pause.
      if (left > 0 && left <= pause) throw rateLimited(Math.ceil(left / 1000));
    },
    /** Counts no longer: the check could not be made. */
    reset: (monitorId: number): void => void startedAt.delete(monitorId),
    begin: (monitorId: number): void => {
      startedAt.delete(monitorId);
      startedAt.set(monitorId, clock.now());
      const [oldest] = startedAt.keys();
      if (startedAt.size > REMEMBERED && oldest !== undefined) startedAt.delete(oldest);
    },
  };
};

/** What the caller of a manual check is told when it could not be made. */
export const refusalOf = (error: unknown): Error => {
  if (error instanceof LocalFailure)
    return new AppError("hub_unavailable", { reason: CONDITION_WORDS[error.condition] });
  return error instanceof Error ? error : new Error(String(error));
};
