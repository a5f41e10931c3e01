import { resolve, type Schema } from "../modules/docs/json-schema";

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
};

const isOfType = (value: unknown, type: string): boolean =>
  typeOf(value) === type || (type === "number" && typeOf(value) === "integer");

const FORMATS: Record<string, RegExp> = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
};

const textProblems = (text: string, { format, pattern, minLength = 0, maxLength = Infinity }: Schema): string[] => [
  ...(format && !FORMATS[format]?.test(text) ? [`is no ${format}: ${text}`] : []),
  ...(pattern && !new RegExp(pattern).test(text) ? [`does not match ${pattern}: ${text}`] : []),
  ...(text.length < minLength || text.length > maxLength ? [`is ${text.length} characters long`] : []),
];

const listProblems = (items: unknown[], schema: Schema, known: Record<string, Schema>, path: string): string[] => {
  const { minItems = 0, maxItems = Infinity, prefixItems = [] } = schema;
  return [
    ...(items.length < minItems || items.length > maxItems ? [`${path} has ${items.length} items`] : []),
    ...items.flatMap((item, index) => {
      const inner = prefixItems[index] ?? schema.items;
      return inner ? problemsOf(item, inner, known, `${path}.${index}`) : [];
    }),
  ];
};

const objectProblems = (object: object, schema: Schema, known: Record<string, Schema>, path: string): string[] => {
  const { properties, additionalProperties, required = [] } = schema;
  if (!properties && !additionalProperties) return [];
  return [
    ...required.filter((name) => !Object.hasOwn(object, name)).map((name) => `${path} lacks ${name}`),
    ...Object.entries(object).flatMap(([name, value]) => {
      const inner = properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      return inner
        ? problemsOf(value, inner, known, `${path}.${name}`)
        : [`${path} has ${name}, which is undocumented`];
    }),
  ];
};

/**
 * The violations of a schema by a value, one line each. Stricter than JSON Schema: an object may only have properties of
 * the schema.
 */
export const problemsOf = (value: unknown, given: Schema, known: Record<string, Schema>, path = "$"): string[] => {
  const schema = resolve(given, known);
  if (schema.anyOf) {
    const each = schema.anyOf.map((choice) => problemsOf(value, choice, known, path));
    return each.some((problems) => problems.length === 0) ? [] : (each[0] ?? []);
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return [`${path} is ${typeOf(value)}, not ${types.join(" or ")}`];
  if (schema.enum && !schema.enum.includes(value as string)) return [`${path} is none of ${schema.enum}: ${value}`];
  if (typeof value === "string") return textProblems(value, schema).map((problem) => `${path} ${problem}`);
  if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    return value < minimum || value > maximum ? [`${path} is out of bounds: ${value}`] : [];
  }
  if (Array.isArray(value)) return listProblems(value, schema, known, path);
  return value !== null && typeof value === "object" ? objectProblems(value, schema, known, path) : [];
};
