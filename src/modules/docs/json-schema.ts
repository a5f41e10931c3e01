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
  oneOf?: Schema[];
  /** Which of `oneOf` a value is: by the value of one property. */
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  examples?: unknown[];
};

/** The schemas of a document, by their names. */
export type Components = Record<string, Schema>;

/** A schema of TypeBox or Elysia, with the fields that the document uses. */
export type RawSchema = Omit<
  Schema,
  "items" | "anyOf" | "oneOf" | "discriminator" | "properties" | "additionalProperties"
> & {
  $id?: string;
  const?: string | number | boolean | null;
  multipleOf?: number;
  items?: RawSchema | RawSchema[];
  anyOf?: RawSchema[];
  oneOf?: RawSchema[];
  /** The property whose value says which of `oneOf` a value is. */
  discriminator?: { propertyName: string };
  properties?: Record<string, RawSchema>;
  patternProperties?: Record<string, RawSchema>;
  /** The name in the example of an object with arbitrary names. */
  exampleKey?: string;
  /** Set on a body that may be left out. */
  mayBeMissing?: true;
  /** The schema for the document if it differs from the schema for validation. */
  accepts?: RawSchema;
};

const KEPT =
  "type description examples format pattern enum minimum maximum minLength maxLength minItems maxItems required".split(
    " ",
  );

/** Elysia also accepts a number as text, which parameters of an address need. The document shows the number only. */
const isTextOfNumber = ({ type, format }: RawSchema) => type === "string" && /^(integer|numeric)$/.test(format ?? "");

/** Also accepts null. */
const orNull = ({ type, ...schema }: Schema): Schema =>
  typeof type === "string"
    ? { ...schema, type: [type, "null"], ...(schema.enum && { enum: [...schema.enum, null] }) }
    : { anyOf: [{ ...schema }, { type: "null" }] };

const choicesOf = (anyOf: RawSchema[], components: Components): Schema => {
  const choices = anyOf.filter((choice) => !isTextOfNumber(choice)).map((choice) => toJsonSchema(choice, components));
  const words = choices.flatMap(({ enum: only, type }) => (only?.length === 1 && type === "string" ? only : []));
  if (choices.length > 0 && words.length === choices.length) return { type: "string", enum: words };
  const [first, ...others] = choices.filter(({ type }) => type !== "null");
  if (first?.type && others.length === 0) return choices.length > 1 ? orNull(first) : first;
  return { anyOf: choices };
};

/** An object with arbitrary names. */
const mapOf = (values: Schema, exampleKey: string | undefined, components: Components): Schema => ({
  additionalProperties: values,
  ...(exampleKey && { examples: [{ [exampleKey]: exampleOf(values, components) }] }),
});

/**
 * A schema of TypeBox or Elysia as the document has it: without what only the server uses. A schema with an `$id` is
 * added to `components` and referred to.
 */
export const toJsonSchema = (raw: RawSchema, components: Components): Schema => {
  const inner = (schema: RawSchema) => toJsonSchema(schema, components);
  const keywords = Object.fromEntries(Object.entries(raw).filter(([key]) => KEPT.includes(key))) as Schema;
  const { description, examples } = keywords;
  const documented = { ...(description && { description }), ...(examples && { examples }) };
  if (raw.accepts) return { ...inner(raw.accepts), ...documented };
  if (raw.$id) {
    components[raw.$id] = inner({ ...raw, $id: undefined });
    return { $ref: `#/components/schemas/${raw.$id}` };
  }
  if (raw.oneOf && raw.discriminator) {
    const { propertyName } = raw.discriminator;
    const variants = raw.oneOf.map((variant) => [variant.properties?.[propertyName]?.const, inner(variant)] as const);
    const mapping = Object.fromEntries(variants.map(([value, { $ref = "" }]) => [String(value), $ref]));
    return { oneOf: variants.map(([, variant]) => variant), discriminator: { propertyName, mapping } };
  }
  if (raw.anyOf) {
    const { minimum: _, maximum: __, ...withoutBounds } = keywords;
    return { ...withoutBounds, ...choicesOf(raw.anyOf, components), ...documented };
  }
  const [values] = Object.values(raw.patternProperties ?? {});
  return {
    ...keywords,
    ...(raw.const !== undefined && { enum: [raw.const] }),
    ...(raw.type === "number" && raw.multipleOf === 1 && { type: "integer" }),
    ...(raw.properties && {
      properties: Object.fromEntries(Object.entries(raw.properties).map(([name, value]) => [name, inner(value)])),
    }),
    ...(values && mapOf(inner(values), raw.exampleKey, components)),
    // Linters of OpenAPI ask for `items` of every array.
    ...(Array.isArray(raw.items) && {
      prefixItems: raw.items.map(inner),
      ...(raw.items[0] && { items: inner(raw.items[0]) }),
    }),
    ...(raw.items && !Array.isArray(raw.items) && { items: inner(raw.items) }),
  };
};

/** The schema that a reference names, or the schema itself. */
export const resolve = (schema: Schema, components: Components): Schema =>
  schema.$ref === undefined ? schema : (components[schema.$ref.replace(/^.*\//, "")] ?? {});

/** An example made from the examples of a schema's parts; undefined without any. */
export const exampleOf = (schema: Schema, components: Components): unknown => {
  const inner = (part: Schema) => exampleOf(part, components);
  const { properties, items, prefixItems, anyOf = [], oneOf = [], examples } = resolve(schema, components);
  if (examples) return examples[0];
  if (properties) {
    const members = Object.entries(properties).map(([name, value]) => [name, inner(value)] as const);
    const defined = members.filter(([, value]) => value !== undefined);
    return defined.length > 0 ? Object.fromEntries(defined) : undefined;
  }
  if (prefixItems) {
    const prefix = prefixItems.map(inner);
    return prefix.includes(undefined) ? undefined : prefix;
  }
  if (items) {
    const item = inner(items);
    return item === undefined ? undefined : [item];
  }
  const [choice] = [...oneOf, ...anyOf];
  return choice && inner(choice);
};
