import { eq } from "drizzle-orm";
import { INSTANCE_TIMEOUT } from "../../db/instances";
import { instances } from "../../db/schema";
import type { Deps } from "../../deps";
import { conflict, describeError, notFound } from "../../errors";
import { type Check, check } from "./check";
import { type Job, readJobs } from "./job";
import { type Result, recordResults } from "./record";
import { type Claim, claimDue, claimOne, readClaim, releaseAll } from "./schedule";

/** Claims reach this far ahead, and each check then starts at its own time. */
const LOOKAHEAD = 1000;
/** Checks that start within so many milliseconds of each other start together. */
const SLOT = 20;
const CLAIMS_AT_ONCE = 5000;
const MAX_IN_FLIGHT = 20_000;
/** Results that wait while the database can't be written. */
const MAX_BUFFERED = 200_000;
const HEARTBEAT = INSTANCE_TIMEOUT / 4;
const STOP_PATIENCE = 5000;

/** Whether the console itself reaches the world; see connectivity.ts. */
export type Connectivity = { reachable: () => Promise<boolean> };
export type Engine = ReturnType<typeof createEngine>;

/**
 * The running checks of this process; `onChange` is called when one of a new state is written. One transaction a second writes down what came back and claims what is due:
 * rows that are touched together are written once.
 */
export const createEngine = (
  deps: Deps,
  connectivity: Connectivity = { reachable: async () => true },
  onChange: () => void = () => {},
) => {
  const { db, clock, log, instance } = deps;
  const inFlight = new Map<number, PromiseWithResolvers<Check> | null>();
  let buffer: Result[] = [];
  /** Claimed, and not begun because the monitors themselves could not be read. */
  let unread: Claim[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  let ticking = false;
  let urgent = false;
  let stopping = false;
  let seenAt = 0;

  /** One write at a time, in order. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = writing.then(work);
    writing = turn.catch(() => {});
    return turn;
  };

  /** Writes what came back, and claims up to `claims` due monitors with it. */
  const write = (claims: number): Promise<Claim[]> =>
    inTurn(async () => {
      const results = buffer;
      const now = clock.now();
      if (results.length === 0 && claims === 0) return [];
      buffer = [];
      try {
        const returned = await db.atomically(() => [
          ...recordResults(instance, results),
          ...(claims > 0 ? [claimDue(instance, now, now + LOOKAHEAD, claims)] : []),
        ]);
        settle(results);
        if (results.some(({ previous, up }) => previous !== (up ? "up" : "down"))) onChange();
        const claimed = claims > 0 ? [...(returned.at(-1) as Record<string, unknown>[])].map(readClaim) : [];
        for (const { monitorId } of claimed) if (!inFlight.has(monitorId)) inFlight.set(monitorId, null);
        return claimed;
      } catch (error) {
        buffer = [...results, ...buffer].slice(-MAX_BUFFERED);
        throw error;
      }
    });

  const settle = (results: Result[]) => {
    for (const result of results) {
      inFlight.get(result.monitorId)?.resolve(result);
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

  const run = async (job: Job, byHand: boolean): Promise<void> => {
    const { monitorId, revision } = job;
    const awaited = () => byHand || inFlight.get(monitorId);
    const found = await check(job.target, clock, job.nextCheckAt);
    if (!inFlight.has(monitorId)) return;
    // Seen from a console that is cut off, everything is down: such a check says nothing.
    if (!found.up && !awaited() && !(await connectivity.reachable()) && !awaited()) {
      inFlight.delete(monitorId);
      await release([monitorId]);
      return;
    }
    buffer.push({ ...found, monitorId, revision, previous: job.status });
    if (awaited() || job.status !== (found.up ? "up" : "down")) writeSoon();
  };

  const release = (ids: number[]) =>
    inTurn(() => db.atomically(() => recordResults(instance, ids.map(nothing)))).catch((error) =>
      log.warn("a claim could not be given back yet", { error: describeError(error) }),
    );

  /** Starts each job at its own time. */
  const launch = (jobs: Job[]) => {
    const slots = Map.groupBy(jobs, ({ dueAt }) => Math.max(0, Math.ceil((dueAt - clock.now()) / SLOT)) * SLOT);
    for (const [delay, slot] of slots) {
      const start = () => {
        for (const job of slot) {
          if (stopping) inFlight.delete(job.monitorId);
          else void run(job, false);
        }
      };
      if (delay === 0) start();
      else void clock.sleep(delay).then(start);
    }
  };

  /** In turn with the scheduled claims, so that a check is either under way by now or ours to begin. */
  const claimOrJoin = async (monitorId: number) => {
    const waiting = inFlight.get(monitorId) ?? Promise.withResolvers<Check>();
    if (inFlight.has(monitorId)) {
      inFlight.set(monitorId, waiting);
      return { waiting };
    }
    const [rows] = await db.atomically(() => [claimOne(instance, clock.now(), monitorId)]);
    const [row] = rows as Record<string, unknown>[];
    if (!row) throw conflict("check_in_progress", "This monitor is being checked at this moment.");
    inFlight.set(monitorId, waiting);
    return { waiting, claim: readClaim(row) };
  };

  const begin = async (claim: Claim): Promise<void> => {
    const [job] = await readJobs(deps, [claim]);
    if (!job) throw notFound("Monitor");
    void run(job, true);
  };

  /** Gives up what was claimed and cannot be begun, and tells who waits for it. */
  const abandon = (monitorId: number, reason: Error): void => {
    inFlight.get(monitorId)?.reject(reason);
    inFlight.delete(monitorId);
    void release([monitorId]);
  };

  const heartbeat = async () => {
    const now = clock.now();
    if (now - seenAt < HEARTBEAT && now >= seenAt) return;
    const row = { id: instance, seenAt: now };
    await db
      .insert(instances)
      .values(row)
      .onConflictDoUpdate({ target: instances.id, set: { seenAt: now } });
    seenAt = now;
  };

  return {
    /** To be called each second: writes what came back, and starts what is due. */
    tick: async (): Promise<void> => {
      if (ticking || stopping) return;
      ticking = true;
      try {
        await heartbeat();
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
      } finally {
        ticking = false;
      }
    },

    /**
     * Checks a monitor now and gives what was found, once it is recorded. One that is under way counts.
     * @throws {AppError} check_in_progress when another instance is checking it
     */
    checkNow: async (monitorId: number): Promise<Check> => {
      await heartbeat();
      const { claim, waiting } = await inTurn(() => claimOrJoin(monitorId));
      if (claim) await begin(claim).catch((error) => abandon(monitorId, error));
      return waiting.promise;
    },

    /** Takes no more checks, gives those under way five seconds, writes what came back, and gives back the rest. */
    stop: async (): Promise<void> => {
      stopping = true;
      const deadline = clock.now() + STOP_PATIENCE;
      while (inFlight.size > buffer.length && clock.now() < deadline) await clock.sleep(SLOT);
      await write(0).catch((error) =>
        log.error("the last results could not be written", { error: describeError(error) }),
      );
      await inTurn(() =>
        db.atomically((tx) => [releaseAll(instance), tx.delete(instances).where(eq(instances.id, instance))]),
      ).catch((error) => log.warn("claims could not be given back", { error: describeError(error) }));
    },

    inFlight: () => inFlight.size,
  };
};

/** A result that is never written, because no monitor has this revision: only its claim is given back. */
const nothing = (monitorId: number): Result => ({
  monitorId,
  revision: -1,
  checkedAt: 0,
  up: false,
  responseTime: null,
  statusCode: null,
  error: null,
  certExpiresAt: null,
});
