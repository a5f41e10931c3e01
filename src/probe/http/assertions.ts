/** Evaluates the assertions of a monitor on a response. */
import { setImmediate } from "node:timers/promises";
import { type Assertion, isNumeric, numberOf } from "../../shared/assertions";
import { type CheckError, checkError } from "../../shared/check-error";
import { cutText } from "../../shared/template/variables";
import { createPathReader } from "./json-path";
import { createSteps, type Steps, TooManySteps, weightOf } from "./json-query";
import { includesText } from "./keyword";

/** A response as assertions see it. */
type Subject = {
  headers: ReadonlyMap<string, string>;
  /** The decoded body; empty if no assertion needs it. */
  text: string;
  /** Whether the body is longer than `text`. */
  isCut: boolean;
};

const MEBIBYTES_READ = 1;
/** Steps that the JSON paths of one check may take together: about 20 milliseconds of a blocked event loop. */
const MAX_STEPS = 100_000;
/** Shorter JSON is always parsed quickly. */
const QUICKLY_PARSED = 128 * 1024;
/** Levels and members of objects in longer JSON: parsing is slow with many of them. */
const MAX_LEVELS = 10_000;
const MAX_MEMBERS = 50_000;
/** Characters of a value or a path in an error. */
const SHOWN = 60;

/** Cut between characters, because PostgreSQL refuses JSON with half of one. */
const excerpt = (text: string): string => cutText(text, SHOWN);

const expectation = ({ op, value }: Assertion): string => excerpt(op === "exists" ? op : `${op} ${value}`);

/** The text of a value of JSON, as it is compared; null for arrays and objects. */
const textOf = (value: unknown): string | null =>
  typeof value === "string" ? value : typeof value === "object" && value !== null ? null : String(value);

/** The expected value, prepared once for all values at a path. */
type Expected = Assertion & { number: number | null; folded: string };

const prepare = (assertion: Assertion): Expected => ({
  ...assertion,
  number: numberOf(assertion.value),
  folded: assertion.value.toLowerCase(),
});

const equals = (actual: unknown, { value, number }: Expected): boolean =>
  typeof actual === "number" && number !== null ? actual === number : textOf(actual) === value;

const compares = (actual: unknown, { op, number: right }: Expected): boolean => {
  const left = typeof actual === "number" ? actual : typeof actual === "string" ? numberOf(actual) : null;
  if (left === null || right === null) return false;
  if (op === "<") return left < right;
  if (op === "<=") return left <= right;
  return op === ">" ? left > right : left >= right;
};

/** Whether a text contains the value, or an array has it as an element. */
const contains = (actual: unknown, expected: Expected): boolean => {
  if (Array.isArray(actual)) return actual.some((element) => equals(element, expected));
  const text = textOf(actual);
  if (text === null) return false;
  return expected.ignore_case ? includesText(text.toLowerCase(), expected.folded) : includesText(text, expected.value);
};

/** Whether a value is as expected. */
const holds = (actual: unknown, expected: Expected): boolean => {
  const { op } = expected;
  if (isNumeric(op)) return compares(actual, expected);
  if (op === "=") return equals(actual, expected);
  if (op === "!=") return !equals(actual, expected);
  if (op === "exists") return true;
  return contains(actual, expected) === (op === "contains");
};

const checkBody = (assertion: Assertion, text: string): CheckError | null => {
  if (holds(text, prepare(assertion))) return null;
  return checkError(assertion.op === "lacks" ? "keyword_present" : "keyword_missing", {
    text: excerpt(assertion.value),
  });
};

const checkHeader = (assertion: Assertion, actual: string | undefined): CheckError | null => {
  const name = excerpt(assertion.path);
  if (actual === undefined) return assertion.op === "lacks" ? null : checkError("header_missing", { name });
  return holds(actual, prepare(assertion))
    ? null
    : checkError("header_mismatch", { name, expected: expectation(assertion) });
};

/** Elements of an array that are compared in one step. */
const ELEMENTS_PER_STEP = 8;

/** Every value at the path must be as expected, and there must be one unless the value must be lacking. */
const checkJson = (assertion: Assertion, document: unknown, steps: Steps): CheckError | null => {
  const path = excerpt(assertion.path);
  const expected = prepare(assertion);
  const values = createPathReader(assertion.path)(document, steps);
  if (values.length === 0) return assertion.op === "lacks" ? null : checkError("json_missing", { path });
  const isExpected = values.every((value) => {
    steps.spend(Array.isArray(value) ? value.length / ELEMENTS_PER_STEP : weightOf(value));
    return holds(value, expected);
  });
  return isExpected ? null : checkError("json_mismatch", { path, expected: expectation(assertion) });
};

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const COLON = 58;

/** Whether JSON has too many levels or members to be parsed quickly. Also accepts malformed text. */
const isTooComplex = (text: string): boolean => {
  if (text.length <= QUICKLY_PARSED) return false;
  let level = 0;
  let members = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) at += code === BACKSLASH ? 1 : 0;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) level++;
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) level--;
    else if (code === COLON) members++;
    if (level > MAX_LEVELS || members > MAX_MEMBERS) return true;
  }
  return false;
};

type Parsed = { document: unknown } | { error: CheckError };

const parseBody = ({ text, isCut }: Subject): Parsed => {
  if (isTooComplex(text)) return { error: checkError("json_too_large") };
  try {
    return { document: JSON.parse(text) };
  } catch {
    return { error: isCut ? checkError("body_too_large", { limit: MEBIBYTES_READ }) : checkError("json_invalid") };
  }
};

/**
 * The error of the first assertion that does not hold, or null. Limits for slow responses are not among them. Other work
 * of the hub continues between two assertions, because each may take some milliseconds with a large body.
 */
export const checkAssertions = async (
  assertions: readonly Assertion[],
  subject: Subject,
): Promise<CheckError | null> => {
  const { text, headers } = subject;
  const steps = createSteps(MAX_STEPS);
  let parsed: Parsed | undefined;
  const check = (assertion: Assertion): CheckError | null => {
    if (assertion.on === "body") return checkBody(assertion, text);
    if (assertion.on === "header") return checkHeader(assertion, headers.get(assertion.path.toLowerCase()));
    parsed ??= parseBody(subject);
    if ("error" in parsed) return parsed.error;
    try {
      return checkJson(assertion, parsed.document, steps);
    } catch (error) {
      if (error instanceof TooManySteps) return checkError("json_too_large");
      throw error;
    }
  };
  for (const assertion of assertions) {
    if (assertion.on === "time") continue;
    if (text.length > QUICKLY_PARSED) await setImmediate();
    const error = check(assertion);
    if (error) return error;
  }
  return null;
};
