/** What hub and page find wrong with the fields of a kind, beyond the types that the schema of the API has. */
import { CERTIFICATE_DAYS, sortedDays } from "../certificate";
import { LIMITS } from "../limits";
import { bytesOf } from "../tcp/byte-text";
import type { Config, FieldOf, KindField } from "./field";
import { hostnameOf, withoutBrackets } from "./host";

/** "an http:// or https:// address", as its schemes are said. */
const addressOf = ([plain, secure]: readonly [string, string]): string =>
  `${plain === "http" ? "an" : "a"} ${plain}:// or ${secure}:// address`;

/** The accepted values of a field, for error messages. */
export const expectedIn = (field: KindField): string => {
  switch (field.type) {
    case "host":
      return "expected a host name or an IP address, without a port";
    case "address":
      return `expected ${addressOf(field.schemes)} of at most ${LIMITS.url} characters`;
    case "text":
    case "password":
      return `expected ${field.expected}`;
    case "bytes":
      return `expected ${field.escaped ? "" : "a text of "}at most ${field.most} bytes`;
    case "days":
      return `expected a list of at most ${CERTIFICATE_DAYS.most} numbers of days`;
    default:
      return "is not valid";
  }
};

const addressProblem = ({ schemes, refused }: FieldOf<"address">, text: string): string | null => {
  const url = URL.parse(text.trim());
  const isKnown = url !== null && schemes.some((scheme) => url.protocol === `${scheme}:`) && url.hostname !== "";
  return isKnown ? (refused?.(url) ?? null) : `expected ${addressOf(schemes)}`;
};

const bytesProblem = (field: FieldOf<"bytes">, text: string): string | null => {
  const bytes = field.escaped ? bytesOf(text) : new TextEncoder().encode(text);
  if (bytes !== null) return bytes.length > field.most ? expectedIn(field) : null;
  return /^hex:/i.test(text)
    ? "expected pairs of hexadecimal digits after hex:"
    : "expected only the escapes \\r, \\n, \\t, \\0, \\\\ and \\xHH after a backslash";
};

const textProblem = (field: FieldOf<"text" | "password">, text: string): string | null => {
  const { pattern, isValid = () => true, nullable, maxLength } = field;
  if (nullable && text.trim() === "") return null;
  const isAccepted = text.length <= maxLength && (pattern === undefined || new RegExp(pattern).test(text));
  return isAccepted && isValid(text) ? null : expectedIn(field);
};

const isWithin = (value: number, min: number, max: number) => Number.isInteger(value) && value >= min && value <= max;

/** The error of a value of the field's own type; the schema reports other types. */
const problemOf = (field: KindField, value: unknown): string | null => {
  if (typeof value === "string") {
    if (field.type === "host") return hostnameOf(value) === null ? expectedIn(field) : null;
    if (field.type === "address") return addressProblem(field, value);
    if (field.type === "bytes") return bytesProblem(field, value);
    if (field.type === "text" || field.type === "password") return textProblem(field, value);
  }
  if (field.type === "number" && typeof value === "number")
    return isWithin(value, field.min, field.max) ? null : "expected a number within its bounds";
  if (field.type === "days" && Array.isArray(value)) {
    const { most, longest } = CERTIFICATE_DAYS;
    return value.length <= most && value.every((days) => isWithin(days, 1, longest)) ? null : expectedIn(field);
  }
  return null;
};

/** Errors of the sent fields, by name. Hub and page both validate with it. */
export const configProblems = (fields: readonly KindField[], sent: Config): [field: string, message: string][] =>
  fields.flatMap((field) => {
    const problem = problemOf(field, sent[field.name]);
    return problem === null ? [] : [[field.name, problem]];
  });

/** A valid value as it is stored; undefined stays undefined. */
export const storedValue = (field: KindField, value: unknown): unknown => {
  if (field.type === "days" && Array.isArray(value)) return sortedDays(value);
  if (typeof value !== "string") return value;
  if (field.type === "host") return withoutBrackets(value);
  if (field.type === "address") return value.trim();
  // An optional text without null stays as it was sent.
  if (field.type !== "text" || !(field.required || field.nullable)) return value;
  const text = value.trim();
  return field.nullable && text === "" ? null : (field.plain?.(text) ?? text);
};

/** The values of fields that a request leaves out. */
export const defaultsOf = (fields: readonly KindField[]): Config =>
  Object.fromEntries(fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])));
