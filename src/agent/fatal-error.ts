/** An error that a restart cannot fix: a wrong setting, a refused token or a deleted server. */
export class FatalError extends Error {}

/** Exit code after a FatalError; service managers are configured not to restart the agent on it. */
export const EX_CONFIG = 78;
