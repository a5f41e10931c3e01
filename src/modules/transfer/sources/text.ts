/** Values of foreign files, whose types are not known. */
import { IMPORT_LIMITS } from "../../../shared/transfer/imports";
import type { Item, Note } from "./source";

/** A row or object of a file. */
export type Fields = Readonly<Record<string, unknown>>;

/** Control characters, and those that change the direction of text. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text without control and direction characters and lone surrogates, of at most `length` characters. */
export const clean = (value: unknown, length: number): string =>
  (typeof value === "string" || typeof value === "number" ? String(value) : "")
    .toWellFormed()
    .replace(UNSAFE, " ")
    .trim()
    .slice(0, length)
    .toWellFormed();

/** The text of a field as it is; empty for any other type. */
export const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === "string"
    ? value.toWellFormed().replaceAll("\0", "")
    : typeof value === "number"
      ? String(value)
      : "";
};

/** The number in a field, also as a text; null for anything else. */
export const numberIn = (fields: Fields, name: string): number | null => {
  const value = fields[name];
  const number =
    typeof value === "string" && value.trim() !== "" ? Number(value) : typeof value === "number" ? value : Number.NaN;
  return Number.isFinite(number) ? number : null;
};

/** A switch, which databases store as 0 and 1. */
export const flagIn = (fields: Fields, name: string): boolean =>
  fields[name] === true || fields[name] === 1 || fields[name] === "1" || fields[name] === "true";

/** The object or list in a field that holds JSON; undefined if it does not. */
export const jsonIn = (fields: Fields, name: string): unknown => {
  const value = fields[name];
  if (typeof value === "object" && value !== null) return value;
  if (typeof value !== "string" || value.length > IMPORT_LIMITS.text) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

export const recordOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const note = (code: Note["code"], detail: unknown = ""): Note => ({
  code,
  detail: clean(detail, IMPORT_LIMITS.detail),
});

/** A whole number within bounds. */
export const within = (value: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, Math.round(value)));

/** The objects of a file, each once, as many as one import takes, and a line about the others. */
export const boundedItems = (items: readonly Item[]): Item[] => {
  const distinct = [...new Map(items.map((item) => [item.externalId, item])).values()];
  const more = distinct.length - IMPORT_LIMITS.items;
  if (more <= 0) return distinct;
  const rest: Item = {
    ...{ part: "other", externalId: "more", name: `+${more}`, kind: "", content: null },
    notes: [note("too_many", IMPORT_LIMITS.items)],
  };
  return [...distinct.slice(0, IMPORT_LIMITS.items), rest];
};
