/** Loads the checks of claimed monitors, starts each at its own time, and makes its requests. */
import { eq, sql } from "drizzle-orm";
import { mayReachPrivate, type Config as Settings } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import { AppError, describeError, notFound } from "../../../core/errors";
import type { Log } from "../../../core/log";
import { monitors, users } from "../../../db/schema";
import { byteLength, isOneOf } from "../../../db/sql";
import type { Clock } from "../../../lib/time";
import { LocalFailure } from "../../../probe/local-failure";
import type { Outcome } from "../../../probe/outcome";
import { SECOND } from "../../../shared/limits";
import type { Config } from "../../../shared/monitor-kinds/field";
import { isInverted, UNPROVEN } from "../inverted/outcome";
import type { AnyKind, ProbeContext } from "../kinds/kind";
import { kindOf } from "../kinds/registry";
import type { Claims } from "./claims/claims";
import type { Connectivity } from "./connectivity";
import type { ChecksInFlight, Claimed, ResultBuffer } from "./in-flight";
import type { Admission, Request } from "./limits";
import { refusalOf } from "./off-schedule/refusal";
import { type Attempted, createConfirmation, type Ended } from "./own-network/confirm";
import { isVerifiedBy } from "./own-network/networks";

/** DNS lookups in flight for one user, and for one administrator. */
const LOOKUPS = 64;
const ADMIN_LOOKUPS = 768;

/** Large fields are read with the claim up to this many bytes; larger ones when the check starts. */
const READ_AHEAD = 512;

/** The part of a monitor that its check needs. */
type Target = Omit<ProbeContext, "outbound"> & { kind: AnyKind; config: Config; retries: number; retryPause: number };

/** A claimed check. `target` is null until its large fields are read, so that they take memory only while it runs. */
type Job = Claimed & { request: Request; target: Target | null };

type Reading = Pick<Deps, "db" | "config">;
type Role = "admin" | "user";

/** The limits of a user's requests, and whether they may reach private addresses. */
export const callerOf = (userId: number, role: Role, settings: Settings) => ({
  key: String(userId),
  lookups: role === "admin" ? ADMIN_LOOKUPS : LOOKUPS,
  allowPrivate: mayReachPrivate(settings, role),
});

const { id, userId, teamId, kind, config, payload, timeout, retries, retryPause } = monitors;
const bytes = byteLength(payload);
const size = sql<number>`${bytes}`.mapWith(Number);
const smallPayload = sql<Config | null>`case when ${bytes} <= ${sql.raw(String(READ_AHEAD))} then ${payload} end`;
const common = { id, userId, teamId, kind, config, timeout, retries, retryPause, role: users.role, size };

type Row = Pick<
  typeof monitors.$inferSelect,
  "userId" | "config" | "payload" | "timeout" | "retries" | "retryPause"
> & {
  role: Role;
};

const targetOf = (kind: AnyKind, row: Row, settings: Settings): Target => ({
  kind,
  config: { ...row.config, ...row.payload },
  timeout: row.timeout,
  retries: row.retries,
  retryPause: row.retryPause,
  caller: callerOf(row.userId, row.role, settings),
  privateBlockedForAll: settings.privateTargets === "none",
});

/**
 * Loads the jobs of these claims, with the large fields if they are small. Deleted monitors and kinds that only a newer
 * instance knows are left out.
 */
const readJobs = async ({ db, config: settings }: Reading, claimed: readonly Claimed[]): Promise<Job[]> => {
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ monitorId }) => monitorId);
  const rows = await db
    .select({ ...common, payload: smallPayload.mapWith(payload) })
    .from(monitors)
    .innerJoin(users, eq(users.id, userId))
    .where(isOneOf(id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return claimed.flatMap((claim) => {
    const row = byId.get(claim.monitorId);
    const monitorKind = row && kindOf(row.kind);
    if (!monitorKind) return [];
    const host = monitorKind.host(row.config);
    const limited = row.role !== "admin";
    const request = { userId: row.userId, teamId: row.teamId, limited, host, size: row.size };
    const target = row.payload && targetOf(monitorKind, { ...row, payload: row.payload }, settings);
    return [{ ...claim, request, target }];
  });
};

/** Loads everything that a monitor's check needs; null when the monitor was deleted. */
const readTarget = async ({ db, config: settings }: Reading, monitorId: number) => {
  const [row] = await db
    .select({ ...common, payload, active: monitors.active })
    .from(monitors)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(id, monitorId));
  const monitorKind = row && kindOf(row.kind);
  return monitorKind ? { active: row.active, ...targetOf(monitorKind, row, settings) } : null;
};

/** Timeout of a healthy target that is checked again, in seconds. */
const RECHECK_TIMEOUT = 3;

type Probing = Reading & Pick<Deps, "outbound">;

/**
 * Makes one request to a monitor's target, at the address that its name has now; null when it was deleted, or is paused and was
 * healthy before.
 */
const attemptOnce = async (deps: Probing, monitorId: number, wasHealthy = false): Promise<Attempted | null> => {
  const target = await readTarget(deps, monitorId);
  if (!target || (wasHealthy && !target.active)) return null;
  const { kind, config, active: _, ...context } = target;
  const timeout = wasHealthy ? Math.min(context.timeout, RECHECK_TIMEOUT) : context.timeout;
  deps.outbound.forgetNames(kind.host(config));
  const outcome = await kind.probe(config, { ...context, timeout, outbound: deps.outbound });
  return { found: outcome, verified: isVerifiedBy(outcome, config), config };
};

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

export type Check = Outcome & { checkedAt: number };

type Retrying = {
  clock: Clock;
  /** Waits before a retry, in milliseconds, and returns whether it is still wanted. */
  pause?: (milliseconds: number) => Promise<boolean>;
};

