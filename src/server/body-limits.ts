import { validation } from "../core/errors";

/** Far more than any call takes; what goes beyond that is there to keep the console busy. */
const MAX_DEPTH = 32;
const MAX_FIELDS = 500;
/** A mebibyte of samples is about 120,000. */
const MAX_VALUES = 150_000;

const TEXT = "expected a text without NUL and of whole characters";
const DEPTH = `expected at most ${MAX_DEPTH} levels`;
const NAMES = "expected no field of the name toString or valueOf";
const MASSES = `expected at most ${MAX_VALUES} values`;

/** What has its own idea of being a text cannot even be told of in a refusal. */
const isUntellable = (value: object) => Object.hasOwn(value, "toString") || Object.hasOwn(value, "valueOf");

/** What is wrong with a value, in a few words; `room` is for how many more values there is patience. */
const problemOf = (value: unknown, room: { left: number }, depth = 1): string | null => {
  if (--room.left < 0) return MASSES;
  // PostgreSQL keeps no NUL and no half of a character in a text, so neither engine is given one.
  if (typeof value === "string") return value.includes("\0") || !value.isWellFormed() ? TEXT : null;
  if (typeof value !== "object" || value === null) return null;
  if (depth > MAX_DEPTH) return DEPTH;
  if (isUntellable(value)) return NAMES;
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    const problem = problemOf(one, room, depth + 1);
    if (problem) return problem;
  }
  return null;
};

const refuse = (message: string) => validation([{ path: "body", message: `body: ${message}` }]);

/**
 * Refuses what no call takes, before anything else is done with it: that would take seconds of what is large enough.
 * @throws {AppError} validation
 */
export const assertSafeBody = (sent: unknown): void => {
  if (sent === undefined || sent === null || sent === "") return;
  if (typeof sent !== "object" || Array.isArray(sent)) throw refuse("expected a JSON object");
  if (isUntellable(sent)) throw refuse(NAMES);
  const fields = Object.entries(sent);
  if (fields.length > MAX_FIELDS) throw refuse(`expected at most ${MAX_FIELDS} fields`);
  const room = { left: MAX_VALUES };
  const errors = fields.flatMap(([path, value]) => {
    const problem = problemOf(value, room);
    if (problem === MASSES) throw refuse(MASSES);
    return problem ? [{ path, message: `${path}: ${problem}` }] : [];
  });
  if (errors.length > 0) throw validation(errors);
};

/**
 * Refuses a body that is not JSON, before it is read; one without anything in it is nobody's fault.
 * @throws {AppError} validation
 */
export const assertJsonBody = ({ headers, body }: Request): void => {
  const type = headers.get("content-type") ?? "";
  if (type === "" || /^application\/json\s*(;|$)/i.test(type)) return;
  if (body !== null && headers.get("content-length") !== "0") throw refuse("expected JSON, sent as application/json");
};
