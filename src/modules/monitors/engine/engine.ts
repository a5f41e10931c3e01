import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, describeError, notFound } from "../../../core/errors";
import { instances } from "../../../db/schema";
import { createCoalescedRunner, createMutex } from "../../../lib/concurrency";
import { type Check, check } from "../../../probe/retry";
import { createAdmission } from "./admission";
import { createHeartbeat } from "./heartbeat";
import { type Job, readJobs, readTarget } from "./job";
import { logChange, logCheck } from "./log-lines";
import { createManualPause, refusalOf } from "./manual-checks";
import { checksAtOnce } from "./open-files";
import { type Result, recordResults } from "./record";
import {
  type Claim,
  claimDue,
  claimOne,
  readClaim,
  release,
  releaseAll,
  releaseLost,
  resetFutureDueTimes,
} from "./schedule";
import { groupByStart, START_GRANULARITY_MS } from "./start-times";

/** Claims reach this far ahead, and each check then starts at its own time. */
const LOOKAHEAD = 1000;
const CLAIMS_AT_ONCE = 5000;
/** Claims that wait or run, and results that wait while the database can't be written. Beyond it none is claimed. */
const MAX_CLAIMED = 100_000;
/** Bytes of headers and bodies that checks under way hold together. */
const MAX_BYTES = 2 ** 26;
/** A clock that went back by more than this was set: whoever waited for its times would wait for longer. */
const SET_BACK = 2000;
const STOP_PATIENCE = 5000;

/** Whether the console itself reaches the world; see connectivity.ts. */
export type Connectivity = { reachable: () => Promise<boolean> };
export type Engine = ReturnType<typeof createEngine>;

/** A check under way, who waits for it, and whether it has ended and only waits to be written. */
type Flight = { waiting: PromiseWithResolvers<Check> | null; ended?: boolean };

/** A check that has ended and waits to be written. Paused monitors change no state. */
type Finished = Result & { flight: Flight; userId: number; paused: boolean };

/**
 * The checks of this process. One transaction a second records results and claims what is due, so that rows that are
 * touched together are written once. `onChange` is called when a change of state was written.
 */
