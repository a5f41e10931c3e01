import type { Static, TSchema } from "@sinclair/typebox";
import type { Column, Table } from "drizzle-orm";
import type { Config } from "../../core/config";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { madeBy, type Viewer } from "../../db/owner";
import { reserveIds } from "../../db/sql";
import { object, oneOf, text } from "../../server/answers";
import { whole } from "../../server/schema";
import type { KeyScope } from "../../shared/accounts/key-scopes";
import { recordChange } from "../accounts/audit/record";
import { requireRoom } from "../accounts/quotas/service";

/*
 * What a part of an exported file consists of, and helpers for parts. A part is next to the tables that it reads and
 * writes, and server/compose/transfer-parts.ts lists all of them.
 */

/** The user whose configuration is exported or imported. */
export type Owner = Viewer & { username: string };

/** An import lists its notes in this order. */
const NOTE_CODES = [
  "secret_missing",
  "server_missing",
  "built_in_missing",
  "ping_url_new",
  "slug_taken",
  "page_address_new",
  "page_domain_taken",
  "ping_key_taken",
  "kept",
] as const;

/** A hint about a successful import: where, a stable code, and a sentence. */
export const ImportNote = object({
  path: text("The place in the file.", "channels.0"),
  code: oneOf("The reason.", NOTE_CODES),
  message: text("The reason as a sentence.", 'channels.0: "On call" is switched off until its secret is entered'),
});
export type Note = Static<typeof ImportNote>;

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
export type Exporting = { deps: Deps; owner: Owner };

/** Maps an id of an item of another part; null if there is no such item. The path starts within the part. */
export type MapId = (part: string, id: number | string, path: string) => number | null;

/** Replaces ids of items of other parts, and leaves out those without an item. */
export const createIds = (one: MapId) => {
  const list = (part: string, ids: readonly number[], path: string): number[] => [
    ...new Set(ids.map((id, index) => one(part, id, `${path}.${index}`)).filter((id) => id !== null)),
  ];
  /** Replaces the keys of a record, and what `within` replaces in its values. */
  const record = <T>(
    part: string,
    values: Record<string, T> = {},
    path = part,
    within: (value: T, path: string) => T = (value) => value,
  ): Record<string, T> =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => {
        const id = one(part, key, `${path}.${key}`);
        return id === null ? [] : [[id, within(value, `${path}.${key}`)]];
      }),
    );
  /** Replaces the id in a field, which may be absent or null; null if there is no such item. */
  const field = <T extends object>(item: T, name: keyof T & string, part: string): T | null => {
    const sent = item[name] as number | null | undefined;
    if (sent == null) return item;
    const id = one(part, sent, name);
    return id === null ? null : { ...item, [name]: id };
  };
  return { one, list, record, field };
};
export type Ids = ReturnType<typeof createIds>;

/** Records how many items of each part an import created, in its transaction. */
export const recordImport = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  owner: Owner,
  source: string,
  created: readonly (readonly [part: string, count: number])[],
): Promise<void> => {
  const counts = created.filter(([, count]) => count > 0);
  if (counts.length === 0) return;
  const object = { type: "import" as const, id: null, name: source };
  await recordChange(deps, owner, {
    action: "created",
    object,
    teamId: owner.teamId,
    after: Object.fromEntries(counts),
  });
};

/** Passed to a part that is imported. */
export type Importing = {
  /** Their database is the transaction of the import. */
  deps: Deps;
  owner: Owner;
  now: number;
  /** Whether servers that the user does not have are created, as from files of other products. */
  createsServers?: boolean;
  /** The id in the file of an item that the part refers to. */
  idInFile: (part: string, id: number) => number | undefined;
  /** The indexes of the items that parts refer to and that do not exist here. */
  missing: (part: string) => number[];
  /** How many items of a previous part the import has created. */
  created: (part: string) => number;
};

