import type { Deps } from "../../../../core/deps";
import { rateLimited } from "../../../../core/errors";
import { createExpiringMap } from "../../../../lib/expiring-map";
import { DAY, MINUTE, SECOND } from "../../../../shared/limits";

/** Pings of one heartbeat in a minute, on this process. */
const PINGS_A_MINUTE = 60;
/** Unknown tokens that one network may send in a minute; beyond it, one more in a second. */
const UNKNOWN_A_MINUTE = 60;
/** Networks, tokens and heartbeats that are remembered; the oldest are dropped first. */
const REMEMBERED = 20_000;
const COUNTED = 50_000;

export type PingLimits = ReturnType<typeof createPingLimits>;

/** The limits of pings: of each heartbeat, and of networks that send unknown tokens. */
export const createPingLimits = ({ clock }: Pick<Deps, "clock">) => {
  const recentTokens = createExpiringMap<string, true>(REMEMBERED);
  const networks = createExpiringMap<string, { unknown: number; nextAt: number }>(REMEMBERED);
  const heartbeats = createExpiringMap<number, { pings: number; until: number }>(COUNTED);

  return {
    /**
     * Refuses a token that was not seen yet of a network that has sent too many unknown ones: jobs behind the same address
     * are served.
     * @throws {AppError} rate_limited
     */
    admit: (token: string, network: string): void => {
      const now = clock.now();
      const counted = networks.get(network, now);
      if (!counted || counted.unknown < UNKNOWN_A_MINUTE || recentTokens.get(token, now)) return;
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
    count: (token: string, monitorId: number): number => {
      const now = clock.now();
      if (!recentTokens.get(token, now)) recentTokens.set(token, true, now, { lifetime: DAY });
      const counted = heartbeats.get(monitorId, now);
      if (!counted) heartbeats.set(monitorId, { pings: 1, until: now + MINUTE }, now, { lifetime: MINUTE });
      else if (counted.pings < PINGS_A_MINUTE) counted.pings++;
      else return Math.max(1, Math.ceil((counted.until - now) / SECOND));
      return 0;
    },
  };
};
