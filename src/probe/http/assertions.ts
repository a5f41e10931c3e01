/** Evaluates the assertions of a monitor on a response. */
import { type Assertion, isNumeric, numberOf } from "../../shared/assertions";
import { type CheckError, checkError } from "../../shared/check-error";
import { cutText } from "../../shared/template/variables";
import { createPathReader, MAX_VALUES } from "./json-path";

/** A response as assertions see it. */
type Subject = {
  headers: ReadonlyMap<string, string>;
  /** The decoded body; empty if no assertion needs it. */
  text: string;
  /** Whether the body is longer than `text`. */
  isCut: boolean;
};

const MEBIBYTES_READ = 1;
/** Characters of a value or a path in an error. */
const SHOWN = 60;

/** Cut between characters, because PostgreSQL refuses JSON with half of one. */
const shown = (text: string): string => cutText(text, SHOWN);

const expectation = ({ op, value }: Assertion): string => shown(op === "exists" ? op : `${op} ${value}`);

/** The text of a value of JSON, as it is compared; null for arrays and objects. */
const textOf = (value: unknown): string | null =>
  typeof value === "string" ? value : typeof value === "object" && value !== null ? null : String(value);

const equals = (actual: unknown, expected: string): boolean => {
  const number = numberOf(expected);
  return typeof actual === "number" && number !== null ? actual === number : textOf(actual) === expected;
};

const compares = (actual: unknown, op: Assertion["op"], expected: string): boolean => {
  const left = typeof actual === "number" ? actual : typeof actual === "string" ? numberOf(actual) : null;
  const right = numberOf(expected);
  if (left === null || right === null) return false;
  if (op === "<") return left < right;
  if (op === "<=") return left <= right;
  return op === ">" ? left > right : left >= right;
};

/** Whether a text contains the value, or an array has it as an element. */
const contains = (actual: unknown, { value, ignore_case }: Assertion): boolean => {
  if (Array.isArray(actual)) return actual.some((element) => equals(element, value));
  const text = textOf(actual);
  if (text === null) return false;
  return ignore_case ? text.toLowerCase().includes(value.toLowerCase()) : text.includes(value);
};

/** Whether a value is as expected. */
const holds = (actual: unknown, assertion: Assertion): boolean => {
  const { op, value } = assertion;
  if (isNumeric(op)) return compares(actual, op, value);
  if (op === "=") return equals(actual, value);
  if (op === "!=") return !equals(actual, value);
  if (op === "exists") return true;
  return contains(actual, assertion) === (op === "contains");
};

const checkBody = (assertion: Assertion, text: string): CheckError | null => {
  if (holds(text, assertion)) return null;
  return checkError(assertion.op === "lacks" ? "keyword_present" : "keyword_missing", { text: shown(assertion.value) });
};

const checkHeader = (assertion: Assertion, actual: string | undefined): CheckError | null => {
  const name = shown(assertion.path);
  if (actual === undefined) return assertion.op === "lacks" ? null : checkError("header_missing", { name });
  return holds(actual, assertion) ? null : checkError("header_mismatch", { name, expected: expectation(assertion) });
};

/** Every value at the path must be as expected, and there must be one unless the value must be lacking. */
const checkJson = (assertion: Assertion, document: unknown): CheckError | null => {
  const path = shown(assertion.path);
  const found = createPathReader(assertion.path)(document);
  if (!found) return checkError("json_too_large", { limit: MAX_VALUES });
  if (found.length === 0) return assertion.op === "lacks" ? null : checkError("json_missing", { path });
  const isExpected = found.every((value) => holds(value, assertion));
  return isExpected ? null : checkError("json_mismatch", { path, expected: expectation(assertion) });
};

/** Parses the body when the first assertion needs it. */
const createDocument = ({ text, isCut }: Subject) => {
  let parsed: { document: unknown } | { error: CheckError } | undefined;
  return () => {
    if (parsed) return parsed;
    try {
      parsed = { document: JSON.parse(text) };
    } catch {
      parsed = { error: isCut ? checkError("body_too_large", { limit: MEBIBYTES_READ }) : checkError("json_invalid") };
    }
    return parsed;
  };
};

/** The error of the first assertion that does not hold, or null. Limits for slow responses are not among them. */
export const checkAssertions = (assertions: readonly Assertion[], subject: Subject): CheckError | null => {
  const documentOf = createDocument(subject);
  const check = (assertion: Assertion): CheckError | null => {
    if (assertion.on === "time") return null;
    if (assertion.on === "body") return checkBody(assertion, subject.text);
    if (assertion.on === "header") return checkHeader(assertion, subject.headers.get(assertion.path.toLowerCase()));
    const parsed = documentOf();
    return "error" in parsed ? parsed.error : checkJson(assertion, parsed.document);
  };
  for (const assertion of assertions) {
    const error = check(assertion);
    if (error) return error;
  }
  return null;
};
