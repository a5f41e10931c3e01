import type { Deps } from "../../../core/deps";
import { AppError, describeError, notFound } from "../../../core/errors";
import type { Log } from "../../../core/log";
import { LocalFailure } from "../../../probe/local-failure";
import { type Check, check } from "../../../probe/retry";
import { CONDITION_WORDS } from "../../../shared/monitor";
import type { Connectivity } from "./connectivity";
import type { CheckInFlight, ChecksInFlight } from "./in-flight";
import { groupByStart, type Job, probeTarget, readTarget } from "./job";
import type { Admission } from "./limits";
import type { Recovery } from "./recovery";
import type { ResultBuffer } from "./result-buffer";

type Parts = {
  flights: ChecksInFlight;
  admission: Admission;
  connectivity: Connectivity;
  results: ResultBuffer;
  recovery: Recovery;
  /** Removes a check that can't run, and answers its callers with the reason. */
  abandon: (monitorId: number, reason: Error) => void;
  stopping: () => boolean;
};

/** Starts loaded checks and adds each one's result to the buffer. */
export const createCheckRunner = (deps: Deps, parts: Parts) => {
  const { flights, admission, connectivity, results, recovery, abandon, stopping } = parts;
  const { clock, log, meters, outbound } = deps;

  const perform = async (job: Job, flight: CheckInFlight): Promise<void> => {
    const { monitorId, revision, request } = job;
    const target = job.target ?? (await readTarget(deps, monitorId));
    if (!target) throw notFound("Monitor");
    const beforeRetry = () => admission.retry(request);
    const attempt = () => probeTarget(target, outbound);
    const found = await check(attempt, target, { clock, beforeRetry }, job.nextCheckAt);
    logCheck(log, monitorId, found);
    // Without connectivity every target looks down, so only a manual check gets that as a result.
    const cutOff = !found.up && !flights.isAwaited(flight) && !(await connectivity.reachable());
    if (!flights.isCurrent(flight)) return;
    if (cutOff && !flights.isAwaited(flight)) {
      flights.drop(monitorId);
      await recovery.release([monitorId]);
      return;
    }
    const paused = !Number.isFinite(job.nextCheckAt);
    results.add(flight, { ...found, monitorId, revision, previous: job.status, userId: request.userId, paused });
  };

  /** Runs a check once the limits allow it. A check that can't run has no result, and its claim is released. */
  const run = async (job: Job, flight: CheckInFlight, scheduled: boolean): Promise<void> => {
    const { monitorId, request, dueAt } = job;
    if (!admission.tryEnter(request)) {
      job.target = null;
      await admission.enter(request);
    }
    try {
      if (!flights.isCurrent(flight)) return;
      if (stopping()) return flights.drop(monitorId);
      if (scheduled) meters.lateness.observe((clock.now() - dueAt) / 1000);
      await perform(job, flight);
    } catch (error) {
      log.debug("a check could not run", { monitor: monitorId, reason: describeError(error) });
      if (flights.isCurrent(flight)) abandon(monitorId, refusalOf(error));
    } finally {
      admission.leave(request);
    }
  };

  /** Starts each job when it is due. */
  const schedule = (jobs: Job[]): void => {
    for (const [delay, group] of groupByStart(jobs, clock.now())) {
      const start = () => {
        for (const job of group) {
          const flight = flights.get(job.monitorId);
          if (stopping()) flights.drop(job.monitorId);
          else if (flight) void run(job, flight, true);
        }
      };
      if (delay === 0) start();
      else void clock.sleep(delay).then(start);
    }
  };

  return { schedule, run };
};

export type CheckRunner = ReturnType<typeof createCheckRunner>;

/** Logs a check at level debug: its error code, and nothing of the address or the response. */
const logCheck = (log: Log, monitor: number, { up, error, statusCode, responseTime }: Check): void =>
  log.debug("a check finished", {
    monitor,
    up,
    reason: error?.code,
    status: statusCode ?? undefined,
    milliseconds: responseTime ?? undefined,
  });

/** The error that callers of a manual check get when it can't run. */
const refusalOf = (error: unknown): Error => {
  if (error instanceof LocalFailure)
    return new AppError("hub_unavailable", { reason: CONDITION_WORDS[error.condition] });
  return error instanceof Error ? error : new Error(String(error));
};
