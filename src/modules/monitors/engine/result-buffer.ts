import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import type { Log } from "../../../core/log";
import { createCoalescedRunner } from "../../../lib/concurrency";
import type { CheckInFlight, ChecksInFlight, Finished } from "./in-flight";
import { START_GRANULARITY_MS } from "./job";
import type { Recovery } from "./recovery";
import { recordResults } from "./sql/record";
import { type Claim, claimDue, readClaim } from "./sql/schedule";

/** Milliseconds that claims reach ahead; each check then starts at its own time. */
export const LOOKAHEAD = 1000;

const isChange = ({ previous, up }: Finished): boolean => previous !== (up ? "up" : "down");

/**
 * The results that wait to be written. One transaction writes all of them and claims what is due next, so that rows that
 * are touched together are written once. Results of a failed write are kept for the next one.
 * `onChange` is called when a change of state was written.
 */
export const createResultBuffer = (deps: Deps, flights: ChecksInFlight, recovery: Recovery, onChange: () => void) => {
  const { clock, log, meters, instance, db } = deps;

  const settle = (flight: CheckInFlight & { result: Finished }): void => {
    meters.checks[flight.result.up ? "up" : "down"]++;
    if (flights.settle(flight)) logChange(log, flight.result);
  };

  /** Writes the results, and claims up to `claims` due monitors with them. */
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
    /** Writes the results. They are kept if that fails, which is logged. */
    tryFlush,
    /** Keeps a result until it is written: with the next tick, or at once where it matters. */
    add: (flight: CheckInFlight, result: Finished): void => {
      flights.end(flight, result);
      // PostgreSQL: at once, or another instance repeats the check if this one dies. SQLite has one process, and a batch
      // a second writes fewer pages.
      if (db.engine === "postgres" || flights.isAwaited(flight) || isChange(result)) void flushSoon();
    },
  };
};

export type ResultBuffer = ReturnType<typeof createResultBuffer>;

/** One line when a monitor goes down, and one when it recovers: the reason code, never its address or the answer. */
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
