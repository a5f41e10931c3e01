import { within } from "./errors";

/** Minimum milliseconds between two test writes, however often the probe runs. */
const TEST_WRITE_PAUSE = 1000;
/** Time until an unanswered probe makes the database count as unavailable (ms). */
const PROBE_TIMEOUT = 5000;

/** A different digit each time, because SQLite does not write unchanged pages. */
const statementOf = (turn: number, size: number): string =>
  `insert into app_settings (key, value) values ('probe', '${String(turn % 10).repeat(size)}')
    on conflict (key) do update set value = excluded.value`;

type HealthProbe = {
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
export const createHealthProbe = ({ size, look, write, timeout = PROBE_TIMEOUT }: HealthProbe) => {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let turn = 0;
  const probe = async (): Promise<void> => {
    await look();
    if (performance.now() - writtenAt < TEST_WRITE_PAUSE) return;
    await write(statementOf(turn++, size));
    writtenAt = performance.now();
  };
  return (): Promise<void> => within(timeout, probe());
};
