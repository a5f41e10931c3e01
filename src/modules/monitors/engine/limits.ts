import type { Log } from "../../../core/log";
import { descriptorLimit } from "../../../lib/descriptors";
import type { Clock } from "../../../lib/time";
import { SECOND } from "../../../shared/limits";

/** Running checks of one process where the limit of open files is unknown or higher. */
const MOST = 20_000;
/** File descriptors for the database, incoming connections and deliveries. */
const RESERVED = 64;
const LOW = 4096;

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
  teamId: number;
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
type User = { id: number; running: number; waiting: Waiting[]; second: number; starts: Map<string, number> };

/** The users whose checks run or wait, and the quotas of each: running checks, and requests to one host per second. */
const createUsers = ({ perUser, perHost }: Limits, clock: Clock) => {
  const users = new Map<number, User>();

  const startsNow = (user: User): Map<string, number> => {
    const second = Math.floor(clock.now() / SECOND);
    if (user.second !== second) {
      user.second = second;
      user.starts.clear();
    }
    return user.starts;
  };

  const hostHasRoom = (user: User, { limited, host }: Request): boolean =>
    !limited || (startsNow(user).get(host) ?? 0) < perHost;

  return {
    of: (id: number): User => {
      const existing = users.get(id);
      if (existing) return existing;
      const user = { id, running: 0, waiting: [], second: 0, starts: new Map<string, number>() };
      users.set(id, user);
      return user;
    },

    /** Drops a user without checks. */
    dropIdle: (user: User): void => {
      if (user.waiting.length === 0 && user.running === 0) users.delete(user.id);
    },

    hostHasRoom,

    /** Whether the user's quotas allow a check to start. */
    haveRoom: (user: User, request: Request): boolean =>
      (!request.limited || user.running < perUser) && hostHasRoom(user, request),

    /** Counts a request to its host. */
    countRequest: (user: User, { limited, host }: Request): void => {
      if (!limited) return;
      const starts = startsNow(user);
      starts.set(host, (starts.get(host) ?? 0) + 1);
    },
  };
};

/** Checks that hold less than this count as 0 bytes, because their number is limited. */
const SMALL = 4096;

const weight = ({ size }: Request): number => (size < SMALL ? 0 : size);

/** The limits of the process: running checks, and the bytes of headers and bodies that they hold. */
const createCapacity = (limits: Limits) => {
  let running = 0;
  let bytes = 0;
  return {
    running: () => running,
    isFull: () => running >= limits.running,
    /** A single check may be larger than the limit, and then runs alone. */
    hasRoom: (request: Request): boolean =>
      running < limits.running && (bytes === 0 || bytes + weight(request) <= limits.bytes),
    take: (request: Request): void => {
      running++;
      bytes += weight(request);
    },
    free: (request: Request): void => {
      running--;
      bytes -= weight(request);
    },
  };
};

type Users = ReturnType<typeof createUsers>;
type Capacity = ReturnType<typeof createCapacity>;

/**
 * Starts checks within all limits, and queues the rest. Waiting checks of one user start in the order of their due times; when
 * the process is full, users are served round-robin.
 */
