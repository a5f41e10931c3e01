/**
 * A check is in flight from its claim until its result is stored. Its result is buffered when it ends; one transaction a
 * second writes all results and claims the checks that are due next.
 */
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import type { Log } from "../../../core/log";
import { createCoalescedRunner, createInFlight, type Flight } from "../../../lib/concurrency";
import { type Claim, claimDue, LOOKAHEAD, readClaim } from "./claim";
import { isChange, type Result, recordResults } from "./record";
import type { Recovery } from "./recovery";
import { type Check, START_GRANULARITY_MS } from "./run-check";

/** A check that has ended. Paused monitors change no state, but can be checked manually. */
export type Finished = Result & { userId: number; paused: boolean };

/** The manual checks that wait for a check in flight; null while there are none. */
type Callers = { waiting: PromiseWithResolvers<Check> | null };
export type CheckInFlight = Flight<Callers, Finished>;

/** The claimed checks of this process by monitor, and the manual checks that wait for them. */
export const createChecksInFlight = () => {
  const flights = createInFlight<Callers, Finished>();
  return {
    ...flights,

    /** Starts a check. Callers that waited for an earlier check of the monitor wait for this one. */
    start: (monitorId: number): CheckInFlight =>
      flights.start(monitorId, { waiting: flights.get(monitorId)?.item.waiting ?? null }),

    /** Waits for a check in flight. Resolves once its result is stored. */
    join: ({ item }: CheckInFlight): Promise<Check> => {
      item.waiting ??= Promise.withResolvers<Check>();
      return item.waiting.promise;
    },

    /** Whether a manual check waits for this one. */
    isAwaited: ({ item }: CheckInFlight): boolean => item.waiting !== null,

    /** Removes a check whose result is stored, answers its callers, and returns whether it was current. */
    settle: (flight: CheckInFlight & { result: Finished }): boolean => {
      const current = flights.settle(flight);
      if (current) flight.item.waiting?.resolve(flight.result);
      return current;
    },

    /** Removes a check that can't run. Its callers get the reason. */
    abandon: (monitorId: number, reason: Error): void => {
      flights.get(monitorId)?.item.waiting?.reject(reason);
      flights.drop(monitorId);
    },

    /** Makes the check in flight of a monitor stale, and returns the callers that waited for it. */
    detach: (monitorId: number): Callers["waiting"] => {
      const waiting = flights.get(monitorId)?.item.waiting ?? null;
      flights.drop(monitorId);
      return waiting;
    },
  };
};

export type ChecksInFlight = ReturnType<typeof createChecksInFlight>;

/**
 * Buffers the results that are not written yet. One transaction writes all of them and claims the checks that are due
 * next, so that a row changes once. Results of a failed write stay in the buffer.
 * `onChange` is called when a change of state was written.
 */
export const createResultBuffer = (deps: Deps, flights: ChecksInFlight, recovery: Recovery, onChange: () => void) => {
  const { clock, log, meters, instance, db } = deps;

  const settle = (flight: CheckInFlight & { result: Finished }): void => {
    meters.checks[flight.result.up ? "up" : "down"]++;
    if (flights.settle(flight)) logChange(log, flight.result);
  };

  /** Writes the results and claims up to `claims` due monitors in the same transaction. */
  const flush = (claims: number): Promise<Claim[]> =>
    recovery.exclusively(async (atomically) => {
      const ended = flights.ended();
      const horizon = clock.now() + LOOKAHEAD;
      if (ended.length === 0 && claims === 0) return [];
      const results = ended.map(({ result }) => result);
      const returned = await atomically(() => [
        ...recordResults(instance, results),
        ...(claims > 0 ? [claimDue(instance, recovery.deadAt(), horizon, claims)] : []),
      ]);
      ended.forEach(settle);
      if (results.some(isChange)) onChange();
      const claimed = claims > 0 ? (returned.at(-1) as Record<string, unknown>[]).map(readClaim) : [];
      for (const { monitorId } of claimed) flights.start(monitorId);
      return claimed;
    });

  const tryFlush = async (): Promise<void> => {
    await flush(0).catch((error) => log.error("results could not be written", { error: describeError(error) }));
  };

  const flushSoon = createCoalescedRunner(async () => {
    if (flights.unsettled() === 0) return;
    await clock.sleep(START_GRANULARITY_MS);
    await tryFlush();
  });

  return {
    flush,
    /** Writes the results. A failure is logged, and the results stay in the buffer. */
    tryFlush,
    /** Buffers a result until the next tick, or writes it at once if it is a change or a manual check waits for it. */
    add: (flight: CheckInFlight, result: Finished): void => {
      flights.end(flight, result);
      // On PostgreSQL always at once: another instance would repeat the check if this one died. SQLite has one process,
      // and one batch per second writes fewer pages.
      if (db.engine === "postgres" || flights.isAwaited(flight) || isChange(result)) void flushSoon();
    },
  };
};

export type ResultBuffer = ReturnType<typeof createResultBuffer>;

/** Logs that a monitor goes down or recovers: with the error code, and never with its address or the response. */
const logChange = (log: Log, { monitorId: monitor, userId: user, previous, up, paused, ...result }: Finished): void => {
  if (paused) return;
  if (!up && previous !== "down") {
    log.info("a monitor went down", {
      monitor,
      user,
      reason: result.error?.code,
      status: result.statusCode ?? undefined,
    });
  }
  if (up && previous === "down") log.info("a monitor recovered", { monitor, user });
};
