import type { Static, TSchema } from "@sinclair/typebox";
import type { Column, Table } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { ownedBy } from "../../db/owner";
import { reserveIds } from "../../db/sql";
import { object, oneOf, text } from "../../server/answers";
import { whole } from "../../server/schema";
import { requireRoom } from "../accounts/quotas/service";

/*
 * What a part of an exported file consists of, and helpers for parts. A part is next to the tables that it reads and
 * writes, and server/compose/transfer-parts.ts lists all of them.
 */

/** The user whose configuration is exported or imported. */
export type Owner = { id: number; username: string; role: "admin" | "user" };

/** An import lists its notes in this order. */
const NOTE_CODES = ["secret_missing", "server_missing", "built_in_missing", "ping_url_new", "kept"] as const;

/** A hint about a successful import: where, a stable code, and a sentence. */
export const ImportNote = object({
  path: text("The place in the file.", "channels.0"),
  code: oneOf("The reason.", NOTE_CODES),
  message: text("The reason as a sentence.", 'channels.0: "On call" is switched off until its secret is entered'),
});
type Note = Static<typeof ImportNote>;

/** A note about a place in the file. */
export const note = (code: Note["code"], path: string, message: string): Note => ({
  path,
  code,
  message: `${path}: ${message}`,
});

/** Notes by their code; those with the same code stay in the order of the parts. */
export const sortNotes = (notes: Note[]): Note[] =>
  notes.toSorted((one, other) => NOTE_CODES.indexOf(one.code) - NOTE_CODES.indexOf(other.code));

/** Reports an error of a file; the path starts within the part. */
export type Refuse = (path: string, message: string) => void;

/** Returns what `read` returns. Reports its errors at the item with this `index`, and returns `otherwise` then. */
export const parseItem = <T, Otherwise>(
  read: () => T,
  { index, refuse, otherwise }: { index: number; refuse: Refuse; otherwise: Otherwise },
): T | Otherwise => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const { path, message } of error.details.errors ?? [])
      refuse(`${index}.${path}`, message.replace(`${path}: `, ""));
    return otherwise;
  }
};

/** Passed to a part that is exported. */
export type Exporting = {
  deps: Deps;
  owner: Owner;
  /** Whether an item of a previous part is in the file. */
  has: (part: string, id: number) => boolean;
};

/** Passed to a part whose content is checked. */
export type Checking = {
  refuse: Refuse;
  /** Reports an error at `path` unless the file has an item with this id, or key of an object, in the part. */
  refer: (path: string, part: string, id: number | string) => void;
};

/** Passed to a part that is imported. */
export type Importing = {
  /** Their database is the transaction of the import. */
  deps: Deps;
  owner: Owner;
  now: number;
  /** Maps an id of the file to one of this installation; null for an item that does not exist here. */
  idOf: (part: string, id: number) => number | null;
  /** The indexes of the items without an id by `idOf`, in any part. */
  missing: (part: string) => number[];
};

/** The result of the import of one part. */
export type ImportedPart = {
  /** Ids in this installation by index in the file; null for an item that does not exist here. */
  ids?: (number | null)[];
  created?: number;
  skipped?: number;
  /** Called after the import is stored. */
  stored?: (deps: Deps) => void;
  /** Called after all parts are written. */
  notes?: () => Note[];
};

/**
 * A part of an exported file. Where it is a list, other parts refer to its items by their `id` in the file, which is
 * independent of the ids in the database.
 */
export type TransferPart<
  Key extends string = string,
  Counted extends string = string,
  Sent extends TSchema = TSchema,
  Exported extends TSchema = TSchema,
> = {
  /** Its name in the file. */
  key: Key;
  /** Its name in the counts of an import's result; absent if an import creates none. */
  counted?: Counted;
  /** Whether an import of it needs a session, because an API key may not create such items. */
  needsSession?: boolean;
  /** The schema of the part in an imported file, which may omit it, and an example. */
  sent: Sent;
  example?: unknown;
  /** The schema of the part in an exported file. */
  exported: Exported;
  /** Reads what a user has: a list item by item, anything else at once; undefined omits the part. */
  export: (context: Exporting) => AsyncIterable<unknown> | Promise<unknown>;
  /** Validates the items beyond the schema, and completes them. */
  parse: (sent: unknown, refuse: Refuse) => unknown;
  /** Validates what requires the ids of all parts. */
  check?: (sent: unknown, context: Checking) => void;
  /** Adds what the user does not have to what they have. Parts are imported in the order of the registry. */
  import: (parsed: unknown, context: Importing) => Promise<ImportedPart>;
};