/**
 * Runs one check: an attempt and, while it fails, its retries. Only the last outcome counts. A retry that could not end
 * before `nextDueAt` is not started. `timeout` and `retryPause` are in seconds.
 * @throws {LocalFailure} when the hub itself could not make a request
 */
export const check = async (
  attempt: () => Promise<Outcome>,
  { timeout, retries, retryPause }: { timeout: number; retries: number; retryPause: number },
  { clock, pause = (milliseconds) => clock.sleep(milliseconds).then(() => true) }: Retrying,
  nextDueAt: number,
): Promise<Check> => {
  const checkedAt = clock.now();
  let outcome = await attempt();
  for (let retry = 0; retry < retries && !outcome.up; retry++) {
    if (clock.now() + (retryPause + timeout) * SECOND > nextDueAt) break;
    if (!(await pause(retryPause * SECOND))) break;
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

/** Starts claimed checks and adds each one's result to the buffer. */
export const createCheckRunner = (deps: Deps, parts: Parts) => {
  const { flights, admission, connectivity, results, claims, abandon, stopping } = parts;
  const { clock, log, meters, outbound } = deps;
  const confirm = createConfirmation({ clock, connectivity, admission, attempt: (id) => attemptOnce(deps, id) });
  connectivity.recheckWith(async (monitorId) => {
    return (await attemptOnce(deps, monitorId, true))?.found.up ?? null;
  });

  /** Makes the requests of a check. */
  const perform = async (job: Job): Promise<Ended> => {
    const { monitorId, request, nextCheckAt, flight } = job;
    const target = job.target ?? (await readTarget(deps, monitorId));
    if (!target) throw notFound("Monitor");
    const { kind, config, ...context } = target;
    const probe = () => kind.probe(config, { ...context, outbound });
    const pause = (milliseconds: number) =>
      admission.pause(request, milliseconds).then(() => flights.isCurrent(flight));
    const result = await check(probe, target, { clock, pause }, nextCheckAt);
    logCheck(log, monitorId, result);
    return { found: result, verified: isVerifiedBy(result, config), config };
  };

  /** Buffers the result of a check. Without a result its claim is released, so that any instance checks again soon. */
  const conclude = async (job: Job, ended: Ended, scheduled: boolean): Promise<void> => {
    const { monitorId, revision, request, nextCheckAt, flight, status: previous, slowBits } = job;
    const [isAwaited, isCurrent] = [() => flights.isAwaited(flight), () => flights.isCurrent(flight)];
    const result = await confirm({ monitorId, request, status: previous, isAwaited, isCurrent }, ended);
    if (!isCurrent()) return;
    if (!result) {
      if (isAwaited()) return abandon(monitorId, new AppError("hub_unavailable", { reason: UNPROVEN }));
      flights.drop(monitorId);
      // An inverted monitor waits for its next check, because nothing may ever show that the own network works.
      return claims.release([monitorId], !isInverted(ended.config) || connectivity.lostSince() !== null);
    }
    const { userId, teamId, host } = request;
    const own = { paused: !Number.isFinite(nextCheckAt), isOwn: scheduled || isAwaited() };
    results.add(flight, { ...result, ...own, monitorId, revision, previous, slowBits, userId, teamId, host });
  };

  /** Handles a check that can't run: it has no result, and its claim is released. */
  const fail = ({ monitorId, request, flight }: Job, error: unknown): void => {
    log.debug("a check could not run", { monitor: monitorId, reason: describeError(error) });
    if (error instanceof LocalFailure && error.condition === "resolver")
      connectivity.unresolved(monitorId, request.host);
    if (flights.isCurrent(flight)) abandon(monitorId, refusalOf(error));
  };

  /** Runs a check once the limits allow it. */
  const run = async (job: Job, scheduled: boolean): Promise<void> => {
    const { monitorId, request, dueAt, flight } = job;
    if (!admission.tryEnter(request)) {
      job.target = null;
      await admission.enter(request);
    }
    try {
      let ended: Ended;
      try {
        if (!flights.isCurrent(flight)) return;
        if (stopping()) return flights.drop(monitorId);
        if (scheduled) meters.lateness.observe((clock.now() - dueAt) / 1000);
        ended = await perform(job);
      } finally {
        admission.leave(request);
      }
      // A failure may wait for a minute, and must not keep others waiting.
      await conclude(job, ended, scheduled);
    } catch (error) {
      fail(job, error);
    }
  };

  /** Loads the jobs of claimed checks. Checks of deleted monitors are abandoned. */
  const load = async (claimed: readonly Claimed[]): Promise<Job[]> => {
    const jobs = await readJobs(deps, claimed);
    const loaded = new Set(jobs.map(({ flight }) => flight));
    for (const { monitorId, flight } of claimed) if (!loaded.has(flight)) abandon(monitorId, notFound("Monitor"));
    return jobs;
  };

  return {
    /** Starts each check when it is due. If they can't be loaded, nothing happens to them. */
    schedule: async (claimed: readonly Claimed[]): Promise<void> => {
      for (const [delay, jobs] of groupByStart(await load(claimed), clock.now())) {
        const start = () => jobs.forEach((job) => void run(job, true));
        if (delay === 0) start();
        else void clock.sleep(delay).then(start);
      }
    },

    /** Starts checks outside the schedule. If they can't be loaded, they are abandoned. */
    startNow: async (claimed: readonly Claimed[]): Promise<void> => {
      try {
        for (const job of await load(claimed)) void run(job, false);
      } catch (error) {
        for (const { monitorId } of claimed) abandon(monitorId, refusalOf(error));
        throw error;
      }
    },
  };
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
