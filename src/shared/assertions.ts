/** Conditions on an HTTP response besides its status. Values and pure functions for the hub and the page. */

export const ASSERTION_LIMITS = {
  /** Assertions of one monitor. */
  count: 10,
  path: 256,
  value: 1024,
  /** Milliseconds of a limit for slow responses. */
  time: 300_000,
} as const;

export const SUBJECTS = ["body", "json", "header", "time"] as const;
export type Subject = (typeof SUBJECTS)[number];

export const OPERATORS = ["=", "!=", "<", "<=", ">", ">=", "contains", "lacks", "exists"] as const;
export type Operator = (typeof OPERATORS)[number];

/** The operators of each subject, in the order of the form. */
export const OPERATORS_OF: Readonly<Record<Subject, readonly Operator[]>> = {
  body: ["contains", "lacks"],
  json: ["=", "!=", "<", "<=", ">", ">=", "contains", "lacks", "exists"],
  header: ["=", "!=", "contains", "lacks", "exists"],
  time: ["<"],
};

/** An assertion: `path` is a path in JSON or the name of a header, and empty for the others. */
export type Assertion = {
  on: Subject;
  path: string;
  op: Operator;
  /** Empty for `exists`. */
  value: string;
  /** Whether upper and lower case are the same for `contains` and `lacks`. */
  ignore_case: boolean;
};

const NUMERIC: readonly Operator[] = ["<", "<=", ">", ">="];

/** Whether an operator compares numbers. */
export const isNumeric = (op: Operator): boolean => NUMERIC.includes(op);

/** Whether the subject has a path: a JSON path, or the name of a header. */
export const hasPath = (on: Subject): boolean => on === "json" || on === "header";

/** Whether an assertion needs the body of the response. */
export const needsBody = (on: Subject): boolean => on === "body" || on === "json";

/** The number that a text is, in JSON's notation; null for any other text. */
export const numberOf = (text: string): number | null =>
  /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim()) ? Number(text) : null;

/** The limit for slow responses in milliseconds, if there is an assertion for it. */
export const slowLimitOf = (assertions: readonly Assertion[]): number | undefined => {
  const limit = assertions.find(({ on }) => on === "time")?.value;
  return limit === undefined ? undefined : Number(limit);
};
