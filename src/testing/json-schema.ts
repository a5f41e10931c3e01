import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Components, resolve, type Schema } from "../modules/docs/json-schema";

/** The formats as patterns, because TypeBox's registry of formats is global and Elysia's entries accept more. */
const FORMATS: Record<string, string> = {
  "date-time": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$",
  date: "^\\d{4}-\\d\\d-\\d\\d$",
};

const stringOf = ({ format, pattern, minLength, maxLength }: Schema): TSchema => {
  if (format && !FORMATS[format]) throw new Error(`unknown format: ${format}`);
  const matched = format ? FORMATS[format] : pattern;
  return Type.String({
    ...(matched && { pattern: matched }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  });
};

/** An object may only have properties of its schema; one without any in the schema may have all. */
const objectOf = ({ properties, additionalProperties, required = [] }: Schema, known: Components): TSchema => {
  if (!properties && !additionalProperties) return Type.Object({});
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const schema = toTypeBox(field, known);
    return [name, required.includes(name) ? schema : Type.Optional(schema)] as const;
  });
  return Type.Object(Object.fromEntries(fields), {
    additionalProperties: additionalProperties ? toTypeBox(additionalProperties, known) : false,
  });
};

const arrayOf = ({ items, prefixItems, minItems, maxItems }: Schema, known: Components): TSchema =>
  prefixItems
    ? Type.Tuple(prefixItems.map((item) => toTypeBox(item, known)))
    : Type.Array(items ? toTypeBox(items, known) : Type.Any(), {
        ...(minItems !== undefined && { minItems }),
        ...(maxItems !== undefined && { maxItems }),
      });

/** A schema of the API document as one of TypeBox, whose validator does not read plain JSON Schema. */
const toTypeBox = (given: Schema, known: Components): TSchema => {
  const schema = resolve(given, known);
  const { type, oneOf, anyOf = oneOf, enum: values, minimum, maximum } = schema;
  if (anyOf) return Type.Union(anyOf.map((choice) => toTypeBox(choice, known)));
  if (values) return Type.Union(values.map((value) => (value === null ? Type.Null() : Type.Literal(value))));
  if (Array.isArray(type)) return Type.Union(type.map((one) => toTypeBox({ ...schema, type: one }, known)));
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  if (type === "string") return stringOf(schema);
  if (type === "integer") return Type.Integer(bounds);
  if (type === "number") return Type.Number(bounds);
  if (type === "boolean") return Type.Boolean();
  if (type === "null") return Type.Null();
  if (type === "array") return arrayOf(schema, known);
  if (type === "object") return objectOf(schema, known);
  return Type.Any();
};

/**
 * The violations of a schema of the API document by a value, one line each. Stricter than JSON Schema: an object may only
 * have properties of the schema.
 */
export const problemsOf = (value: unknown, schema: Schema, known: Components): string[] =>
  [...Value.Errors(toTypeBox(schema, known), value)].map(
    ({ path, message, value: found }) => `${path || "/"}: ${message}, found ${JSON.stringify(found)?.slice(0, 200)}`,
  );
