import { readFileSync } from "node:fs";
import type { Log } from "../../../core/log";
import type { Clock } from "../../../lib/time";
import { SECOND } from "../../../shared/limits";

/** Running checks of one process where the limit of open files is unknown or higher. */
const MOST = 20_000;
/** File descriptors for the database, incoming connections and deliveries. */
const RESERVED = 64;
const LOW = 4096;

/** The number of files that this process may open; null if unknown, because only Linux has this file. */
export const descriptorLimit = (read = () => readFileSync("/proc/self/limits", "utf8")): number | null => {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(read()) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
};

/** The number of checks that may run at once: each holds a descriptor, and a quarter of them is reserved. */
export const checksAtOnce = (log: Pick<Log, "warn">, limit = descriptorLimit()): number => {
  if (limit === null) return MOST;
  const most = Math.max(8, Math.min(MOST, Math.floor(limit * 0.75) - RESERVED));
  if (limit < LOW) {
    const hint = "raise it with `ulimit -n`, LimitNOFILE= or --ulimit nofile=";
    log.warn("the limit of open files is low", { limit, checks_at_once: most, hint });
  }
  return most;
};

/** A check to start: its owner, its host, and the bytes of headers and body that it holds while it runs. */
export type Request = {
  userId: number;
  /** Quotas apply to the role user only. */
  limited: boolean;
  host: string;
  size: number;
};

export type Limits = {
  /** Running checks of this process, and bytes of headers and bodies that they hold. */
  running: number;
  bytes: number;
  /** Running checks of one user, and requests of one user to one host per second. */
  perUser: number;
  perHost: number;
};

type Waiting = { request: Request; start: () => void };
type User = { running: number; waiting: Waiting[]; second: number; starts: Map<string, number> };

/** Checks that hold less than this count as 0 bytes, because their number is limited. */
const SMALL = 4096;

/**
 * The concurrency limits of checks: of the process, of each user, and of each user's hosts. Waiting checks of one user
 * start in the order in which they were due; when the process is full, users are served round-robin.
 */
export const createAdmission = (limits: Limits, clock: Clock) => {
  const users = new Map<number, User>();
  /** Users with waiting checks; the first is served next. */
  const queue = new Set<number>();
  let running = 0;
  let bytes = 0;
  let waitingCount = 0;
  let timer = false;
  /** Whether a check waits for the limits of the process, not for its user's quotas. */
  let full = false;

  const userOf = (id: number): User => {
    const known = users.get(id);
    if (known) return known;
    const user = { running: 0, waiting: [], second: 0, starts: new Map<string, number>() };
    users.set(id, user);
    return user;
  };

  const startsNow = (user: User): Map<string, number> => {
    const second = Math.floor(clock.now() / SECOND);
    if (user.second !== second) {
      user.second = second;
      user.starts.clear();
    }
    return user.starts;
  };

  const weight = ({ size }: Request) => (size < SMALL ? 0 : size);
  const hostHasRoom = (user: User, { limited, host }: Request) =>
    !limited || (startsNow(user).get(host) ?? 0) < limits.perHost;
  const hasRoom = (request: Request): boolean => {
    // A single check may be larger than the limit, and then runs alone.
    const room = running < limits.running && (bytes === 0 || bytes + weight(request) <= limits.bytes);
    full ||= !room;
    return room;
  };
  const mayStart = (user: User, request: Request): boolean =>
    (!request.limited || user.running < limits.perUser) && hostHasRoom(user, request) && hasRoom(request);

  const countStart = (user: User, { limited, host }: Request) => {
    if (!limited) return;
    const starts = startsNow(user);
    starts.set(host, (starts.get(host) ?? 0) + 1);
  };

  const take = (user: User, request: Request) => {
    running++;
    user.running++;
    bytes += weight(request);
    countStart(user, request);
  };

  const drop = (id: number, user: User) => {
    if (user.waiting.length === 0) queue.delete(id);
    if (user.waiting.length === 0 && user.running === 0) users.delete(id);
  };

  /** Starts the first of a user's waiting checks that is allowed to. */
  const startNext = (id: number): boolean => {
    const user = userOf(id);
    full ||= running >= limits.running;
    const index = running < limits.running ? user.waiting.findIndex(({ request }) => mayStart(user, request)) : -1;
    const [next] = index < 0 ? [] : user.waiting.splice(index, 1);
    if (next) {
      waitingCount--;
      take(user, next.request);
      next.start();
      // Round-robin: this user goes to the end of the queue.
      queue.delete(id);
      queue.add(id);
    }
    drop(id, user);
    return next !== undefined;
  };

  /** Starts all checks that are allowed to start now, one per user and round. */
  const drain = (): void => {
    full = false;
    for (let started = true; started && running < limits.running; ) {
      started = false;
      for (const id of [...queue]) started = startNext(id) || started;
    }
    full ||= queue.size > 0 && running >= limits.running;
    waitForNextSecond();
  };

  const nextSecond = () => clock.sleep(SECOND - (clock.now() % SECOND));

  /** Checks that wait for the limit of their host start in the next second, without another check that ends. */
  const waitForNextSecond = (): void => {
    if (timer || queue.size === 0) return;
    timer = true;
    void nextSecond().then(() => {
      timer = false;
      drain();
    });
  };

  return {
    /** Starts a check if that is allowed now, and returns whether it is. It counts as running until `leave`. */
    tryEnter: (request: Request): boolean => {
      const user = userOf(request.userId);
      if (user.waiting.length > 0 || !mayStart(user, request)) {
        drop(request.userId, user);
        return false;
      }
      take(user, request);
      return true;
    },

    /** Waits until a check may start. It counts as running until `leave`. */
    enter: (request: Request): Promise<void> =>
      new Promise((start) => {
        userOf(request.userId).waiting.push({ request, start });
        waitingCount++;
        queue.add(request.userId);
        startNext(request.userId);
        waitForNextSecond();
      }),

    leave: (request: Request): void => {
      const user = userOf(request.userId);
      running--;
      user.running--;
      bytes -= weight(request);
      drop(request.userId, user);
      if (full) drain();
      else if (user.waiting.length > 0) startNext(request.userId);
    },

    /** Waits until a running check may make another request. */
    retry: async (request: Request): Promise<void> => {
      const user = userOf(request.userId);
      while (!hostHasRoom(user, request)) await nextSecond();
      countStart(user, request);
    },

    /** Starts all waiting checks, so that they can end when the process stops. */
    release: (): void => {
      for (const id of [...queue]) {
        const user = userOf(id);
        for (const { request, start } of user.waiting.splice(0)) {
          waitingCount--;
          take(user, request);
          start();
        }
        queue.delete(id);
      }
    },

    running: () => running,
    waiting: () => waitingCount,
  };
};

export type Admission = ReturnType<typeof createAdmission>;
