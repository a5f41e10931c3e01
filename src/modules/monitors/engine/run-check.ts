import type { Deps } from "../../../core/deps";
import { AppError, describeError, notFound } from "../../../core/errors";
import type { Log } from "../../../core/log";
import type { Clock } from "../../../lib/time";
import { LocalFailure } from "../../../probe/local-failure";
import type { Outcome } from "../../../probe/outcome";
import { SECOND } from "../../../shared/limits";
import { CONDITION_WORDS } from "../../../shared/monitor";
import type { Claims } from "./claims/claims";
import type { Connectivity } from "./connectivity";
import type { CheckInFlight, ChecksInFlight, ResultBuffer } from "./in-flight";
import { type Job, readTarget } from "./job";
import type { Admission } from "./limits";

/** Checks that start within this many milliseconds of each other start together. */
export const START_GRANULARITY_MS = 20;

/**
 * Groups jobs by the delay in milliseconds until they are due. Jobs that are overdue by more than a second, as after a
 * pause of the hub, are spread over one second.
 */
export const groupByStart = <T extends { dueAt: number }>(jobs: T[], now: number): Map<number, T[]> => {
  const overdue = jobs.filter(({ dueAt }) => dueAt < now - SECOND);
  const startOf = new Map(overdue.map((job, index) => [job, now + (index * SECOND) / overdue.length]));
  return Map.groupBy(jobs, (job) => {
    const wait = (startOf.get(job) ?? job.dueAt) - now;
    return Math.max(0, Math.ceil(wait / START_GRANULARITY_MS)) * START_GRANULARITY_MS;
  });
};

const RETRY_PAUSE = 1000;

export type Check = Outcome & { checkedAt: number };

type Retrying = {
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
  { clock, beforeRetry }: Retrying,
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

type Parts = {
  flights: ChecksInFlight;
  admission: Admission;
  connectivity: Connectivity;
  results: ResultBuffer;
  claims: Claims;
  /** Removes a check that can't run, and answers its callers with the reason. */
  abandon: (monitorId: number, reason: Error) => void;
  stopping: () => boolean;
};

/** Starts loaded checks and adds each one's result to the buffer. */
export const createCheckRunner = (deps: Deps, parts: Parts) => {
  const { flights, admission, connectivity, results, claims, abandon, stopping } = parts;
  const { clock, log, meters, outbound } = deps;

  /** Without connectivity every target looks down, so the check is dropped, unless a manual check waits for it. */
  const dropIfCutOff = async (flight: CheckInFlight): Promise<boolean> => {
    if (flights.isAwaited(flight) || (await connectivity.reachable()) || flights.isAwaited(flight)) return false;
    if (!flights.isCurrent(flight)) return true;
    flights.drop(flight.id);
    await claims.release([flight.id]);
    return true;
  };

  /** Makes the requests of a check and buffers its result. */
  const perform = async (job: Job, flight: CheckInFlight, scheduled: boolean): Promise<void> => {
    const { monitorId, revision, request, nextCheckAt } = job;
    const target = job.target ?? (await readTarget(deps, monitorId));
    if (!target) throw notFound("Monitor");
    const { kind, config, ...context } = target;
    const attempt = () => kind.probe(config, { ...context, outbound });
    const beforeRetry = () => admission.retry(request);
    const found = await check(attempt, target, { clock, beforeRetry }, nextCheckAt);
    logCheck(log, monitorId, found);
    if ((!found.up && (await dropIfCutOff(flight))) || !flights.isCurrent(flight)) return;
    const { userId, host } = request;
    const paused = !Number.isFinite(nextCheckAt);
    const { status: previous, slowBits } = job;
    const at = { monitorId, revision, previous, slowBits };
    results.add(flight, { ...found, ...at, userId, host, paused, scheduled });
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
      await perform(job, flight, scheduled);
    } catch (error) {
      log.debug("a check could not run", { monitor: monitorId, reason: describeError(error) });
      if (flights.isCurrent(flight)) abandon(monitorId, refusalOf(error));
    } finally {
      admission.leave(request);
    }
  };

  const start = (job: Job): void => {
    const flight = flights.get(job.monitorId);
    if (stopping()) flights.drop(job.monitorId);
    else if (flight) void run(job, flight, true);
  };

  /** Starts each job when it is due. */
  const schedule = (jobs: Job[]): void => {
    for (const [delay, group] of groupByStart(jobs, clock.now())) {
      if (delay === 0) group.forEach(start);
      else void clock.sleep(delay).then(() => group.forEach(start));
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

/** The error that the callers of a manual check or a probe get when it can't run. */
export const refusalOf = (error: unknown): Error => {
  if (error instanceof LocalFailure)
    return new AppError("hub_unavailable", { reason: CONDITION_WORDS[error.condition] });
  return error instanceof Error ? error : new Error(String(error));
};
