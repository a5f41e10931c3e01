import { TransformDecodeError, Value, ValueErrorType } from "@sinclair/typebox/value";
import { type TSchema, t } from "elysia";
import { type FieldError, validation } from "../core/errors";
import { DAY, MAX_RANGE_DAYS } from "../shared/limits";
import { isTimeZone } from "../shared/time-zone";

type Documented = { description?: string; examples?: unknown[] };

const range = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): string =>
  maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;

/** A whole number within bounds, with a message for any other value. */
export const whole = (minimum: number, maximum: number, unit = "") =>
  t.Integer({ minimum, maximum, error: `expected a whole number ${range(minimum, maximum)}${unit}` });

/** One of several strings. Without the undefined default, Elysia would fill in the first one when none is sent. */
export const oneOf = <const T extends readonly [string | number, ...(string | number)[]]>(words: T) =>
  t.UnionEnum(words as unknown as [T[number]], {
    default: undefined,
    error: `expected ${words.length > 1 ? "one of " : ""}${words.filter((word) => word !== "").join(", ")}`,
  });

/**
 * A field with its description and an example for the API document. The example of a body consists of the fields that
 * have one.
 */
export const field = <Schema extends TSchema>(schema: Schema, description: string, ...examples: unknown[]): Schema => {
  const documented: Documented = { description, ...(examples.length > 0 && { examples }) };
  return { ...schema, ...documented };
};

/** A time in the query of a request. */
export const timeField = (description: string, ...example: [] | [string]) =>
  t.Optional(
    field(
      t.String({ format: "date-time", maxLength: 40, error: "expected a time such as 2026-01-15T12:00:00Z" }),
      description,
      ...example,
    ),
  );

/** A span of time in a request: null where it is not limited. Milliseconds. */
export type SentSpan = { from: number | null; to: number | null };

/**
 * A span of time from the query of a request.
 * @throws {AppError} validation when it ends before it begins, or is longer than `maxDays`
 */
export const parseSpan = (sent: { from?: string; to?: string }, maxDays = Number.POSITIVE_INFINITY): SentSpan => {
  const [from, to] = [sent.from, sent.to].map((text) => (text === undefined ? null : Date.parse(text))) as [
    number | null,
    number | null,
  ];
  const refuse = (message: string) => validation([{ path: "from", message: `from: ${message}` }]);
  if (from !== null && to !== null && from >= to) throw refuse("expected a time before the end of the range");
  // One day more, because a day may have 25 hours.
  if (from !== null && to !== null && to - from > (maxDays + 1) * DAY)
    throw refuse(`expected a range of at most ${maxDays} days`);
  return { from, to };
};

/** The fields of a chart's query that ask for another span than a range up to now. */
export const chartSpanFields = {
  from: timeField("Begin of the range, instead of `range`; together with `to`.", "2026-01-15T11:00:00Z"),
  to: timeField("End of the range.", "2026-01-15T13:00:00Z"),
};

/** The span of a chart: a range up to now, or the time from one moment to another in milliseconds. */
export type ChartSpan<Range extends string> = { range: Range } | { from: number; to: number };

/** The span of a chart in a request. @throws {AppError} validation */
export const parseChartSpan = <Range extends string>(
  range: Range,
  sent: { from?: string; to?: string },
): ChartSpan<Range> => {
  const { from, to } = parseSpan(sent, MAX_RANGE_DAYS);
  if (from !== null && to !== null) return { from, to };
  if (from === null && to === null) return { range };
  const missing = from === null ? "from" : "to";
  throw validation([{ path: missing, message: `${missing}: is missing` }]);
};

/** A time zone in the query of a request. */
export const zoneField = (description: string) =>
  t.Optional(
    field(
      t.String({ maxLength: 64, error: "expected the IANA name of a time zone, such as Europe/Berlin" }),
      description,
      "Europe/Berlin",
    ),
  );

/** @throws {AppError} validation */
export const parseZone = (zone: string): string => {
  if (isTimeZone(zone)) return zone;
  const message = "zone: expected the IANA name of a time zone, such as Europe/Berlin";
  throw validation([{ path: "zone", message }]);
};

/** A kind as part of the name of a schema in the API document. */
export const titled = (kind: string): string => `${kind[0]?.toUpperCase()}${kind.slice(1)}`;

/** The id in a path. `description` says what it identifies. */
export const idParam = (description: string) =>
  t.Object({ id: field(t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), description, 3) });

