/** Writes objects of a foreign file by the parts of exported files, each object by itself. */

import { setImmediate } from "node:timers/promises";
import type { Deps } from "../../../core/deps";
import { AppError, type ErrorCode } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { madeBy } from "../../../db/owner";
import { errorsWithin } from "../../../server/schema";
import { lockOwner } from "../../accounts/quotas/service";
import { createIds, type ImportedPart, type Importing, type MapId, type Owner, type TransferPart } from "../part";
import type { Item, Note } from "../sources/source";
import { note } from "../sources/text";

/** Objects of one transaction. */
export const BATCH = 200;

/** An object that is valid, as its part parsed it. */
export type Ready = { item: Item; parsed: unknown };

/** Why an object is not valid; null if it is. */
const problemOf = (part: TransferPart, content: unknown): string | null => {
  const schema = part.sent.items ?? part.sent;
  const [error] = errorsWithin("", schema, content);
  return error ? error.message.replace(/^\./, "") : null;
};

/** Parses an object by the rules of its part. */
export const parseContent = (part: TransferPart, item: Item, config: Deps["config"]): Ready | Note => {
  const problem = problemOf(part, item.content);
  if (problem) return note("invalid", problem);
  let refused: string | null = null;
  const isList = part.sent.type === "array";
  const parsed = part.parse(
    isList ? [item.content] : item.content,
    (path, message) => {
      refused ??= `${path.replace(/^0\./, "")}: ${message}`;
    },
    config,
  );
  if (refused !== null) return note("invalid", refused);
  return { item, parsed: isList ? (parsed as unknown[])[0] : parsed };
};

/** Rolls a transaction back after a trial. */
class Rollback extends Error {
  constructor(readonly result: ImportedPart) {
    super("rolled back");
  }
}

export type Writing = {
  deps: Deps;
  owner: Owner;
  /** Whether nothing is stored. */
  isTrial: boolean;
  mapId: MapId;
};

/** Writes some objects of a part in one transaction, with what `also` writes. */
const writeBatch = async (
  { deps, owner, isTrial, mapId }: Writing,
  part: TransferPart,
  batch: readonly Ready[],
  also: (tx: Database, result: ImportedPart) => Promise<void>,
): Promise<ImportedPart> => {
  const resolve = (parsed: unknown) => part.references?.(parsed, createIds(mapId)) ?? parsed;
  const work = async (tx: Database): Promise<ImportedPart> => {
    const role = await lockOwner(tx, madeBy(owner));
    const context: Importing = {
      deps: { ...deps, db: tx },
      owner: { ...owner, role },
      now: deps.clock.now(),
      idInFile: () => undefined,
      missing: () => [],
      created: () => 0,
      createsServers: true,
    };
    const parsed = batch.map((one) => resolve(one.parsed));
    const result = await part.import(part.sent.type === "array" ? parsed : parsed[0], context);
    if (isTrial) throw new Rollback(result);
    await also(tx, result);
    return result;
  };
  try {
    const result = await deps.db.transact(work);
    result.stored?.(deps);
    return result;
  } catch (error) {
    if (error instanceof Rollback) return error.result;
    throw error;
  }
};

/** An object that was written. */
export type Entry = { item: Item; targetId: number; isNew: boolean };

/** What became of an object: an id, whether it is new and how it differs, or why it was refused. */
type Written = { item: Item } & ({ id: number; isNew: boolean; notes: Note[] } | { refused: Note });

/** Codes of notes on foreign files, by the codes on exported files. */
const CHANGED = {
  ping_url_new: "token_taken",
  slug_taken: "slug_taken",
  page_address_new: "page_address_new",
} as const;

const refusedBy = (error: AppError<ErrorCode>): Note =>
  error.code === "quota_reached"
    ? note("quota", `${error.details.quota?.limit} ${error.details.quota?.name}`)
    : note("invalid", error.message);

/**
 * Writes objects of a part. Where a transaction is refused, each half is tried by itself, so that one object refuses no
 * other. `also` writes more in the transaction of some.
 */
export const writeAll = async (
  writing: Writing,
  part: TransferPart,
  ready: readonly Ready[],
  also: (tx: Database, entries: readonly Entry[]) => Promise<void>,
): Promise<Written[]> => {
  /** Once a quota is reached, nothing more fits. */
  let full: Note | null = null;
  const write = async (batch: readonly Ready[]): Promise<Written[]> => {
    if (full) return batch.map(({ item }) => ({ item, refused: full as Note }));
    const entriesOf = ({ ids = [], isNew = [], created = 0, changed = [] }: ImportedPart) =>
      batch.map(({ item }, index) => ({
        ...{ item, targetId: ids[index] ?? 0, isNew: isNew[index] ?? created > 0 },
        notes: changed.filter((one) => one.index === index).map(({ code }) => note(CHANGED[code])),
      }));
    try {
      const result = await writeBatch(writing, part, batch, (tx, stored) => also(tx, entriesOf(stored)));
      return entriesOf(result).map(({ targetId, ...entry }) => ({ ...entry, id: targetId }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unauthorized") throw error;
      const [first] = batch;
      if (batch.length > 1 || !first) {
        const middle = Math.ceil(batch.length / 2);
        return [...(await write(batch.slice(0, middle))), ...(await write(batch.slice(middle)))];
      }
      const refused = refusedBy(error);
      if (error.code === "quota_reached") full = refused;
      const { tags } = Object(first.parsed);
      if (error.code === "too_many_tags" && tags?.length > 0) {
        first.item.notes.push(note("tags_left_out"));
        return write([{ item: first.item, parsed: { ...Object(first.parsed), tags: [] } }]);
      }
      return [{ item: first.item, refused }];
    }
  };
  const written: Written[] = [];
  for (let start = 0; start < ready.length; start += BATCH) {
    written.push(...(await write(ready.slice(start, start + BATCH))));
    // With SQLite a transaction never yields, so other requests are answered between two of them.
    await setImmediate();
  }
  return written;
};
