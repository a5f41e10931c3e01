import type { Schema } from "../../../src/modules/docs/json-schema";
import type { Call, Field } from "./document";

type Known = Record<string, Schema>;
const MAX_DEPTH = 4;

const resolve = (schema: Schema, components: Known): Schema =>
  schema.$ref === undefined ? schema : (components[schema.$ref.split("/").at(-1) ?? ""] ?? {});

const bounds = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string => {
  const [low, high] = [minimum ?? minLength ?? minItems, maximum ?? maxLength ?? maxItems];
  if (low === undefined && (high === undefined || high >= Number.MAX_SAFE_INTEGER)) return "";
  if (high === undefined || high >= Number.MAX_SAFE_INTEGER) return ` ≥ ${low}`;
  if (low === high) return ` ${low}`;
  return low ? ` ${low}–${high}` : ` ≤ ${high}`;
};

/** The type of a value, in a few words. */
export const typeOf = (given: Schema, components: Known): string => {
  const schema = resolve(given, components);
  if (schema.oneOf) return "object";
  if (schema.anyOf) return [...new Set(schema.anyOf.map((choice) => typeOf(choice, components)))].join(" | ");
  const types = [schema.type ?? "any"].flat();
  const name = types.filter((type) => type !== "null").join(" | ");
  const orNull = types.includes("null") && name ? " | null" : "";
  const words = schema.enum?.filter((word) => word !== null);
  if (words) return words.map((word) => JSON.stringify(word)).join(" | ") + orNull;
  const items = schema.items ?? schema.prefixItems?.[0];
  if (name === "array") return `${items ? typeOf(items, components) : "any"}[]${bounds(schema)}${orNull}`;
  return (schema.format === "date-time" ? "date-time" : name || "null") + bounds(schema) + orNull;
};

/** The fields of every variant: those with a name that was not there yet, and objects, whose fields differ. */
const fieldsOfVariants = ({ oneOf = [] }: Schema, components: Known, depth: number): Field[] => {
  const schemas = new Set<string>();
  return oneOf.flatMap((variant) => {
    const { properties = {}, required = [] } = resolve(variant, components);
    const fresh = Object.entries(properties).filter(
      ([name, value]) => !schemas.has(name) || resolve(value, components).properties || value.enum?.length === 1,
    );
    for (const [name] of fresh) schemas.add(name);
    return fieldsOf({ properties: Object.fromEntries(fresh), required }, components, depth);
  });
};

/** The fields of an object, each followed by those inside of it. */
export const fieldsOf = (given: Schema, components: Known, depth = 0): Field[] => {
  const schema = resolve(given, components);
  if (schema.oneOf) return fieldsOfVariants(schema, components, depth);
  const inner = schema.anyOf?.find((choice) => resolve(choice, components).properties) ?? schema;
  const { properties, required = [] } = resolve(inner, components);
  if (!properties && schema.items) return fieldsOf(schema.items, components, depth);
  if (!properties && schema.additionalProperties) return fieldsOf(schema.additionalProperties, components, depth);
  return Object.entries(properties ?? {}).flatMap(([name, value]) => [
    {
      name,
      place: "",
      type: typeOf(value, components),
      required: required.includes(name),
      description: resolve(value, components).description ?? "",
      depth,
    },
    ...(depth < MAX_DEPTH ? fieldsOf(value, components, depth + 1) : []),
  ]);
};

/** What stands in a call's address. */
export const parametersOf = ({ parameters = [] }: Call, components: Known): Field[] =>
  parameters.map(({ name, in: place, required, schema, description = "" }) => ({
    name,
    place,
    type: typeOf(schema, components),
    required,
    description,
    depth: 0,
  }));