/** A part whose functions have the types of its schemas. */
type Definition<
  Key extends string,
  Counted extends string,
  Sent extends TSchema,
  Exported extends TSchema,
  Parsed,
> = Omit<TransferPart<Key, Counted, Sent, Exported>, "export" | "parse" | "check" | "import"> & {
  export: (
    context: Exporting,
  ) => Static<Exported> extends readonly (infer Item)[] ? AsyncIterable<Item> : Promise<Static<Exported> | undefined>;
  parse?: (sent: Static<Sent>, refuse: Refuse) => Parsed;
  check?: (sent: Static<Sent>, context: Checking) => void;
  import: (parsed: Parsed, context: Importing) => Promise<ImportedPart>;
};

/** Completes the definition of a part for the registry. */
export const definePart = <
  const Key extends string,
  Sent extends TSchema,
  Exported extends TSchema,
  const Counted extends string = never,
  Parsed = Static<Sent>,
>(
  definition: Definition<Key, Counted, Sent, Exported, Parsed>,
) => ({ parse: (sent: unknown) => sent, ...definition }) as TransferPart<Key, Counted, Sent, Exported>;

/** The items of a list in a file; more than fits in a body of 1 MiB. */
export const MAX_ITEMS = 10_000;

/** The options of a list in a file. */
export const atMost = (maxItems: number) => ({ maxItems, error: `expected a list of at most ${maxItems}` });

/** An id in a file. */
export const fileId = whole(1, Number.MAX_SAFE_INTEGER);

/**
 * Matches each new item with an equal stored one, or null. Each stored item matches once: of
 * two equal new items and one stored, one is new. An item with the same id is preferred.
 * @param keyOf returns equal keys for equal items
 */
const matchEqual = <New extends { id?: number }, Stored extends { id: number }>(
  fresh: readonly New[],
  stored: readonly Stored[],
  keyOf: (thing: New | Stored) => string,
): (number | null)[] => {
  const waiting = new Map<string, Set<number>>();
  for (const thing of stored) {
    const key = keyOf(thing);
    waiting.set(key, (waiting.get(key) ?? new Set()).add(thing.id));
  }
  const keys = fresh.map(keyOf);
  const found: (number | null)[] = fresh.map(() => null);
  const take = (index: number, id: number | undefined) => {
    const candidates = waiting.get(keys[index] as string);
    if (id === undefined || !candidates?.delete(id)) return;
    found[index] = id;
  };
  for (const [index, { id }] of fresh.entries()) take(index, id);
  for (const [index, key] of keys.entries())
    if (found[index] === null) take(index, waiting.get(key)?.values().next().value);
  return found;
};

type ItemTable<Item, Stored> = {
  table: Table & { id: Column; userId: Column };
  /** A quota, which administrators do not have, or how many any user may have, and the error beyond that. */
  quota: "monitors" | "channels" | { limit: number; exceeded: () => AppError };
  /** The user's items that may equal items of the file. */
  read: () => Promise<Stored[]>;
  /** Returns equal keys for equal items. */
  keyOf: (item: Item | Stored) => string;
};

/** @throws {AppError} quota_reached or the given error, when the user may not have `count` more */
const requireRoomFor = async (
  { deps, owner }: Importing,
  { table, quota }: Pick<ItemTable<unknown, unknown>, "table" | "quota">,
  count: number,
): Promise<void> => {
  if (count === 0) return;
  if (typeof quota === "string") return requireRoom(deps, quota, owner.id, count);
  if ((await deps.db.$count(table as never, ownedBy(table as never, owner.id))) + count > quota.limit)
    throw quota.exceeded();
};

/**
 * Finds the items of a part that the user has: the others are `added`, with reserved ids.
 * @throws {AppError} quota_reached or the given error, when the additions exceed the limit
 */
export const matchItems = async <Item extends { id?: number }, Stored extends { id: number }>(
  context: Importing,
  items: readonly Item[],
  { read, keyOf, ...limited }: ItemTable<Item, Stored>,
) => {
  const known = matchEqual(items, await read(), keyOf);
  const created = known.filter((id) => id === null).length;
  await requireRoomFor(context, limited, created);
  const reserved = await reserveIds(context.deps.db, limited.table, created);
  const ids = known.map((id) => id ?? (reserved.shift() as number));
  const added = items
    .map((item, index) => ({ ...item, id: ids[index] as number }))
    .filter((_, index) => known[index] === null);
  return { ids, added, created, skipped: items.length - created };
};
