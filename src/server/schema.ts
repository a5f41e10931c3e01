import { t } from "elysia";

/** A whole number within bounds, with a sentence for what is not. */
export const whole = (minimum: number, maximum: number, unit = "") =>
  t.Integer({ minimum, maximum, error: `expected a whole number from ${minimum} to ${maximum}${unit}` });

/** The id in a path. */
export const idParams = t.Object({ id: t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });

/** One of some words. Without the empty default, Elysia fills in the first of them where none was sent. */
export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  t.UnionEnum(words as unknown as [T[number]], { default: undefined, error: `expected one of ${words.join(", ")}` });
