import { AppError, rateLimited } from "../../../../core/errors";
import type { Clock } from "../../../../lib/time";
import type { Claims } from "../claims/claims";
import type { ChecksInFlight, ResultBuffer } from "../in-flight";
import type { Check, CheckRunner } from "../run-check";

/** Milliseconds between two manual checks of one monitor, by the role of the caller. */
export const MANUAL_PAUSE = { user: 10_000, admin: 1000 };

/** Monitors whose last manual check is stored; the oldest is dropped first. */
const REMEMBERED = 10_000;

type Parts = {
  flights: ChecksInFlight;
  claims: Claims;
  results: ResultBuffer;
  runner: CheckRunner;
  manualPause: ManualPause;
};

/** Checks outside the schedule: each joins the monitor's check in flight, or claims the monitor and starts one. */
export const createManualChecks = ({ flights, claims, results, runner, manualPause }: Parts) => {
  /** Runs without scheduled claims at the same time, so that a check is either in flight or can be claimed. */
  const claimOrJoin = (monitorId: number, pause: number) =>
    claims.exclusively(async () => {
      const joined = flights.get(monitorId);
      if (joined) return { answer: flights.join(joined) };
      manualPause.require(monitorId, pause);
      const claim = await claims.claimOne(monitorId);
      manualPause.begin(monitorId);
      const flight = flights.start(monitorId);
      return { answer: flights.join(flight), claimed: [{ ...claim, flight }] };
    });

  /** Starts a check, or joins it if it is in flight. The answer is in an object, so that it is not awaited. */
  const start = async (monitorId: number, pause: number): Promise<{ answer: Promise<Check> }> => {
    await claims.beat();
    // A manual check must not join a check that has already ended.
    if (flights.get(monitorId)?.result) await results.flush();
    const { answer, claimed = [] } = await claimOrJoin(monitorId, pause);
    // Its callers get the error.
    await runner.startNow(claimed).catch(() => {});
    return { answer };
  };

  const checkNow = async (monitorId: number, pause = 0): Promise<Check> => (await start(monitorId, pause)).answer;

  const startCheck = async (monitorId: number, pause: number): Promise<void> => {
    const { answer } = await start(monitorId, pause);
    // The caller does not wait for the result, which is stored like any other.
    answer.catch(() => {});
  };

  /** Makes the check in flight of a changed monitor stale. Its callers get the result of a new check, or an error. */
  const restart = (monitorId: number, active: boolean): void => {
    const callers = flights.detach(monitorId);
    if (callers && active) void checkNow(monitorId).then(callers.resolve, callers.reject);
    else callers?.reject(new AppError("monitor_paused"));
  };

  return { checkNow, startCheck, restart };
};

/** Rate limit of the manual checks of each monitor, in this process. */
export const createManualPause = (clock: Pick<Clock, "now">) => {
  const startedAt = new Map<number, number>();
  return {
    /** @throws {AppError} rate_limited less than `pause` milliseconds after the last one started */
    require: (monitorId: number, pause: number): void => {
      const left = (startedAt.get(monitorId) ?? Number.NEGATIVE_INFINITY) + pause - clock.now();
      // A clock that was set back must not refuse for longer than the pause.
      if (left > 0 && left <= pause) throw rateLimited(Math.ceil(left / 1000));
    },
    /** Removes the last start, because that check could not run. */
    reset: (monitorId: number): void => void startedAt.delete(monitorId),
    begin: (monitorId: number): void => {
      startedAt.delete(monitorId);
      startedAt.set(monitorId, clock.now());
      const [oldest] = startedAt.keys();
      if (startedAt.size > REMEMBERED && oldest !== undefined) startedAt.delete(oldest);
    },
  };
};

type ManualPause = ReturnType<typeof createManualPause>;
