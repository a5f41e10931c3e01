export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;
export type Method = (typeof METHODS)[number];
/** Methods with a body. */
export const METHODS_WITH_BODY: readonly Method[] = ["POST", "PUT", "PATCH"];

/** Whether a status is the expected one, or, for an expectation of 1 to 5, of that class. */
export const isExpected = (status: number, expected: number): boolean =>
  expected < 10 ? Math.floor(status / 100) === expected : status === expected;

/** `200`, or `2xx` for a class. */
export const expectedLabel = (expected: number): string => (expected < 10 ? `${expected}xx` : String(expected));

/** Checks that a list can show of each monitor. */
export const MAX_RECENT = 40;

/** Local conditions that prevent the hub from making requests. Codes never change. */
export const CONDITIONS = ["resolver", "descriptors", "ports", "memory", "ping"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A present condition, and its start in epoch milliseconds. */
export type ActiveCondition = { code: Condition; since: number };

export const CONDITION_WORDS: Record<Condition, string> = {
  resolver: "the name servers of this machine do not answer",
  descriptors: "no more files or connections can be opened",
  ports: "no more local ports are free for connections there",
  memory: "the system has no memory left for connections",
  ping: "the ping program of this machine is missing or does not work",
};
