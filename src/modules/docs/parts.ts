import { type Components, exampleOf, type RawSchema, type Schema, toJsonSchema } from "./json-schema";

/** A parameter of an operation. */
export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};
/** A parameter with its description and example, as the document has it. */
export const parameterOf = (
  { name, in: place, required = false, schema }: { name: string; in: string; required?: boolean; schema: RawSchema },
  components: Components,
): Parameter => {
  const { description, examples, ...plain } = toJsonSchema(schema, components);
  const example = examples?.[0];
  return {
    name,
    in: place,
    required,
    ...(description && { description }),
    schema: plain,
    ...(example !== undefined && { example }),
  };
};

/** An example of a body, or one for each of its variants. */
export const bodyExamples = (body: Schema, components: Components) => {
  const example = (schema: Schema) => (exampleOf(schema, components) ?? {}) as Record<string, unknown>;
  if (!body.discriminator) return { example: example(body) };
  const variants = Object.entries(body.discriminator.mapping);
  return { examples: Object.fromEntries(variants.map(([name, $ref]) => [name, { value: example({ $ref }) }])) };
};
