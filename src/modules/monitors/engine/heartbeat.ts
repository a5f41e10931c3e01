import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { SECOND } from "../../../shared/limits";
import type { Engine } from "./engine";

/** A tick that is not repeated, and a check that has not started, is late after this many milliseconds. */
const LATE = 10 * SECOND;
const TIMEOUT = 10 * SECOND;
const CALLER = { key: "heartbeat", lookups: 4, allowPrivate: true };

type Parts = Pick<Deps, "clock" | "config" | "log" | "meters" | "outbound">;

/**
 * Requests HEARTBEAT_URL while checks run on time, so that a monitor elsewhere notices when this hub stops. Returns a
 * function to be called once a minute. Checks run on time while the engine ticks, and most checks of the last minute were
 * not late: checks of a user who is at a quota may be.
 */
export const createHeartbeat = ({ clock, config, log, meters, outbound }: Parts, engine: Pick<Engine, "tickedAt">) => {
  let before = { count: 0, punctual: 0 };
  let wasSent = true;

  const isOnTime = (): boolean => {
    const { count, buckets } = meters.lateness.read();
    const punctual = buckets.findLast(({ bound }) => bound * SECOND <= LATE)?.count ?? 0;
    const [started, late] = [count - before.count, count - punctual - (before.count - before.punctual)];
    before = { count, punctual };
    return clock.now() - engine.tickedAt() <= LATE && late * 2 <= started;
  };

  const request = async (url: URL): Promise<void> => {
    const signal = AbortSignal.timeout(TIMEOUT);
    const headers = new Headers();
    const response = await outbound.request({ url, method: "GET", headers, body: "", signal, caller: CALLER });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
  };

  return async (): Promise<void> => {
    if (config.heartbeatUrl === "") return;
    if (!isOnTime()) return log.warn("checks are late: the heartbeat is not sent", {});
    try {
      await request(new URL(config.heartbeatUrl));
      if (!wasSent) log.info("the heartbeat is sent again", {});
      wasSent = true;
    } catch (error) {
      if (wasSent)
        log.warn("the heartbeat could not be sent, will retry each minute", { reason: describeError(error) });
      wasSent = false;
    }
  };
};
