import type { Deps } from "../../../core/deps";
import { rateLimited } from "../../../core/errors";
import { createLimiter } from "../../../lib/concurrency";
import { SECOND } from "../../../shared/limits";

/**
 * The queue that a request waits in. Sign-ins from a network where this user has signed in before are `known`
 * and are served first, so a flood of guesses from unknown clients does not delay them.
 */
export type Priority = "known" | "unknown";

/**
 * Where a request waits. Shares are served round robin: the share is the account in the queue of known clients, and
 * the client's network in the queue of unknown ones.
 */
export type Place = { priority: Priority; share: string };

type Options = { concurrency: number; capacity: number; floodAt: number; timeout: number };
type Waiter = { start: () => void; refuse: (error: Error) => void };

const DEFAULTS: Options = {
  // One hash takes a core for a tenth of a second and 64 MB of memory; the checks need the rest of the machine.
  concurrency: navigator.hardwareConcurrency > 2 ? 2 : 1,
  // Requests that wait in each queue.
  capacity: 32,
  // Requests waiting in a queue that count as a flood: the queue then pauses after each hash for as long as the hash took.
  floodAt: 4,
  // A client that has waited this long, in milliseconds, has given up.
  timeout: 8 * SECOND,
};
/** Seconds, for the Retry-After header. */
const RETRY_AFTER = 3;

/** A fair queue: shares are served round robin, requests of one share first come first served. */
const createQueue = (capacity: number) => {
  // A Map keeps insertion order, which is the order of the round robin.
  const shares = new Map<string, Waiter[]>();
  let size = 0;

  const longest = () =>
    [...shares].reduce((a, b) => (b[1].length > a[1].length ? b : a), ["", []] as [string, Waiter[]]);

  /** Removes the newest request of the longest share, if that share stays at least as long as `share` becomes. */
  const evictFor = (share: string): boolean => {
    const [, waiters] = longest();
    if (waiters.length < (shares.get(share)?.length ?? 0) + 2) return false;
    waiters.pop()?.refuse(rateLimited(RETRY_AFTER));
    size--;
    return true;
  };

  return {
    size: () => size,
    /** Adds a request; false when the queue is full and no other share has more than its part of it. */
    add: (share: string, waiter: Waiter): boolean => {
      if (size >= capacity && !evictFor(share)) return false;
      const waiters = shares.get(share) ?? [];
      waiters.push(waiter);
      shares.set(share, waiters);
      size++;
      return true;
    },
    /** Takes the first request of the next share, and moves that share to the end. */
    take: (): Waiter | undefined => {
      const [next] = shares;
      if (!next) return undefined;
      const [share, waiters] = next;
      shares.delete(share);
      const waiter = waiters.shift();
      if (waiters.length > 0) shares.set(share, waiters);
      size--;
      return waiter;
    },
  };
};

/**
 * Limits how many passwords are hashed at once, and shares that work fairly.
 *
 * Known clients are served before unknown ones, and within a queue shares take turns. A full queue admits a shorter share by
 * dropping the newest request of the longest share (longest queue drop), so no share can fill the queue for others. During a
 * flood the queue pauses after each hash, so hashing takes at most half of its cores.
 */
export const createPasswordQueue = (options: Partial<Options> = {}) => {
  const { concurrency, capacity, floodAt, timeout } = { ...DEFAULTS, ...options };
  const queues = { known: createQueue(capacity), unknown: createQueue(capacity) };
  const pausing = { known: false, unknown: false };

  const take = (): (() => void) | undefined => {
    // A pause for known clients pauses both queues, or unknown clients would use the time that it leaves to the checks.
    if (pausing.known) return undefined;
    return (queues.known.take() ?? (pausing.unknown ? undefined : queues.unknown.take()))?.start;
  };

  const limiter = createLimiter(concurrency, take);

  const pause = async ({ clock }: Pick<Deps, "clock">, priority: Priority, milliseconds: number): Promise<void> => {
    pausing[priority] = true;
    await clock.sleep(milliseconds);
    pausing[priority] = false;
    limiter.fill();
  };

  /**
   * Runs work that hashes a password when the queue admits it.
   * @throws {AppError} rate_limited, without running it, when the queue is full or the wait exceeds the timeout
   */
  return async <T>(deps: Pick<Deps, "clock">, { priority, share }: Place, work: () => Promise<T>): Promise<T> => {
    const since = deps.clock.now();
    const admission = Promise.withResolvers<void>();
    if (!queues[priority].add(share, { start: admission.resolve, refuse: admission.reject }))
      throw rateLimited(RETRY_AFTER);
    limiter.fill();
    await admission.promise;
    const begun = performance.now();
    try {
      if (deps.clock.now() - since > timeout) throw rateLimited(RETRY_AFTER);
      return await work();
    } finally {
      if (!pausing[priority] && queues[priority].size() >= floodAt)
        void pause(deps, priority, performance.now() - begun);
      limiter.leave();
    }
  };
};

/** The queue of this process. Everything that hashes a password goes through it. */
export const inPasswordQueue = createPasswordQueue();

/** Hashes a password with argon2id (64 MiB, two passes). Call it within the password queue. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, "argon2id");

/** The hash of a random secret: an unknown username must cost as much as a wrong password. */
export const DECOY =
  "$argon2id$v=19$m=65536,t=2,p=1$ieZdWBgwDCXxJ1IGnfw5NRxEpYsAja/eh2pIw34JTm0$Huy4vsNfpY0AMzRIV56cVbcOih8Q4NDqdgDFoahE2Qg";

/** Whether this is the password of a hash. Without a hash, or a password, the answer is false, and takes the same time. */
export const isPassword = async (password: string, hash = ""): Promise<boolean> =>
  (await Bun.password.verify(password, hash || DECOY)) && hash !== "";
