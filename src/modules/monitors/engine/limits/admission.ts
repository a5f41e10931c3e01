import type { Clock } from "../../../../core/clock";
import { SECOND } from "../../../../shared/limits";

/** Who asks to start a check, where it goes, and how many bytes of headers and body it holds while it runs. */
export type Request = {
  userId: number;
  /** Quotas hold for role user only. */
  limited: boolean;
  host: string;
  size: number;
};

export type Limits = {
  /** Checks under way in this process, and bytes of headers and bodies that they hold. */
  running: number;
  bytes: number;
  /** Checks under way of one user, and request starts of one user to one host per second. */
  perUser: number;
  perHost: number;
};

type Waiting = { request: Request; start: () => void };
type User = { running: number; waiting: Waiting[]; second: number; starts: Map<string, number> };

/** Requests that hold less than this count as nothing: their number bounds them. */
const SMALL = 4096;

/**
 * Decides when a claimed check may start. Checks of one user wait for each other in the order in which they were due,
 * and users take turns where the process itself is full, so that nobody delays anyone else.
 */
export const createAdmission = (limits: Limits, clock: Clock) => {
  const users = new Map<number, User>();
  /** Users who have something waiting; the first is next. */
  const queue = new Set<number>();
  let running = 0;
  let bytes = 0;
  let waitingCount = 0;
  let timer = false;
  /** Something waits because the process is full, and not for its own user's quotas. */
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
    // A single request may be larger than all that is allowed.
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

  /** Starts the first of a user's waiting checks that may start. */
  const startNext = (id: number): boolean => {
    const user = userOf(id);
    full ||= running >= limits.running;
    const index = running < limits.running ? user.waiting.findIndex(({ request }) => mayStart(user, request)) : -1;
    const [next] = index < 0 ? [] : user.waiting.splice(index, 1);
    if (next) {
      waitingCount--;
      take(user, next.request);
      next.start();
      // The others come first now.
      queue.delete(id);
      queue.add(id);
    }
    drop(id, user);
    return next !== undefined;
  };

  /** Starts what may start now, one check of each user in turn. */
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

  /** What waits for its host's next second is started by time, and not by another check that ends. */
  const waitForNextSecond = (): void => {
    if (timer || queue.size === 0) return;
    timer = true;
    void nextSecond().then(() => {
      timer = false;
      drain();
    });
  };

  return {
    /** Whether a check may start now; it counts as started then, until it is ended by `leave`. */
    tryEnter: (request: Request): boolean => {
      const user = userOf(request.userId);
      if (user.waiting.length > 0 || !mayStart(user, request)) {
        drop(request.userId, user);
        return false;
      }
      take(user, request);
      return true;
    },

    /** Waits until a check may start. It counts as started then, until it is ended by `leave`. */
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

    /** Waits until a check that is under way may make another request. */
    retry: async (request: Request): Promise<void> => {
      const user = userOf(request.userId);
      while (!hostHasRoom(user, request)) await nextSecond();
      countStart(user, request);
    },

    /** Lets all that waits start, so that it can end. */
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
