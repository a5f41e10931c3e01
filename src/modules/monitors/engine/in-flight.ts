import { createInFlight, type Flight } from "../../../lib/concurrency";
import type { Check } from "../../../probe/retry";
import type { Result } from "./sql/record";

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