const createQueue = (users: Users, capacity: Capacity) => {
  /** Users with waiting checks; the first is served next. */
  const queue = new Set<User>();
  let waiting = 0;
  /** Whether a check waits for the limits of the process, not for its user's quotas. */
  let full = false;

  const mayStart = (user: User, request: Request): boolean => {
    if (!users.haveRoom(user, request)) return false;
    const room = capacity.hasRoom(request);
    full ||= !room;
    return room;
  };

  const take = (user: User, request: Request): void => {
    user.running++;
    capacity.take(request);
    users.countRequest(user, request);
  };

  const removeIdle = (user: User): void => {
    if (user.waiting.length === 0) queue.delete(user);
    users.dropIdle(user);
  };

  /** Starts the first of a user's waiting checks that is allowed to. */
  const startNext = (user: User): boolean => {
    full ||= capacity.isFull();
    const index = capacity.isFull() ? -1 : user.waiting.findIndex(({ request }) => mayStart(user, request));
    const [next] = index < 0 ? [] : user.waiting.splice(index, 1);
    if (next) {
      waiting--;
      take(user, next.request);
      next.start();
      // Round-robin: this user goes to the end of the queue.
      queue.delete(user);
      queue.add(user);
    }
    removeIdle(user);
    return next !== undefined;
  };

  return {
    startNext,
    removeIdle,
    waiting: () => waiting,
    isFull: () => full,

    /** Starts a check, unless an earlier one of its user waits or the limits forbid it. Returns whether it starts. */
    tryStart: (user: User, request: Request): boolean => {
      const starts = user.waiting.length === 0 && mayStart(user, request);
      if (starts) take(user, request);
      else removeIdle(user);
      return starts;
    },

    add: (user: User, check: Waiting): void => {
      user.waiting.push(check);
      waiting++;
      queue.add(user);
    },

    /** Starts all checks that are allowed to start now, one per user and round. */
    startAllowed: (): void => {
      full = false;
      for (let started = true; started && !capacity.isFull(); ) {
        started = false;
        for (const user of [...queue]) started = startNext(user) || started;
      }
      full ||= queue.size > 0 && capacity.isFull();
    },

    /** Starts all waiting checks, without regard to the limits. */
    startAll: (): void => {
      for (const user of queue) {
        for (const { request, start } of user.waiting.splice(0)) {
          waiting--;
          take(user, request);
          start();
        }
      }
      queue.clear();
    },
  };
};

/** The concurrency limits of checks: of the process, of each user, and of each user's hosts. */
export const createAdmission = (limits: Limits, clock: Clock) => {
  const users = createUsers(limits, clock);
  const capacity = createCapacity(limits);
  const queue = createQueue(users, capacity);
  let timer = false;

  const nextSecond = () => clock.sleep(SECOND - (clock.now() % SECOND));

  /** Checks that wait for the limit of their host start in the next second, without another check that ends. */
  const startInNextSecond = (): void => {
    if (timer || queue.waiting() === 0) return;
    timer = true;
    void nextSecond().then(() => {
      timer = false;
      startAllowed();
    });
  };

  const startAllowed = (): void => {
    queue.startAllowed();
    startInNextSecond();
  };

  const enter = (request: Request): Promise<void> =>
    new Promise((start) => {
      const user = users.of(request.userId);
      queue.add(user, { request, start });
      queue.startNext(user);
      startInNextSecond();
    });

  const leave = (request: Request): void => {
    const user = users.of(request.userId);
    user.running--;
    capacity.free(request);
    queue.removeIdle(user);
    if (queue.isFull()) startAllowed();
    else if (user.waiting.length > 0) queue.startNext(user);
  };

  return {
    /** Starts a check if that is allowed now, and returns whether it is. It counts as running until `leave`. */
    tryEnter: (request: Request): boolean => queue.tryStart(users.of(request.userId), request),

    /** Waits until a check may start. It counts as running until `leave`. */
    enter,
    leave,

    /**
     * Waits before another request of a running check, and until its limits allow that. Other checks run in its place, unless
     * it holds much memory.
     */
    pause: async (request: Request, milliseconds: number): Promise<void> => {
      if (weight(request) === 0) {
        leave(request);
        await clock.sleep(milliseconds);
        return enter(request);
      }
      await clock.sleep(milliseconds);
      const user = users.of(request.userId);
      while (!users.hostHasRoom(user, request)) await nextSecond();
      users.countRequest(user, request);
    },

    /** Starts all waiting checks, so that they can end when the process stops. */
    release: queue.startAll,

    running: capacity.running,
    waiting: queue.waiting,
  };
};

export type Admission = ReturnType<typeof createAdmission>;
