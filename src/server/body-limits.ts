import { validation } from "../core/errors";

/** Far more than any call needs; larger bodies only cause load. */
const MAX_DEPTH = 32;
const MAX_FIELDS = 500;
/** A mebibyte of samples is about 120,000. */
const MAX_VALUES = 150_000;

const TEXT = "expected a text without NUL and of whole characters";
const DEPTH = `expected at most ${MAX_DEPTH} levels`;
const NAMES = "expected no field of the name toString or valueOf";
const MASSES = `expected at most ${MAX_VALUES} values`;

/** Keys that break text conversion, so that not even an error message can contain them. */
const isUntellable = (value: object) => Object.hasOwn(value, "toString") || Object.hasOwn(value, "valueOf");

/** Describes what is wrong with a value. `room` is the number of values that may still be visited. */
const problemOf = (value: unknown, room: { left: number }, depth = 1): string | null => {
  if (--room.left < 0) return MASSES;
  // PostgreSQL cannot store NUL and lone surrogates in text, so both engines reject them.
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
 * Rejects bodies that no call accepts before validation, which would take seconds for large ones.
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
 * Rejects a body that is not JSON before it is read; an empty body is accepted.
 * @throws {AppError} validation
 */
export const assertJsonBody = ({ headers, body }: Request): void => {
  const type = headers.get("content-type") ?? "";
  if (type === "" || /^application\/json\s*(;|$)/i.test(type)) return;
  if (body !== null && headers.get("content-length") !== "0") throw refuse("expected JSON, sent as application/json");
};
