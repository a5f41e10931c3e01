import { noAnswer } from "./errors";

/** Minimum milliseconds between two test writes, however often the probe runs. */
const PAUSE = 1000;
/** Milliseconds after which a database that does not answer counts as unavailable. */
const TIMEOUT = 5000;

/** A different digit each time, because SQLite does not write unchanged pages. */
const statementOf = (turn: number, size: number): string =>
  `insert into app_settings (key, value) values ('probe', '${String(turn % 10).repeat(size)}')
    on conflict (key) do update set value = excluded.value`;

/** Rejects when `work` has not settled after `timeout` milliseconds. The work itself is not cancelled. */
export const within = async <T>(timeout: number, work: Promise<T>): Promise<T> => {
  const signal = AbortSignal.timeout(timeout);
  const late = Promise.withResolvers<never>();
  signal.onabort = () => late.reject(noAnswer());
  return Promise.race([work, late.promise]);
};

type Probe = {
  /** Characters that are written. */
  size: number;
  /** Throws when the database cannot be written: runs every time. */
  look: () => unknown;
  /** Runs a statement: at most once a second. */
  write: (statement: string) => unknown;
  /** Milliseconds. */
  timeout?: number;
};

/** Returns a function that throws when the database cannot be written or does not answer in time. */
export const createHealthProbe = ({ size, look, write, timeout = TIMEOUT }: Probe) => {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let turn = 0;
  const ask = async (): Promise<void> => {
    await look();
    if (performance.now() - writtenAt < PAUSE) return;
    await write(statementOf(turn++, size));
    writtenAt = performance.now();
  };
  return (): Promise<void> => within(timeout, ask());
};
