import { eq } from "drizzle-orm";
import { instances } from "../../db/schema";
import type { Deps } from "../../deps";
import { conflict, describeError, notFound } from "../../errors";
import { type Check, check } from "./check";
import { createHeartbeat } from "./heartbeat";
import { type Job, readJobs } from "./job";
import { type Result, recordResults } from "./record";
import { bringForward, type Claim, claimDue, claimOne, readClaim, release, releaseAll, releaseLost } from "./schedule";
import { SLOT, slotsOf } from "./slots";
import { createRuns, createTurns } from "./turns";

/** Claims reach this far ahead, and each check then starts at its own time. */
const LOOKAHEAD = 1000;
const CLAIMS_AT_ONCE = 5000;
/** Checks under way, and results that wait while the database can't be written. Beyond it none is claimed. */
const MAX_IN_FLIGHT = 20_000;
/** A clock that went back by more than this was set: whoever waited for its times would wait for longer. */
const SET_BACK = 2000;
const STOP_PATIENCE = 5000;

/** Whether the console itself reaches the world; see connectivity.ts. */
export type Connectivity = { reachable: () => Promise<boolean> };
export type Engine = ReturnType<typeof createEngine>;

/** A check under way, who waits for it, and whether it has ended and only waits to be written. */
type Flight = { waiting: PromiseWithResolvers<Check> | null; ended?: boolean };

/**
 * The running checks of this process. One transaction a second writes down what came back and claims what is due: rows
 * that are touched together are written once. `onChange` is called when a change of state was written.
 */
export const createEngine = (
  deps: Deps,
  connectivity: Connectivity = { reachable: async () => true },
  onChange: () => void = () => {},
) => {
  const { db, clock, log, instance, meters } = deps;
  const inFlight = new Map<number, Flight>();
  meters.checksInFlight = () => inFlight.size;
  const heartbeat = createHeartbeat(deps);
  let buffer: (Result & { flight: Flight })[] = [];
  /** Claimed, and not begun because the monitors themselves could not be read. */
  let unread: Claim[] = [];
  /** A write failed, or its answer was lost: claims may be stored as ours that nobody knows of here. */
  let doubtful = false;
  /** The clock may also have been set while nobody ran. */
  let tickedAt = Number.POSITIVE_INFINITY;
  let urgent = false;
  let stopping = false;
  const inTurn = createTurns();

  /** What is written in turn. Whatever became of it when it fails, no claim is left that nobody works on. */
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
      result.flight.waiting?.resolve(result);
      inFlight.delete(result.monitorId);
    }
  };

  /** For what somebody waits for: a first result, a change of state, a check by hand. */
  const writeSoon = () => {
    if (urgent) return;
    urgent = true;
    void clock.sleep(SLOT).then(() => {
      urgent = false;
      return write(0).catch((error) => log.error("results could not be written yet", { error: describeError(error) }));
    });
  };

  const run = async (job: Job, flight: Flight): Promise<void> => {
    const { monitorId, revision } = job;
    const found = await check(job.target, clock, job.nextCheckAt);
    // Seen from a console that is cut off, everything is down: such a check says nothing.
    const cutOff = !found.up && !flight.waiting && !(await connectivity.reachable()) && !flight.waiting;
    if (inFlight.get(monitorId) !== flight) return;
    if (cutOff) {
      inFlight.delete(monitorId);
      await giveBack([monitorId]);
      return;
    }
    buffer.push({ ...found, monitorId, revision, previous: job.status, flight });
    flight.ended = true;
    // What an instance that dies has not written yet is checked again by another. SQLite has no other, and writes
    // fewer pages in a second's batch; PostgreSQL writes as much either way.
    const shared = db.engine === "postgres";
    if (shared || flight.waiting || job.status !== (found.up ? "up" : "down")) writeSoon();
  };

  const giveBack = (ids: number[]) =>
    inTurn(() => atomically(() => release(instance, ids))).catch((error) =>
      log.warn("a claim could not be given back yet", { error: describeError(error) }),
    );

  /** Starts each job at its own time. */
  const launch = (jobs: Job[]) => {
    for (const [delay, slot] of slotsOf(jobs, clock.now())) {
      const start = () => {
        for (const job of slot) {
          const flight = inFlight.get(job.monitorId);
          if (stopping) inFlight.delete(job.monitorId);
          if (stopping || !flight) continue;
          meters.lateness.observe((clock.now() - job.dueAt) / 1000);
          void run(job, flight);
        }
      };
      if (delay === 0) start();
      else void clock.sleep(delay).then(start);
    }
  };

  /** In turn with the scheduled claims, so that a check is either under way by now or ours to begin. */
  const claimOrJoin = async (monitorId: number) => {
    const joined = inFlight.get(monitorId);
    const flight = joined ?? { waiting: null };
    if (!joined) {
      const now = clock.now();
      const claim = claimOne(instance, heartbeat.deadAt(), now, now + LOOKAHEAD, monitorId);
      const [rows] = await atomically(() => [claim]);
      const [row] = rows as Record<string, unknown>[];
      if (!row) throw conflict("check_in_progress", "This monitor is being checked at this moment.");
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
    void run(job, flight);
  };

  /** Gives up what was claimed and cannot be begun, and tells who waits for it. */
  const abandon = (monitorId: number, reason: Error): void => {
    inFlight.get(monitorId)?.waiting?.reject(reason);
    inFlight.delete(monitorId);
    void giveBack([monitorId]);
  };

  const checkNow = async (monitorId: number): Promise<Check> => {
    await heartbeat.beat();
    // Whoever asks now wants to know how it is now, and not how it was a moment ago.
    if (inFlight.get(monitorId)?.ended) await write(0);
    const { claim, flight, waiting } = await inTurn(() => claimOrJoin(monitorId));
    if (claim) await begin(claim, flight).catch((error) => abandon(monitorId, error));
    return waiting.promise;
  };

  const tickOnce = async (): Promise<void> => {
    if (stopping) return;
    try {
      await heartbeat.beat();
      const now = clock.now();
      if (now < tickedAt - SET_BACK) await inTurn(() => atomically(() => bringForward(now)));
      tickedAt = now;
      const seats = Math.min(CLAIMS_AT_ONCE, MAX_IN_FLIGHT - inFlight.size);
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

  const tick = createRuns(tickOnce);

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
      else waiting?.reject(conflict("monitor_paused", "This monitor was paused while it was being checked."));
      void tick();
    },

    /**
     * Checks a monitor now and gives what was found, once it is recorded. One that is under way counts.
     * @throws {AppError} check_in_progress when another instance is checking it
     */
    checkNow,

    /** Takes no more checks, gives those under way five seconds, writes what came back, and gives back the rest. */
    stop: async (): Promise<void> => {
      stopping = true;
      const deadline = clock.now() + STOP_PATIENCE;
      while (inFlight.size > buffer.length && clock.now() < deadline) await clock.sleep(SLOT);
      await write(0).catch((error) =>
        log.error("the last results could not be written", { error: describeError(error) }),
      );
      await inTurn(() =>
        db.atomically((tx) => [...releaseAll(instance), tx.delete(instances).where(eq(instances.id, instance))]),
      ).catch((error) => log.warn("claims could not be given back", { error: describeError(error) }));
    },

    inFlight: () => inFlight.size,
    /** How many checks have ended and wait to be written. */
    unwritten: () => buffer.length,
  };
};
