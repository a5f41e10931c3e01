import { createExpiringMap } from "../lib/expiring-map";
import type { Clock } from "../lib/time";
import { MINUTE, SECOND } from "../shared/limits";
import { AppError, rateLimited } from "./errors";

/** Probes and test messages of one user in a minute, on this process. */
export const TRIALS_PER_MINUTE = 30;
/** Test messages of one user under way. */
const MESSAGES_AT_ONCE = 2;
/** Users and hosts that are counted; the oldest is dropped first. */
const REMEMBERED = 10_000;

type User = { id: number; teamId: number; role: "admin" | "user" };
/** A test message under way; the channel's id is 0 while it is not stored. */
type Sending = { userId: number; teamId: number; channelId: number };

/** Limits what users try before they save it: probes of monitors and test messages of channels. */
export const createTrials = ({ now }: Pick<Clock, "now">) => {
  const counters = createExpiringMap<number, { trials: number; until: number }>(REMEMBERED);
  const hosts = createExpiringMap<string, true>(REMEMBERED);
  const sending = new Set<Sending>();

  /**
   * Counts a trial.
   * @throws {AppError} rate_limited
   */
  const count = (userId: number): void => {
    const existing = counters.get(userId, now());
    const counter = existing ?? { trials: 0, until: now() + MINUTE };
    if (!existing) counters.set(userId, counter, now(), { lifetime: MINUTE });
    if (counter.trials >= TRIALS_PER_MINUTE) throw rateLimited(Math.ceil((counter.until - now()) / SECOND));
    counter.trials++;
  };

  /** @throws {AppError} test_too_soon */
  const assertRoom = (userId: number, host: string): void => {
    const underWay = [...sending].filter((message) => message.userId === userId).length;
    const key = `${userId} ${host}`;
    if (underWay >= MESSAGES_AT_ONCE || hosts.get(key, now()))
      throw new AppError("test_too_soon", {}, { retryAfter: 1 });
    hosts.set(key, true, now(), { lifetime: SECOND });
  };

  return {
    count,

    /**
     * Sends a test message to a host. A user other than an administrator has two under way, and sends one a second to a
     * host.
     * @throws {AppError} test_too_soon, rate_limited
     */
    send: async <T>(
      { id: userId, teamId, role }: User,
      { channelId, host }: { channelId: number; host: string },
      send: () => Promise<T>,
    ): Promise<T> => {
      if (role !== "admin") assertRoom(userId, host);
      count(userId);
      const message = { userId, teamId, channelId };
      sending.add(message);
      try {
        return await send();
      } finally {
        sending.delete(message);
      }
    },

    /** The test messages under way, which take places of deliveries. */
    sending: (): readonly Sending[] => [...sending],
  };
};

export type Trials = ReturnType<typeof createTrials>;