/** The result of the import of one part. */
export type ImportedPart = {
  /** Ids in this installation by index in the file; null for an item that does not exist here. */
  ids?: (number | null)[];
  created?: number;
  /** Of a list: whether each item is created. */
  isNew?: boolean[];
  /** Of a list: the items that lost an address, because it is in use. */
  changed?: { index: number; code: "ping_url_new" | "slug_taken" | "page_address_new" }[];
  /** By default the items of a list that are not created. */
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
  /** A further scope that an API key needs for an import of it. */
  needsScope?: KeyScope;
  /** An item that no file contains, with its id in each installation that has it for the user, and a note elsewhere. */
  builtIn?: { id: number; exists: (deps: Deps, owner: Owner) => boolean; missing: string };
  /** The schema of the part in an imported file, which may omit it, and an example. */
  sent: Sent;
  example?: unknown;
  /** The schema of the part in an exported file. */
  exported: Exported;
  /** Reads what a user has: a list item by item, anything else at once; undefined omits the part. */
  export: (context: Exporting) => AsyncIterable<unknown> | Promise<unknown>;
  /** Validates the content beyond the schema, and completes it. */
  parse: (sent: unknown, refuse: Refuse, config: Config) => unknown;
  /**
   * Replaces the ids of items of previous parts, in an item of a list or else in the whole content; null leaves out the
   * item. An export leaves out references to what is not in the file, an import those to what does not exist here, and
   * a file with references to what is not in it is refused.
   */
  references?: (content: unknown, ids: Ids) => unknown;
  /** Adds what the user does not have to what they have. Parts are imported in the order of the registry. */
  import: (parsed: unknown, context: Importing) => Promise<ImportedPart>;
};

type ItemOf<Content> = Content extends readonly (infer Item)[] ? Item : Content;

/** A part whose functions have the types of its schemas. */
type Definition<
  Key extends string,
  Counted extends string,
  Sent extends TSchema,
  Exported extends TSchema,
  Parsed,
> = Omit<TransferPart<Key, Counted, Sent, Exported>, "export" | "parse" | "references" | "import"> & {
  export: (
    context: Exporting,
  ) => Static<Exported> extends readonly (infer Item)[] ? AsyncIterable<Item> : Promise<Static<Exported> | undefined>;
  parse?: (sent: Static<Sent>, refuse: Refuse, config: Config) => Parsed;
  references?: (content: ItemOf<Static<Sent>>, ids: Ids) => ItemOf<Static<Sent>> | null;
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
  const ids: (number | null)[] = fresh.map(() => null);
  const take = (index: number, id: number | undefined) => {
    const candidates = waiting.get(keys[index] as string);
    if (id === undefined || !candidates?.delete(id)) return;
    ids[index] = id;
  };
  for (const [index, { id }] of fresh.entries()) take(index, id);
  for (const [index, key] of keys.entries())
    if (ids[index] === null) take(index, waiting.get(key)?.values().next().value);
  return ids;
};

/**
 * Finds the items of a part that the user has: the others are `added`, with reserved ids.
 * @throws {AppError} quota_reached, when the additions exceed the quota
 */
export const matchItems = async <Item extends { id?: number }, Stored extends { id: number }>(
  { deps, owner }: Importing,
  items: readonly Item[],
  {
    table,
    quota,
    stored,
    keyOf,
  }: {
    table: Table & { id: Column };
    quota: "monitors" | "channels";
    /** The user's items that may equal items of the file. */
    stored: readonly Stored[];
    /** Returns equal keys for equal items. */
    keyOf: (item: Item | Stored) => string;
  },
) => {
  const matched = matchEqual(items, stored, keyOf);
  const created = matched.filter((id) => id === null).length;
  if (created > 0) await requireRoom(deps, quota, madeBy(owner), created);
  const reserved = await reserveIds(deps.db, table, created);
  const ids = matched.map((id) => id ?? (reserved.shift() as number));
  const added = items
    .map((item, index) => ({ ...item, id: ids[index] as number }))
    .filter((_, index) => matched[index] === null);
  return { ids, added, created, isNew: matched.map((id) => id === null) };
};
