import type { Deps } from "../../../../core/deps";
import { rateLimited } from "../../../../core/errors";
import { createExpiringMap } from "../../../../lib/expiring-map";
import { DAY, MINUTE, SECOND } from "../../../../shared/limits";

/** Pings of one heartbeat in a minute, on this process. */
const PINGS_A_MINUTE = 60;
/** Unknown addresses that one network may send in a minute; beyond it, one more in a second. */
const UNKNOWN_A_MINUTE = 60;
/** Heartbeats that pings with one ping key may create in a minute, on this process. */
const CREATED_A_MINUTE = 60;
/** Networks, addresses, heartbeats and ping keys that are remembered; the oldest are dropped first. */
const REMEMBERED = 20_000;
const COUNTED = 50_000;

export type PingLimits = ReturnType<typeof createPingLimits>;

/** Counts by key. Returns the seconds until the next is accepted if there were `max` in the minute, otherwise 0. */
const createMinutes = <Key extends string | number>(max: number) => {
  const minutes = createExpiringMap<Key, { count: number; until: number }>(COUNTED);
  return (key: Key, now: number): number => {
    const counted = minutes.get(key, now);
    if (!counted) minutes.set(key, { count: 1, until: now + MINUTE }, now, { lifetime: MINUTE });
    else if (counted.count < max) counted.count++;
    else return Math.max(1, Math.ceil((counted.until - now) / SECOND));
    return 0;
  };
};

/** The limits of pings: of each heartbeat, of each ping key that creates some, and of networks that send unknown addresses. */
export const createPingLimits = ({ clock }: Pick<Deps, "clock">) => {
  const recent = createExpiringMap<string, true>(REMEMBERED);
  const networks = createExpiringMap<string, { unknown: number; nextAt: number }>(REMEMBERED);
  const countPing = createMinutes<number>(PINGS_A_MINUTE);
  const countCreated = createMinutes<string>(CREATED_A_MINUTE);

  return {
    /**
     * Refuses an address that was not seen yet of a network that has sent too many unknown ones: other jobs in the same
     * network are served.
     * @throws {AppError} rate_limited
     */
    admit: (address: string, network: string): void => {
      const now = clock.now();
      const counted = networks.get(network, now);
      if (!counted || counted.unknown < UNKNOWN_A_MINUTE || recent.get(address, now)) return;
      if (now < counted.nextAt) throw rateLimited(Math.ceil((counted.nextAt - now) / SECOND));
      counted.nextAt = now + SECOND;
    },

    countUnknown: (network: string): void => {
      const now = clock.now();
      const counted = networks.get(network, now);
      if (counted) counted.unknown++;
      else networks.set(network, { unknown: 1, nextAt: 0 }, now, { lifetime: MINUTE });
    },

    /** Counts a ping of a heartbeat. Returns the seconds until the next is accepted if there were too many, otherwise 0. */
    count: (address: string, monitorId: number): number => {
      const now = clock.now();
      if (!recent.get(address, now)) recent.set(address, true, now, { lifetime: DAY });
      return countPing(monitorId, now);
    },

    /** The same for the heartbeats that a ping key creates. */
    countCreated: (key: string): number => countCreated(key, clock.now()),
  };
};
