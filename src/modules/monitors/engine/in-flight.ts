/**
 * A check is in flight from its claim until its result is stored. Its result is buffered when it ends, and written with
 * others: a change of state at once, others within RESULT_DELAY_MS.
 */
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import type { Log } from "../../../core/log";
import { createCoalescedRunner, createInFlight, type Flight } from "../../../lib/concurrency";
import { publishResults } from "../live";
import type { Claim, Claims } from "./claims/claims";
import { isChange, isDegradedBy, isSlowChange, type Result } from "./record";
import { type Check, START_GRANULARITY_MS } from "./run-check";

/** A check that has ended. Paused monitors change no state, but can be checked manually. */
export type Finished = Result & {
  userId: number;
  teamId: number;
  /** The host of its target; empty for none. */
  host: string;
  paused: boolean;
  isOwn: boolean;
};

/** The manual checks that wait for a check in flight, or null. */
type Callers = { waiting: PromiseWithResolvers<Check> | null };
export type CheckInFlight = Flight<Callers, Finished>;
export type Claimed = Claim & { flight: CheckInFlight };

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

/** Results that change nothing may wait this many milliseconds: one transaction writes fewer pages than many. */
export const RESULT_DELAY_MS = 5000;
/** Results in the buffer that are written without waiting longer. */
const MAX_BUFFERED = 10_000;

type Options = {
  flights: ChecksInFlight;
  claims: Claims;
  /** Results that change nothing may wait this many milliseconds. */
  delay: number;
  /** Called with the changes of states that were written. */
  onChange: (changes: readonly Finished[]) => void;
};

/** Buffers the results that are not written yet. Results of a failed write stay in the buffer. */
export const createResultBuffer = (deps: Deps, { flights, claims, delay, onChange }: Options) => {
  const { clock, log, meters } = deps;
  /** When the first result was added to the empty buffer. */
  let filledAt = 0;

  const settle = (flight: CheckInFlight & { result: Finished }): void => {
    meters.checks[flight.result.up ? "up" : "down"]++;
    meters.monitors.count(flight.result);
    if (flights.settle(flight)) logChange(log, flight.result);
  };

  /** Whether the buffered results are to be written now. The clock may have been set back. */
  const isDue = (): boolean => {
    const age = clock.now() - filledAt;
    return age >= delay || age < 0 || flights.unsettled() >= MAX_BUFFERED;
  };

  /** Writes buffered results and claims up to `limit` due monitors. */
  const store = (limit: number, writes: () => boolean): Promise<Claimed[]> =>
    claims.exclusively(async () => {
      const ended = writes() ? flights.ended() : [];
      const results = ended.map(({ result }) => result);
      const due = await claims.writeAndClaim(results, limit);
      ended.forEach(settle);
      publishResults(deps, results);
      const changes = results.filter(isChange);
      if (changes.length > 0) onChange(changes);
      return due.map((claim) => ({ ...claim, flight: flights.start(claim.monitorId) }));
    });

  const flush = async (): Promise<void> => {
    if (flights.unsettled() > 0) await store(0, () => true);
  };

  const tryFlush = async (): Promise<void> => {
    await flush().catch((error) => log.error("results could not be written", { error: describeError(error) }));
  };

  const flushSoon = createCoalescedRunner(async () => {
    if (flights.unsettled() === 0) return;
    await clock.sleep(START_GRANULARITY_MS);
    await tryFlush();
  });

  return {
    /** Writes all results. */
    flush,
    /** Writes all results. A failure is logged, and the results stay in the buffer. */
    tryFlush,
    /** Writes the results that have waited long enough, and claims up to `limit` due monitors. */
    flushAndClaim: (limit: number): Promise<Claimed[]> => store(limit, isDue),
    /** Buffers a result, or writes it at once if it is a change or a manual check waits for it. */
    add: (flight: CheckInFlight, result: Finished): void => {
      if (flights.unsettled() === 0) filledAt = clock.now();
      flights.end(flight, result);
      // Another instance would repeat the check if this one died. A failed one is repeated soon after it is written.
      if (claims.shared || !result.up || flights.isAwaited(flight) || isChange(result) || isSlowChange(result))
        void flushSoon();
    },
  };
};

export type ResultBuffer = ReturnType<typeof createResultBuffer>;

/** Logs that a monitor goes down or recovers: with the error code, and never with its address or the response. */
const logChange = (log: Log, finished: Finished): void => {
  const { monitorId: monitor, userId: user, previous, up, paused, ...result } = finished;
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
  if (isSlowChange(finished))
    log.info(isDegradedBy(finished) ? "a monitor responds slowly" : "a monitor responds in time again", {
      monitor,
      user,
    });
};
