import { setImmediate } from "node:timers/promises";
import type { Config } from "../../core/config";
import type { Deps } from "../../core/deps";
import { type FieldError, validation } from "../../core/errors";
import { madeBy } from "../../db/owner";
import { createMutex } from "../../lib/concurrency";
import { isoTime } from "../../lib/time";
import type { KeyScope } from "../../shared/accounts/key-scopes";
import { lockOwner } from "../accounts/quotas/service";
import { FORMAT, VERSION } from "./model";
import {
  createIds,
  type ImportedPart,
  type MapId,
  type Note,
  note,
  type Owner,
  type Refuse,
  recordImport,
  sortNotes,
  type TransferPart,
} from "./part";

type Parts = readonly TransferPart[];
/** A file by the keys of its parts. */
type Document = { [part: string]: unknown };

/** The built-in item of a part, where an id names it. */
const builtInOf = (parts: Parts, key: string, id: number | string) => {
  const builtIn = parts.find((part) => part.key === key)?.builtIn;
  return builtIn?.id === id ? builtIn : undefined;
};

/** Replaces the ids of items of other parts in the content of a part. */
const withIds = ({ references }: TransferPart, content: unknown, mapId: MapId): unknown => {
  if (!references) return content;
  if (!Array.isArray(content)) return references(content, createIds(mapId));
  return content.flatMap((item, index) => {
    const ids = createIds((part, id, path) => mapId(part, id, `${index}.${path}`));
    return references(item, ids) ?? [];
  });
};

/** The JSON text of a file, in pieces: lists are read item by item, so that memory does not grow with their length. */
export async function* exportConfiguration(deps: Deps, parts: Parts, owner: Owner): AsyncGenerator<string> {
  const head = { format: FORMAT, version: VERSION, exported_at: isoTime(deps.clock.now()) };
  yield JSON.stringify(head).slice(0, -1);
  const exported = new Map<string, Set<unknown>>();
  // Items that a part refers to may have been added or deleted since the previous parts were read.
  const ids = createIds((part, id) =>
    builtInOf(parts, part, id) || exported.get(part)?.has(Number(id)) ? Number(id) : null,
  );
  for (const { key, export: read, references = (content: unknown) => content } of parts) {
    const content = read({ deps, owner });
    const name = JSON.stringify(key);
    if (Symbol.asyncIterator in content) {
      const itemIds = new Set<unknown>();
      exported.set(key, itemIds);
      let separator = `,${name}:[`;
      for await (const read of content) {
        const item = references(read, ids);
        if (item === null) continue;
        yield `${separator}${JSON.stringify(item)}`;
        separator = ",";
        itemIds.add(Object(item).id);
      }
      yield separator === "," ? "]" : `${separator}]`;
    } else {
      const value = await content;
      if (value !== undefined) yield `,${name}:${JSON.stringify(references(value, ids))}`;
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

/** The further scopes that an API key needs for the import of a file. */
export const neededScopes = (parts: Parts, document: Document): KeyScope[] =>
  contents(parts, document).flatMap(({ part: { needsScope }, sent }) =>
    needsScope && !(Array.isArray(sent) && sent.length === 0) ? [needsScope] : [],
  );

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
const parseDocument = (parts: Parts, document: Document, config: Config): Parsed => {
  const errors: FieldError[] = [];
  const within =
    (key: string): Refuse =>
    (path, message) => {
      if (errors.length < MAX_ERRORS) errors.push({ path: `${key}.${path}`, message: `${key}.${path}: ${message}` });
    };
  const sentParts = contents(parts, document);
  const parsed = sentParts.map(({ part, sent }) => ({ part, content: part.parse(sent, within(part.key), config) }));
  const places = new Map(sentParts.map(({ part: { key }, sent }) => [key, placesOf(sent, within(key))]));
  for (const { part, sent } of sentParts)
    withIds(part, sent, (to, id, path) => {
      if (!builtInOf(parts, to, id) && !places.get(to)?.has(typeof id === "string" ? idOfKey(id) : id))
        within(part.key)(path, `there is no ${id} among the file's ${to}`);
      return Number(id);
    });
  if (errors.length > 0) throw validation(errors);
  return { parts: parsed, places };
};

/** Imports each part with the ids of the previous ones. */
const importParts = async (deps: Deps, owner: Owner, parts: Parts, { parts: parsed, places }: Parsed) => {
  const ids = new Map<string, (number | null)[]>();
  const missing = new Map<string, Set<number>>();
  const inFile = new Map<string, number>();
  const builtInMissing = new Map<string, Note>();
  const results = new Map<string, ImportedPart>();
  const context = {
    ...{ deps, owner, now: deps.clock.now() },
    idInFile: (part: string, id: number) => inFile.get(`${part} ${id}`),
    missing: (part: string) => [...(missing.get(part) ?? [])],
    created: (part: string) => results.get(part)?.created ?? 0,
  };
  const notes: (() => Note[])[] = [];
  for (const { part, content } of parsed) {
    const resolved = withIds(part, content, (to, sentId) => {
      const builtIn = builtInOf(parts, to, sentId);
      if (builtIn?.exists(deps, owner)) return builtIn.id;
      if (builtIn) {
        builtInMissing.set(part.key, note("built_in_missing", part.key, builtIn.missing));
        return null;
      }
      const id = Number(sentId);
      const index = places.get(to)?.get(id) ?? -1;
      const here = ids.get(to)?.[index] ?? null;
      if (here === null) missing.set(to, (missing.get(to) ?? new Set()).add(index));
      else inFile.set(`${to} ${here}`, id);
      return here;
    });
    const result = await part.import(resolved, context);
    if (result.ids) ids.set(part.key, result.ids);
    const { created = 0, skipped = Array.isArray(content) ? content.length - created : 0 } = result;
    results.set(part.key, { ...result, created, skipped });
    if (result.notes) notes.push(result.notes);
  }
  return { results, notes: sortNotes([...builtInMissing.values(), ...notes.flatMap((read) => read())]) };
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
  const parsed = parseDocument(parts, document, deps.config);
  const { results, notes } = await deps.db.transact(async (tx) => {
    // Of two imports of the same file the second finds what the first has created.
    const role = await lockOwner(tx, madeBy(owner));
    const imported = await importParts({ ...deps, db: tx }, { ...owner, role }, parts, parsed);
    const created = [...imported.results].map(([key, { created = 0 }]) => [key, created] as const);
    await recordImport({ ...deps, db: tx }, owner, "wakeful", created);
    return imported;
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
