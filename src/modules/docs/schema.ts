/** The part of JSON Schema (2020-12) that the document is written in. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: readonly (string | number | boolean | null)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  anyOf?: Schema[];
  examples?: unknown[];
};

const leaf =
  (type: string, more: Schema = {}) =>
  (description: string, example: unknown, bounds: Schema = {}): Schema => ({
    type,
    description,
    ...more,
    ...bounds,
    examples: [example],
  });

/*
 * What answers are made of: each takes what it means and an example, and may take bounds.
 */
export const text = leaf("string");
export const whole = leaf("integer");
export const number = leaf("number");
export const flag = leaf("boolean");
const moment = leaf("string", { format: "date-time" });

export const time = (description: string, example = "2026-01-15T12:20:00.000Z") => moment(description, example);
export const id = (description = "Its id.", example = 7) => whole(description, example, { minimum: 1 });
export const oneOf = (description: string, words: readonly string[], example = words[0]): Schema => ({
  type: "string",
  description,
  enum: words,
  examples: [example],
});

/** May also be null. */
export const nullable = ({ type, ...schema }: Schema): Schema =>
  typeof type === "string"
    ? { ...schema, type: [type, "null"], ...(schema.enum && { enum: [...schema.enum, null] }) }
    : { anyOf: [{ ...schema }, { type: "null" }] };

export const list = (items: Schema, description?: string): Schema => ({
  type: "array",
  ...(description && { description }),
  items,
});

/** An object with any names, such as ids. */
export const map = (values: Schema, description: string, example: string): Schema => ({
  type: "object",
  description,
  additionalProperties: values,
  examples: [example],
});

/** An object that has all of these but the optional ones. */
export const object = (properties: Record<string, Schema>, optional: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

/** One of the document's own, by its name. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** What a good answer has in any case. */
export const success = (properties: Record<string, Schema> = {}): Schema =>
  object({ success: { ...flag("Always true.", true), enum: [true] }, ...properties });

/** The schema that a reference names, or the schema itself. */
export const resolve = (schema: Schema, known: Record<string, Schema>): Schema =>
  schema.$ref === undefined ? schema : (known[schema.$ref.replace(/^.*\//, "")] ?? {});

/** An example out of the examples of its parts. */
export const exampleOf = (schema: Schema, known: Record<string, Schema>): unknown => {
  const { properties, additionalProperties, items, prefixItems, anyOf, examples, enum: words } = resolve(schema, known);
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, exampleOf(value, known)]));
  if (additionalProperties) return { [String(examples?.[0])]: exampleOf(additionalProperties, known) };
  if (examples) return examples[0];
  if (items) return [exampleOf(items, known)];
  if (prefixItems) return prefixItems.map((item) => exampleOf(item, known));
  if (anyOf?.[0]) return exampleOf(anyOf[0], known);
  return words?.[0] ?? null;
};
