import { orNull as nullable, type RawSchema as Raw, type Schema } from "./json-schema";

const KEPT = "type format pattern enum minimum maximum minLength maxLength minItems maxItems required".split(" ");

/** Numbers may come as texts, too, as they must in an address: that is a kindness, and no part of the contract. */
const isTextOfNumber = ({ type, format }: Raw) => type === "string" && /^(integer|numeric)$/.test(format ?? "");

const choices = (anyOf: Raw[]): Schema => {
  const found = anyOf.filter((choice) => !isTextOfNumber(choice)).map((choice) => requestSchema(choice));
  const words = found.flatMap(({ enum: only, type }) => (only?.length === 1 && type === "string" ? only : []));
  if (words.length === found.length) return { type: "string", enum: words };
  const [first, ...others] = found.filter(({ type }) => type !== "null");
  if (first?.type && others.length === 0) return found.length > 1 ? nullable(first) : first;
  return { anyOf: found };
};

/**
 * A route's schema as the document says it: without what the server needs for its own work. `describe` gives what a
 * field means, by its path.
 */
export const requestSchema = (raw: Raw, describe: (path: string) => Schema = () => ({}), path = ""): Schema => {
  const inner = (name: string) => (path === "" ? name : `${path}.${name}`);
  const kept = Object.fromEntries(Object.entries(raw).filter(([key]) => KEPT.includes(key))) as Schema;
  const { minimum: _, maximum: __, ...withoutBounds } = kept;
  const [pattern] = Object.values(raw.patternProperties ?? {});
  return {
    ...(raw.anyOf ? { ...withoutBounds, ...choices(raw.anyOf) } : kept),
    ...(raw.const !== undefined && { enum: [raw.const] }),
    ...(raw.type === "number" && raw.multipleOf === 1 && { type: "integer" }),
    ...(raw.properties && {
      properties: Object.fromEntries(
        Object.entries(raw.properties).map(([name, value]) => [
          name,
          { ...requestSchema(value, describe, inner(name)), ...describe(inner(name)) },
        ]),
      ),
    }),
    ...(pattern && { additionalProperties: requestSchema(pattern) }),
    ...(Array.isArray(raw.items) && { prefixItems: raw.items.map((item) => requestSchema(item)) }),
    ...(raw.items && !Array.isArray(raw.items) && { items: requestSchema(raw.items, describe, path) }),
  };
};