export const createEngine = (
  deps: Deps,
  connectivity: Connectivity = { reachable: async () => true },
  onChange: () => void = () => {},
) => {
  const { db, clock, log, instance, meters, outbound, config } = deps;
  const inFlight = new Map<number, Flight>();
  const admission = createAdmission(
    {
      running: checksAtOnce(log),
      bytes: MAX_BYTES,
      perUser: config.quotas.checksInFlight,
      perHost: config.quotas.checksPerHost,
    },
    clock,
  );
  const manualPause = createManualPause(clock);
  meters.checksInFlight = admission.running;
  meters.checksWaiting = admission.waiting;
  const heartbeat = createHeartbeat(deps);
  let buffer: Finished[] = [];
  /** Claimed, and not begun because the monitors themselves could not be read. */
  let unread: Claim[] = [];
  /** A write failed, or its answer was lost: claims may be stored as ours that nobody knows of here. */
  let doubtful = false;
  /** The clock may also have been set while nobody ran. */
  let tickedAt = Number.POSITIVE_INFINITY;
  let [urgent, stopping] = [false, false];
  const inTurn = createMutex();

  /** Runs a write in turn. Whatever became of it when it fails, no claim is left that nobody works on. */
  const atomically = async (build: Parameters<typeof db.atomically>[0]): Promise<unknown[]> => {
    if (doubtful) await db.atomically(() => releaseLost(instance, [...inFlight.keys()]));
    doubtful = true;
    const returned = await db.atomically(build);
    doubtful = false;
    return returned;
  };

  /** Writes what came back, and claims up to `claims` due monitors with it. */
  const write = (claims: number): Promise<Claim[]> =>
    inTurn(async () => {
      // A monitor that was changed meanwhile is checked anew: what came back of the old request is nobody's.
      const results = buffer.filter(({ monitorId, flight }) => inFlight.get(monitorId) === flight);
      const now = clock.now();
      if (results.length === 0 && claims === 0) return [];
      buffer = [];
      try {
        const returned = await atomically(() => [
          ...recordResults(instance, results),
          ...(claims > 0 ? [claimDue(instance, heartbeat.deadAt(), now + LOOKAHEAD, claims)] : []),
        ]);
        settle(results);
        if (results.some(({ previous, up }) => previous !== (up ? "up" : "down"))) onChange();
        const claimed = claims > 0 ? [...(returned.at(-1) as Record<string, unknown>[])].map(readClaim) : [];
        for (const { monitorId } of claimed)
          inFlight.set(monitorId, { waiting: inFlight.get(monitorId)?.waiting ?? null });
        return claimed;
      } catch (error) {
        buffer = [...results, ...buffer];
        throw error;
      }
    });

  const settle = (results: typeof buffer) => {
    for (const result of results) {
      meters.checks[result.up ? "up" : "down"]++;
      if (inFlight.get(result.monitorId) !== result.flight) continue;
      logChange(log, result);
      result.flight.waiting?.resolve(result);
      inFlight.delete(result.monitorId);
    }
  };

  /** For what somebody waits for: a first result, a change of state, a check by hand. */
  const writeSoon = () => {
    if (urgent) return;
    urgent = true;
    void clock.sleep(START_GRANULARITY_MS).then(() => {
      urgent = false;
      return write(0).catch((error) => log.error("results could not be written yet", { error: describeError(error) }));
    });
  };

  const perform = async (job: Job, flight: Flight): Promise<void> => {
    const { monitorId, revision, request } = job;
    const target = job.target ?? (await readTarget(deps, monitorId));
    if (!target) throw notFound("Monitor");
    const beforeRetry = () => admission.retry(request);
    const found = await check(target, { clock, outbound, beforeRetry }, job.nextCheckAt);
    logCheck(log, monitorId, found);
    // From a hub that is cut off everything looks down: such a check says nothing.
    const cutOff = !found.up && !flight.waiting && !(await connectivity.reachable()) && !flight.waiting;
    if (inFlight.get(monitorId) !== flight) return;
    if (cutOff) {
      inFlight.delete(monitorId);
      await giveBack([monitorId]);
      return;
    }
    const paused = !Number.isFinite(job.nextCheckAt);
    buffer.push({ ...found, monitorId, revision, previous: job.status, flight, userId: request.userId, paused });
    flight.ended = true;
    // What an instance that dies has not written yet is checked again by another. SQLite has no other, and writes
    // fewer pages in a second's batch; PostgreSQL writes as much either way.
    const shared = db.engine === "postgres";
    if (shared || flight.waiting || job.status !== (found.up ? "up" : "down")) writeSoon();
  };

  /** Runs a check once there is room for it. One that can't be made leaves no result, and its claim is given back. */
  const run = async (job: Job, flight: Flight, scheduled: boolean): Promise<void> => {
    const { monitorId, request, dueAt } = job;
    if (!admission.tryEnter(request)) {
      job.target = null;
      await admission.enter(request);
    }
    try {
      if (inFlight.get(monitorId) !== flight) return;
      if (stopping) return void inFlight.delete(monitorId);
      if (scheduled) meters.lateness.observe((clock.now() - dueAt) / 1000);
      await perform(job, flight);
    } catch (error) {
      log.debug("a check could not be made", { monitor: monitorId, reason: describeError(error) });
      if (inFlight.get(monitorId) === flight) abandon(monitorId, refusalOf(error));
    } finally {
      admission.leave(request);
    }
  };

  const giveBack = (ids: number[]) =>
    inTurn(() => atomically(() => release(instance, ids))).catch((error) =>
      log.warn("a claim could not be given back yet", { error: describeError(error) }),
    );

  /** Starts each job at its own time. */
  const launch = (jobs: Job[]) => {
    for (const [delay, slot] of groupByStart(jobs, clock.now())) {
      const start = () => {
        for (const job of slot) {
          const flight = inFlight.get(job.monitorId);
          if (stopping) inFlight.delete(job.monitorId);
          if (stopping || !flight) continue;
          void run(job, flight, true);
        }
      };
      if (delay === 0) start();
      else void clock.sleep(delay).then(start);
    }
  };

  /** In turn with the scheduled claims, so that a check is either under way by now or ours to begin. */
  const claimOrJoin = async (monitorId: number, pause: number) => {
    const joined = inFlight.get(monitorId);
    const flight = joined ?? { waiting: null };
    if (!joined) {
      manualPause.require(monitorId, pause);
      const now = clock.now();
      const claim = claimOne(instance, heartbeat.deadAt(), now, now + LOOKAHEAD, monitorId);
      const [rows] = await atomically(() => [claim]);
      const [row] = rows as Record<string, unknown>[];
      if (!row) throw new AppError("check_in_progress");
      manualPause.begin(monitorId);
      inFlight.set(monitorId, flight);
      flight.waiting = Promise.withResolvers<Check>();
      return { flight, waiting: flight.waiting, claim: readClaim(row) };
    }
    flight.waiting ??= Promise.withResolvers<Check>();
    return { flight, waiting: flight.waiting };
  };

  const begin = async (claim: Claim, flight: Flight): Promise<void> => {
    const [job] = await readJobs(deps, [claim]);
    if (!job) throw notFound("Monitor");
    void run(job, flight, false);
  };

  /** Gives up what was claimed and cannot be begun, and tells who waits for it. */
  const abandon = (monitorId: number, reason: Error): void => {
    manualPause.reset(monitorId);
    inFlight.get(monitorId)?.waiting?.reject(reason);
    inFlight.delete(monitorId);
    void giveBack([monitorId]);
  };

  const checkNow = async (monitorId: number, pause = 0): Promise<Check> => {
    await heartbeat.beat();
    // Whoever asks now wants to know how it is now, and not how it was a moment ago.
    if (inFlight.get(monitorId)?.ended) await write(0);
    const { claim, flight, waiting } = await inTurn(() => claimOrJoin(monitorId, pause));
    if (claim) await begin(claim, flight).catch((error) => abandon(monitorId, error));
    return waiting.promise;
  };

  const tickOnce = async (): Promise<void> => {
    if (stopping) return;
    try {
      await heartbeat.beat();
      const now = clock.now();
      if (now < tickedAt - SET_BACK) await inTurn(() => atomically(() => resetFutureDueTimes(now)));
      tickedAt = now;
      const seats = Math.min(CLAIMS_AT_ONCE, MAX_CLAIMED - inFlight.size);
      const online = await connectivity.reachable();
      unread.push(...(await write(online && !stopping ? Math.max(0, seats) : 0)));
      const jobs = await readJobs(deps, unread);
      const read = new Set(jobs.map(({ monitorId }) => monitorId));
      for (const { monitorId } of unread) if (!read.has(monitorId)) abandon(monitorId, notFound("Monitor"));
      unread = [];
      launch(jobs);
    } catch (error) {
      log.error("checks could not be scheduled", { error: describeError(error) });
    }
  };

  const tick = createCoalescedRunner(tickOnce);

  return {
    /** To be called each second: writes what came back, and starts what is due. */
    tick,

    /**
     * Begins anew with a monitor that was changed: what its old request finds counts no more. Whoever waits for that
     * gets what the new one finds, or is told when it was paused.
     */
    restart: (monitorId: number, active: boolean): void => {
      const waiting = inFlight.get(monitorId)?.waiting;
      inFlight.delete(monitorId);
      if (waiting && active) void checkNow(monitorId).then(waiting.resolve, waiting.reject);
      else waiting?.reject(new AppError("monitor_paused"));
      void tick();
    },

    /**
     * Checks a monitor now and gives what was found, once it is recorded. A check that is under way is joined; another
     * begins at the earliest `pause` milliseconds after the last manual one.
     * @throws {AppError} check_in_progress when another instance is checking it, rate_limited, hub_unavailable
     */
    checkNow,

    /** Takes no more checks, gives those under way five seconds, writes what came back, and gives back the rest. */
    stop: async (): Promise<void> => {
      stopping = true;
      admission.release();
      const deadline = clock.now() + STOP_PATIENCE;
      while (inFlight.size > buffer.length && clock.now() < deadline) await clock.sleep(START_GRANULARITY_MS);
      await write(0).catch((error) =>
        log.error("the last results could not be written", { error: describeError(error) }),
      );
      await inTurn(() =>
        db.atomically((tx) => [...releaseAll(instance), tx.delete(instances).where(eq(instances.id, instance))]),
      ).catch((error) => log.warn("claims could not be given back", { error: describeError(error) }));
    },

    /** How many checks are claimed: under way, waiting to start or waiting to be written. */
    inFlight: () => inFlight.size,
    /** How many requests are under way. */
    running: admission.running,
    /** How many checks have ended and wait to be written. */
    unwritten: () => buffer.length,
  };
};
