import { exampleOf, orNull, type Schema } from "./json-schema";

export type { Schema };

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
export const nullable = orNull;

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
  examples: [{ [example]: exampleOf(values, {}) }],
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
