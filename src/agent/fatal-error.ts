/** An end that starting again would not mend: a setting, a token or a deletion that a person has to look at. */
export class FatalError extends Error {}

/** The exit code of a refusal, on which a service manager should not start the agent again (EX_CONFIG). */
export const EX_CONFIG = 78;
