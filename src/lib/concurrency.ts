/**
 * Runs work one at a time, in the order of the calls. Work that fails does not stop the work after it.
 *
 * @returns a function that resolves or rejects with its own work
 */
export const createMutex = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
};

/**
 * Runs `work` one at a time and as seldom as possible. A call during a run gets the next run, which it shares with all
 * calls of that time: the current run may have read its data before the caller changed it.
 *
 * @returns a function that resolves or rejects with the run that began after the call
 */
export const createCoalescedRunner = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    if (next) return next;
    if (!running) {
      running = work().finally(() => {
        running = null;
      });
      return running;
    }
    const begin = () => {
      next = null;
      return run();
    };
    next = running.then(begin, begin);
    return next;
  };
  return run;
};

/**
 * Limits how much work runs at once. `take` chooses the next work and returns its start function, or undefined while
 * none may start.
 */
export const createLimiter = (limit: number, take: () => (() => void) | undefined) => {
  let running = 0;
  /** Starts the work that may start now. Called when work was added or a limit changed. */
  const fill = (): void => {
    while (running < limit) {
      const start = take();
      if (!start) return;
      running++;
      start();
    }
  };
  return {
    fill,
    /** Counts one piece of work as ended, and starts the next. */
    leave: (): void => {
      running--;
      fill();
    },
  };
};

/** A piece of work under its id. `result` is set once it has ended. */
export type Flight<Item, Result> = { readonly id: number; readonly item: Item; result?: Result };

/**
 * The work of this process that was started and whose result is not stored yet, by id. A result is kept until it is
 * settled, so that a write that failed can be repeated. Work that was dropped or replaced is stale: its result is ignored.
 */
export const createInFlight = <Item, Result>() => {
  type Started = Flight<Item, Result>;
  const flights = new Map<number, Started>();
  const ended = new Map<number, Started & { result: Result }>();
  let idle: (() => void)[] = [];

  const isCurrent = (flight: Started): boolean => flights.get(flight.id) === flight;

  const wakeIfIdle = (): void => {
    if (flights.size > ended.size) return;
    const waiting = idle;
    idle = [];
    for (const wake of waiting) wake();
  };

  const drop = (id: number): void => {
    flights.delete(id);
    ended.delete(id);
    wakeIfIdle();
  };

  return {
    /** Starts work under an id. Earlier work under the same id is stale from now on. */
    start: (id: number, item: Item): Started => {
      const flight = { id, item };
      flights.set(id, flight);
      ended.delete(id);
      return flight;
    },
    get: (id: number): Started | undefined => flights.get(id),
    isCurrent,
    /** Keeps the result of work until it is settled, unless the work is stale. */
    end: (flight: Started, result: Result): void => {
      if (!isCurrent(flight)) return;
      ended.set(flight.id, Object.assign(flight, { result }));
      wakeIfIdle();
    },
    /** Ended work that is not settled, in the order it ended. */
    ended: () => [...ended.values()],
    /** Removes work whose result is stored, and returns whether it was still current. */
    settle: (flight: Started): boolean => {
      const current = isCurrent(flight);
      if (current) drop(flight.id);
      return current;
    },
    /** Removes work, ended or not. */
    drop,
    /** The ids of all work that is started and not settled. */
    ids: () => [...flights.keys()],
    /** The same work itself. */
    items: () => [...flights.values()].map(({ item }) => item),
    /** The work that is started and not ended. */
    running: () => [...flights.values()].filter(({ id }) => !ended.has(id)),
    size: () => flights.size,
    unsettled: () => ended.size,
    /** Resolves once no work is running. */
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        idle.push(resolve);
        wakeIfIdle();
      }),
  };
};

type WorkerOptions = {
  /** One run: takes results in and starts what is due. */
  run: () => Promise<void>;
  /** The work that runs have started. */
  inFlight: { idle: () => Promise<void> };
  clock: { sleep: (milliseconds: number) => Promise<void> };
  /** How long `stop` waits for work in flight (ms). */
  grace: number;
};

/** Runs that never overlap and start work which outlives them, with an orderly end. */
export const createWorker = ({ run, inFlight, clock, grace }: WorkerOptions) => {
  let stopping = false;
  const runOnce = createCoalescedRunner(async () => {
    if (!stopping) await run();
  });
  return {
    /** Runs once. See {@link createCoalescedRunner}. After `stop` it does nothing. */
    run: runOnce,
    stopping: (): boolean => stopping,
    /** Starts no more runs, lets the current one end, and waits for work in flight, at most for the grace period. */
    stop: async (): Promise<void> => {
      stopping = true;
      await runOnce();
      await Promise.race([inFlight.idle(), clock.sleep(grace)]);
    },
  };
};
