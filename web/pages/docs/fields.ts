import type { Schema } from "../../../src/modules/docs/json-schema";
import type { Call, Field } from "./document";

type Known = Record<string, Schema>;
const MAX_DEPTH = 4;

const resolve = (schema: Schema, known: Known): Schema =>
  schema.$ref === undefined ? schema : (known[schema.$ref.split("/").at(-1) ?? ""] ?? {});

const bounds = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string => {
  const [low, high] = [minimum ?? minLength ?? minItems, maximum ?? maxLength ?? maxItems];
  if (low === undefined && (high === undefined || high >= Number.MAX_SAFE_INTEGER)) return "";
  if (high === undefined || high >= Number.MAX_SAFE_INTEGER) return ` ≥ ${low}`;
  if (low === high) return ` ${low}`;
  return low ? ` ${low}–${high}` : ` ≤ ${high}`;
};

/** The type of a value, in a few words. */
export const typeOf = (given: Schema, known: Known): string => {
  const schema = resolve(given, known);
  if (schema.oneOf) return "object";
  if (schema.anyOf) return [...new Set(schema.anyOf.map((choice) => typeOf(choice, known)))].join(" | ");
  const types = [schema.type ?? "any"].flat();
  const name = types.filter((type) => type !== "null").join(" | ");
  const orNull = types.includes("null") && name ? " | null" : "";
  const words = schema.enum?.filter((word) => word !== null);
  if (words) return words.map((word) => JSON.stringify(word)).join(" | ") + orNull;
  const items = schema.items ?? schema.prefixItems?.[0];
  if (name === "array") return `${items ? typeOf(items, known) : "any"}[]${bounds(schema)}${orNull}`;
  return (schema.format === "date-time" ? "date-time" : name || "null") + bounds(schema) + orNull;
};

/** The fields of every variant: those with a name that was not there yet, and objects, whose fields differ. */
const fieldsOfVariants = ({ oneOf = [] }: Schema, known: Known, depth: number): Field[] => {
  const schemas = new Set<string>();
  return oneOf.flatMap((variant) => {
    const { properties = {}, required = [] } = resolve(variant, known);
    const fresh = Object.entries(properties).filter(
      ([name, value]) => !schemas.has(name) || resolve(value, known).properties || value.enum?.length === 1,
    );
    for (const [name] of fresh) schemas.add(name);
    return fieldsOf({ properties: Object.fromEntries(fresh), required }, known, depth);
  });
};

/** The fields of an object, each followed by those inside of it. */
export const fieldsOf = (given: Schema, known: Known, depth = 0): Field[] => {
  const schema = resolve(given, known);
  if (schema.oneOf) return fieldsOfVariants(schema, known, depth);
  const inner = schema.anyOf?.find((choice) => resolve(choice, known).properties) ?? schema;
  const { properties, required = [] } = resolve(inner, known);
  if (!properties && schema.items) return fieldsOf(schema.items, known, depth);
  if (!properties && schema.additionalProperties) return fieldsOf(schema.additionalProperties, known, depth);
  return Object.entries(properties ?? {}).flatMap(([name, value]) => [
    {
      name,
      place: "",
      type: typeOf(value, known),
      required: required.includes(name),
      description: resolve(value, known).description ?? "",
      depth,
    },
    ...(depth < MAX_DEPTH ? fieldsOf(value, known, depth + 1) : []),
  ]);
};

/** What stands in a call's address. */
export const parametersOf = ({ parameters = [] }: Call, known: Known): Field[] =>
  parameters.map(({ name, in: place, required, schema, description = "" }) => ({
    name,
    place,
    type: typeOf(schema, known),
    required,
    description,
    depth: 0,
  }));
