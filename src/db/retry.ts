/** A deadlock, and a transaction that another one got ahead of: nothing was written, and the next try may well succeed. */
const GAVE_WAY = ["40P01", "40001"];
const TRIES = 5;

const stateOf = (error: unknown): unknown => {
  let root = error;
  while (root instanceof Error && root.cause) root = root.cause;
  return (root as { errno?: unknown } | undefined)?.errno;
};

/** Runs a transaction, and again when PostgreSQL chose it to give way to another: five times at most. */
export const untilThrough = async <T>(transaction: () => Promise<T>): Promise<T> => {
  for (let tried = 1; ; tried++) {
    try {
      return await transaction();
    } catch (error) {
      if (tried === TRIES || !GAVE_WAY.includes(String(stateOf(error)))) throw error;
    }
  }
};