/** Text in a path that the route validates itself. It is undefined where the path can't be decoded. */
export const textParam = (description: string, example: string) =>
  field(t.Unsafe<string>(t.Any({ accepts: { type: "string" } })), description, example);

type Shape = Partial<Record<"error" | "type" | "format" | "const", unknown>> &
  Partial<Record<"minimum" | "maximum" | "maxLength" | "maxItems", number>> & { anyOf?: Shape[] };
type Issue = { value?: unknown; type?: ValueErrorType; schema?: Shape };

const NOUNS: Record<string, string> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

const boundsOf = ({ minimum, maximum, maxLength, maxItems }: Shape): string => {
  if (minimum !== undefined) return ` ${range(minimum, maximum)}`;
  if (maxLength !== undefined) return ` of at most ${maxLength} characters`;
  return maxItems === undefined ? "" : ` of at most ${maxItems} entries`;
};

/** The accepted values of a schema in words; empty for a schema without a type. */
const expectedBy = (shape: Shape): string[] => {
  // Elysia also accepts a number as a text of that format.
  if (/^(integer|numeric)$/.test(String(shape.format))) return [];
  if (shape.anyOf) return shape.anyOf.flatMap(expectedBy);
  if (shape.const !== undefined) return [JSON.stringify(shape.const)];
  const noun = NOUNS[String(shape.type)];
  return noun ? [noun + boundsOf(shape)] : [];
};

/** The reason why a field is refused: the sentence of its schema, or that the field is missing. */
export const reasonOf = ({ schema = {}, type, ...issue }: Issue): string => {
  // JSON has no undefined.
  if ("value" in issue && issue.value === undefined) return "is missing";
  if (type === ValueErrorType.ObjectAdditionalProperties) return "there is no such field";
  if (typeof schema.error === "string") return schema.error;
  const words = [...new Set(expectedBy(schema))];
  return words.length > 0 ? `expected ${words.join(" or ")}` : "is not valid";
};

const dotted = (path: string): string => path.replace(/^\//, "").replaceAll("/", ".");

/**
 * The first field whose value is read otherwise than it was sent, and out of bounds then: a number as text. Validation by the
 * schema finds all others.
 */
export const decodeErrors = (schema: TSchema, sent: unknown): FieldError[] => {
  try {
    Value.Decode(schema, sent);
    return [];
  } catch (error) {
    if (!(error instanceof TransformDecodeError)) return [];
    const [issue] = (error.error as unknown as { all?: Issue[] }).all ?? [];
    const path = dotted(error.path);
    return [{ path, message: `${path}: ${reasonOf(issue ?? { schema: error.schema })}` }];
  }
};

type Part = Shape & { properties?: Record<string, Part>; items?: Part };

/** Per schema, because reports of agents are frequent and have many fields. */
const fieldsWithLists = new WeakMap<Part, [string, Part][]>();

/** The fields of a schema that are lists or have lists in them. */
const listFields = (schema: Part): [string, Part][] => {
  const cached = fieldsWithLists.get(schema);
  if (cached) return cached;
  const lists = Object.entries(schema.properties ?? {}).filter(([, part]) => part.type === "array" || hasLists(part));
  fieldsWithLists.set(schema, lists);
  return lists;
};
const hasLists = (schema: Part): boolean => listFields(schema).length > 0;

/** The fields that are no list but should be one. Elysia makes a list of the parts of any value before it validates. */
export const listErrors = (schema: Part, sent: unknown, path = ""): FieldError[] => {
  if (sent === undefined || sent === null) return [];
  const inside = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  const { type, items } = schema;
  if (type === "array") {
    if (!Array.isArray(sent)) return [{ path, message: `${path}: ${reasonOf({ schema })}` }];
    if (!items || (items.type !== "array" && !hasLists(items))) return [];
    return sent.flatMap((one, index) => listErrors(items, one, inside(index)));
  }
  return listFields(schema).flatMap(([name, part]) =>
    Object.hasOwn(Object(sent), name) ? listErrors(part, Object(sent)[name], inside(name)) : [],
  );
};

/** The bad fields of a part of a body, at its path: where a schema is in a union with null, validation names the whole only. */
export const errorsWithin = (path: string, schema: TSchema, sent: unknown): FieldError[] =>
  [...Value.Errors(schema, sent)].map((error) => {
    const place = `${path}${error.path.replaceAll("/", ".")}`;
    return { path: place, message: `${place}: ${reasonOf(error)}` };
  });
