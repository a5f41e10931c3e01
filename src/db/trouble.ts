type Failure = { code?: unknown; errno?: unknown; message?: unknown };

/** What a database itself said, below whatever was wrapped around it. */
const rootOf = (error: unknown): Failure => {
  let root = error;
  while (root instanceof Error && root.cause) root = root.cause;
  return Object(root) as Failure;
};

/** A deadlock, and a transaction that another one got ahead of: nothing was written, and the next try may well succeed. */
export const hadToGiveWay = (error: unknown): boolean => ["40P01", "40001"].includes(String(rootOf(error).errno));

const SQLITE = /SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|CORRUPT|NOTADB)|disk is full|disk I\/O error/i;
const CONNECTION = /ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|ECONN|EPIPE|Connection closed/i;
/** PostgreSQL's classes of errors: connection, resources (a full disk, too many clients), shutting down, read-only. */
const STATES = /^(08|25006|40|53|57|58)/;

/** Whether it is the way to the database that failed: the database itself said nothing. */
export const isConnectionLost = (error: unknown): boolean => {
  const { code, message } = rootOf(error);
  return CONNECTION.test(`${code ?? ""} ${message ?? ""}`);
};

/** Whether it is the database that is away, full or stopped, and no mistake in what it was asked. */
export const isDatabaseTrouble = (error: unknown): boolean => {
  const { code, errno, message } = rootOf(error);
  const said = `${code ?? ""} ${message ?? ""}`;
  return SQLITE.test(said) || isConnectionLost(error) || STATES.test(String(errno ?? ""));
};

/** Whether something was to be stored that belongs to what is no longer there: a user deleted at this very moment. */
export const isOrphaned = (error: unknown): boolean => /foreign key constraint/i.test(String(rootOf(error).message));
