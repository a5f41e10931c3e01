import { systemClock } from "../../lib/time";
import { RegistryUnavailable } from "./request";

/** Requests that may wait for one registry. */
const MAX_WAITING = 20;

type Lane = { waiting: number; last: Promise<unknown> };

/** Makes requests to each registry one after the other, with a pause between them. `spacing` is in milliseconds. */
export const createPace = (spacing: number) => {
  const lanes = new Map<string, Lane>();

  /** @throws {RegistryUnavailable} busy while too many wait, or when the signal is aborted before its turn */
  return async <T>(registry: string, signal: AbortSignal, request: () => Promise<T>): Promise<T> => {
    const lane = lanes.get(registry) ?? { waiting: 0, last: Promise.resolve() };
    if (lane.waiting >= MAX_WAITING) throw new RegistryUnavailable("busy");
    lanes.set(registry, lane);
    lane.waiting++;
    const [before, turn] = [lane.last, Promise.withResolvers<void>()];
    lane.last = turn.promise;
    let pause = 0;
    try {
      await before;
      if (signal.aborted) throw new RegistryUnavailable("busy");
      pause = spacing;
      return await request();
    } finally {
      lane.waiting--;
      void systemClock.sleep(pause).then(() => {
        turn.resolve();
        if (lane.waiting === 0 && lane.last === turn.promise) lanes.delete(registry);
      });
    }
  };
};
