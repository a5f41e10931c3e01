/** Resources of Better Stack's API, which have the form of JSON:API. */
import { type Fields, recordOf, textOf } from "../text";

/** Reads answers of the API by their paths. */
export type Get = (path: string) => Promise<Fields>;

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A resource with its id and attributes side by side. */
export const flat = (resource: unknown): Fields => {
  const { id, type, attributes } = recordOf(resource);
  return { ...recordOf(attributes), id, type };
};

/** Reads a list, whose pages name the next one. `isComplete` is false if it has more than `maxPages`. */
export const readPages = async (
  get: Get,
  path: string,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<{ data: unknown[]; isComplete: boolean }> => {
  const data: unknown[] = [];
  let next = path;
  for (let count = 0; next !== "" && count < maxPages; count++) {
    const page = await get(next);
    data.push(...listOf(page.data));
    next = textOf(recordOf(page.pagination), "next");
  }
  return { data, isComplete: next === "" };
};
