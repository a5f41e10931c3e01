import { AppError, unavailable } from "../core/errors";

type Failure = { code?: unknown; errno?: unknown; message?: unknown };

/** The database's own error, below the errors that wrap it. */
const rootOf = (error: unknown): Failure => {
  let root = error;
  while (root instanceof Error && root.cause) root = root.cause;
  return Object(root) as Failure;
};

/** PostgreSQL's codes for a deadlock and a serialization failure. */
const SERIALIZATION_FAILURES = ["40P01", "40001"];
const SQLITE = /SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|CORRUPT|NOTADB)|disk is full|disk I\/O error/i;
const CONNECTION = /ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|ECONN|EPIPE|Connection closed/i;
/** PostgreSQL's classes of errors: connection, read-only, serialization, resources (disk full, too many clients), shutdown, system. */
const STATES = /^(08|25006|40|53|57|58)/;

/** The database did not answer in time; counts as a lost connection. */
export const noAnswer = (): Error =>
  Object.assign(new Error("The database does not answer."), { code: "ECONNABORTED" });

/** Rejects when `work` has not settled after `timeout` milliseconds. The work itself is not cancelled. */
export const within = async <T>(timeout: number, work: Promise<T>): Promise<T> => {
  const signal = AbortSignal.timeout(timeout);
  const late = Promise.withResolvers<never>();
  signal.onabort = () => late.reject(noAnswer());
  return Promise.race([work, late.promise]);
};

/** Whether a transaction failed by a deadlock or a serialization failure: nothing was written, and a retry may succeed. */
const isSerializationFailure = (error: unknown): boolean =>
  SERIALIZATION_FAILURES.includes(String(rootOf(error).errno));

/** Whether the connection to the database failed, not the query, or a pooler has no connection to it. */
export const isConnectionLost = (error: unknown): boolean => {
  const { code, errno, message } = rootOf(error);
  return CONNECTION.test(`${code ?? ""} ${message ?? ""}`) || String(errno ?? "").startsWith("08");
};

/** PostgreSQL's code of an error; undefined for others. */
export const stateOf = (error: unknown): string | undefined => {
  const { errno } = rootOf(error);
  return errno === undefined ? undefined : String(errno);
};

/** Whether PostgreSQL has no connection left, for this role or for all, or is still starting. */
export const isFull = (error: unknown): boolean => ["53300", "57P03"].includes(stateOf(error) ?? "");

/** Whether a statement was prepared on another connection, as behind a pooler that changes it for each transaction. */
export const isPoolerMismatch = (error: unknown): boolean => ["26000", "42P05", "08P01"].includes(stateOf(error) ?? "");

/** Whether the server had ended the connection because it was idle, so that the statement did not run. */
export const wasIdle = (error: unknown): boolean => stateOf(error) === "57P05";

/** Whether a write failed because the server is a standby, or read-only by its settings. */
export const isReadOnly = (error: unknown): boolean => rootOf(error).errno === "25006";

/** Whether the database is unreachable, full, read-only or shutting down, so that the same query may succeed later. */
export const isUnavailable = (error: unknown): boolean => {
  const { code, errno, message } = rootOf(error);
  const text = `${code ?? ""} ${message ?? ""}`;
  return SQLITE.test(text) || isConnectionLost(error) || STATES.test(String(errno ?? ""));
};

/** Whether a write failed because the disk of the database is full. */
const isDiskFull = (error: unknown): boolean => {
  const { code, errno, message } = rootOf(error);
  return errno === "53100" || /SQLITE_FULL|disk is full/i.test(`${code ?? ""} ${message ?? ""}`);
};

/** The error that the API answers when a query failed: why the database can't be used, as far as that is known. */
export const failureOf = (error: unknown): AppError => {
  if (!isUnavailable(error)) return new AppError("internal");
  if (isDiskFull(error)) return new AppError("database_full");
  const isSqliteReadOnly = /SQLITE_READONLY/.test(String(rootOf(error).code ?? ""));
  return isSqliteReadOnly || isReadOnly(error) ? new AppError("database_read_only") : unavailable();
};

/** Whether a write failed because a row it refers to does not exist, such as a user deleted at the same time. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  /foreign key constraint/i.test(String(rootOf(error).message));

const TRIES = 5;

/** Runs a transaction, and retries it after a deadlock or a serialization failure, at most five times. */
export const withRetry = async <T>(transaction: () => Promise<T>): Promise<T> => {
  for (let tried = 1; ; tried++) {
    try {
      return await transaction();
    } catch (error) {
      if (tried === TRIES || !isSerializationFailure(error)) throw error;
    }
  }
};
