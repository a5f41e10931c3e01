import { setImmediate } from "node:timers/promises";
import type { Deps } from "../../core/deps";
import { type FieldError, validation } from "../../core/errors";
import { createMutex } from "../../lib/concurrency";
import { isoTime } from "../../lib/time";
import { lockOwner } from "../accounts/quotas/service";
import { FORMAT, VERSION } from "./model";
import { type ImportedPart, type Owner, type Refuse, sortNotes, type TransferPart } from "./part";

type Parts = readonly TransferPart[];
/** A file by the keys of its parts. */
type Document = { [part: string]: unknown };

/** The JSON text of a file, in pieces: lists are read item by item, so that memory does not grow with their length. */
export async function* exportConfiguration(deps: Deps, parts: Parts, owner: Owner): AsyncGenerator<string> {
  const head = { format: FORMAT, version: VERSION, exported_at: isoTime(deps.clock.now()) };
  yield JSON.stringify(head).slice(0, -1);
  const ids = new Map<string, Set<unknown>>();
  const has = (part: string, id: number) => ids.get(part)?.has(id) ?? false;
  for (const { key, export: read } of parts) {
    const content = read({ deps, owner, has });
    const name = JSON.stringify(key);
    if (Symbol.asyncIterator in content) {
      const exported = new Set<unknown>();
      ids.set(key, exported);
      let separator = `,${name}:[`;
      for await (const item of content) {
        yield `${separator}${JSON.stringify(item)}`;
        separator = ",";
        exported.add(Object(item).id);
      }
      yield separator === "," ? "]" : `${separator}]`;
    } else {
      const value = await content;
      if (value !== undefined) yield `,${name}:${JSON.stringify(value)}`;
    }
  }
  yield "}";
}

/** Maximum reported problems of a file. */
const MAX_ERRORS = 100;
/** Maximum values of a file, about 8,000 monitors: validating more would take seconds. */
const MAX_VALUES = 100_000;

/** Counts the values of a JSON document, up to the maximum. */
const countValues = (value: unknown, limit: number): number => {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const key in value) {
    if (count > limit) break;
    count += countValues((value as Record<string, unknown>)[key], limit - count);
  }
  return count;
};

/**
 * Rejects a document with too many values before it is validated.
 * @throws {AppError} validation
 */
export const assertWithinLimits = (sent: unknown): void => {
  if (countValues(sent, MAX_VALUES) > MAX_VALUES)
    throw validation([{ path: "body", message: `body: expected at most ${MAX_VALUES} values` }]);
};

/** The parts that a file has, each with its content. */
const contents = (parts: Parts, document: Document) =>
  parts.flatMap((part) => {
    const sent = document[part.key];
    return sent === undefined ? [] : [{ part, sent }];
  });

/** Whether an API key may not import a file. */
export const needsSession = (parts: Parts, document: Document): boolean =>
  contents(parts, document).some(({ part, sent }) => part.needsSession && !(Array.isArray(sent) && sent.length === 0));

/** Parses an object key as an id; NaN unless canonical, so "7" and "07" cannot name one item twice. */
const idOfKey = (key: string): number => (String(Number(key)) === key ? Number(key) : Number.NaN);

/** Index of each id of a part that is a list. */
const placesOf = (sent: unknown, refuse: Refuse): Map<number, number> => {
  const places = new Map<number, number>();
  for (const [index, { id }] of (Array.isArray(sent) ? sent : []).entries()) {
    if (id === undefined) continue;
    if (places.has(id)) refuse(`${index}.id`, `${id} is the id of another one before it`);
    else places.set(id, index);
  }
  return places;
};

type Parsed = {
  parts: { part: TransferPart; content: unknown }[];
  /** The index of each id in the file, by part. */
  places: Map<string, Map<number, number>>;
};

/**
 * Parses and validates a file.
 * @throws {AppError} validation, with the path of each bad field, as in `monitors.3.url`
 */
const parseDocument = (parts: Parts, document: Document): Parsed => {
  const errors: FieldError[] = [];
  const within =
    (key: string): Refuse =>
    (path, message) => {
      if (errors.length < MAX_ERRORS) errors.push({ path: `${key}.${path}`, message: `${key}.${path}: ${message}` });
    };
  const sentParts = contents(parts, document);
  const parsed = sentParts.map(({ part, sent }) => ({ part, content: part.parse(sent, within(part.key)) }));
  const places = new Map(sentParts.map(({ part: { key }, sent }) => [key, placesOf(sent, within(key))]));
  for (const { part, sent } of sentParts) {
    const refuse = within(part.key);
    const refer = (path: string, to: string, id: number | string) => {
      if (!places.get(to)?.has(typeof id === "string" ? idOfKey(id) : id))
        refuse(path, `there is no ${id} among the file's ${to}`);
    };
    part.check?.(sent, { refuse, refer });
  }
  if (errors.length > 0) throw validation(errors);
  return { parts: parsed, places };
};

/** Imports each part with the ids of the previous ones. */
const importParts = async (deps: Deps, owner: Owner, { parts: parsed, places }: Parsed) => {
  const ids = new Map<string, (number | null)[]>();
  const missing = new Map<string, Set<number>>();
  const idOf = (part: string, id: number): number | null => {
    const index = places.get(part)?.get(id) ?? -1;
    const here = ids.get(part)?.[index] ?? null;
    if (here === null) missing.set(part, (missing.get(part) ?? new Set()).add(index));
    return here;
  };
  const now = deps.clock.now();
  const results = new Map<string, ImportedPart>();
  for (const { part, content } of parsed) {
    const context = { deps, owner, now, idOf, missing: (key: string) => [...(missing.get(key) ?? [])] };
    const result = await part.import(content, context);
    if (result.ids) ids.set(part.key, result.ids);
    results.set(part.key, result);
  }
  const notes = sortNotes([...results.values()].flatMap((result) => result.notes?.() ?? []));
  return { results, notes };
};

/**
 * Adds the content of a file to what a user has, all or nothing. Existing items are skipped and unchanged, so
 * importing the same file again changes nothing.
 * @throws {AppError} validation, with the path of each bad field; quota_reached
 */
export const importConfiguration = async <Part extends TransferPart>(
  deps: Deps,
  parts: readonly Part[],
  owner: Owner,
  document: Document,
) => {
  const parsed = parseDocument(parts, document);
  const { results, notes } = await deps.db.transact(async (tx) => {
    // Of two imports of the same file the second finds what the first has created.
    const role = await lockOwner(tx, owner.id);
    return importParts({ ...deps, db: tx }, { ...owner, role }, parsed);
  });
  for (const { stored } of results.values()) stored?.(deps);
  const count = (what: "created" | "skipped") =>
    Object.fromEntries(
      parts.flatMap(({ key, counted }) => (counted ? [[counted, results.get(key)?.[what] ?? 0]] : [])),
    ) as Record<Exclude<Part["counted"], undefined>, number>;
  return { created: count("created"), skipped: count("skipped"), notes };
};

/** Runs imports one at a time, each as one of its user's costly calls: other users' imports wait for one of theirs. */
export const createImportQueue = ({ costlyCalls }: Pick<Deps, "costlyCalls">) => {
  const exclusively = createMutex();
  return <T>(userId: number, work: () => Promise<T>): Promise<T> =>
    costlyCalls.run(userId, () =>
      exclusively(async () => {
        // With SQLite an import never yields, so other requests are answered between two of them.
        await setImmediate();
        return work();
      }),
    );
};
