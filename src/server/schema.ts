import { Value } from "@sinclair/typebox/value";
import { type TSchema, t } from "elysia";
import type { FieldError } from "../core/errors";

type Documented = { description?: string; examples?: unknown[] };

/** A whole number within bounds, with a message for any other value. */
export const whole = (minimum: number, maximum: number, unit = "") =>
  t.Integer({ minimum, maximum, error: `expected a whole number from ${minimum} to ${maximum}${unit}` });

/** One of several strings. Without the undefined default, Elysia would fill in the first one when none is sent. */
export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  t.UnionEnum(words as unknown as [T[number]], {
    default: undefined,
    error: `expected one of ${words.filter((word) => word !== "").join(", ")}`,
  });

/**
 * A field with its description and an example for the API document. The example of a body consists of the fields that
 * have one.
 */
export const field = <Schema extends TSchema>(schema: Schema, description: string, ...examples: unknown[]): Schema => {
  const documented: Documented = { description, ...(examples.length > 0 && { examples }) };
  return { ...schema, ...documented };
};

/** A kind as part of the name of a schema in the API document. */
export const titled = (kind: string): string => `${kind[0]?.toUpperCase()}${kind.slice(1)}`;

/** The id in a path. `description` says what it identifies. */
export const idParam = (description: string) =>
  t.Object({ id: field(t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), description, 3) });

/** Text in a path that the route validates itself. It is undefined where the path can't be decoded. */
export const textParam = (description: string, example: string) =>
  field(t.Unsafe<string>(t.Any({ accepts: { type: "string" } })), description, example);

type Shape = { error?: unknown; type?: unknown; format?: unknown; anyOf?: Shape[] };
type Issue = { value?: unknown; message?: string; summary?: string; schema?: Shape };

const NOUNS: Record<string, string> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

/** The types that a schema accepts, in words; an empty text where it names none. */
const expectedTypes = ({ type, anyOf = [] }: Shape): string => {
  // Elysia also accepts a number as a text of that format.
  const types = [
    type,
    ...anyOf.filter(({ format }) => !/^(integer|numeric)$/.test(String(format))).map((one) => one.type),
  ];
  const words = types.flatMap((one) => NOUNS[String(one)] ?? []);
  return words.length > 0 ? `expected ${[...new Set(words)].join(" or ")}` : "";
};

/** Summaries of Elysia that name its types or print an object instead of saying what is expected. */
const AWKWARD = /\[object |should be one of: |^Expected property/;

/** What is wrong with a field: the sentence of its schema, except that a field that was left out is missing. */
export const reasonOf = (issue: Issue): string => {
  // JSON has no undefined.
  if ("value" in issue && issue.value === undefined) return "is missing";
  const { error: own } = issue.schema ?? {};
  if (typeof own === "string") return own;
  const summary = issue.summary ?? issue.message ?? "is not valid";
  return (AWKWARD.test(summary) && issue.schema && expectedTypes(issue.schema)) || summary;
};

/** The bad fields of a part of a body, at its path: where a schema is in a union with null, validation names the whole only. */
export const errorsWithin = (path: string, schema: TSchema, sent: unknown): FieldError[] =>
  [...Value.Errors(schema, sent)].map((error) => {
    const place = `${path}${error.path.replaceAll("/", ".")}`;
    return { path: place, message: `${place}: ${reasonOf(error)}` };
  });
