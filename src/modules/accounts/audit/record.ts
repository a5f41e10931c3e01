/** Records changes of objects, in the transaction that makes them. */
import { eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { type Database, databaseOf } from "../../../db/database";
import { insertMany } from "../../../db/insert-many";
import type { Origin } from "../../../db/owner";
import { securityLog } from "../../../db/schema";
import { reserveIds } from "../../../db/sql";
import type { ChangeAction, ChangedObject } from "../../../shared/audit/changes";
import type { SecurityEventKind } from "../../../shared/security-events";
import { cleanAddress, cleanText, logEvent, purgeTeam } from "../security-log";
import { changedFields, type Facts } from "./fields";

/** The author of a change: a viewer; without an id a caller without an account, such as the holder of a link. */
export type Author = { id: number | null; origin?: Origin };

/** A caller without an account. */
export const anonymous = (address: string): Author => ({ id: null, origin: { username: "", key: null, address } });

/** Changes that the hub makes by itself, or its operator on the command line. */
export const HUB = anonymous("");

export type Change = {
  action: ChangeAction;
  object: { type: ChangedObject; id: number | null; name: string };
  /** The team that the object belongs to; null for settings of the hub. */
  teamId: number | null;
  before?: Facts;
  after?: Facts;
  /** Fields of the object's kind whose values are shown, too. */
  further?: readonly string[];
  /** For changes that administrators find in the security log. */
  event?: { kind: SecurityEventKind; detail?: string };
};

type Store = Pick<Deps, "db" | "clock" | "log">;

/** Rows of one team that a process writes before it purges the team's oldest ones. */
const PURGED_AFTER = 1000;
const written = new WeakMap<object, Map<number, number>>();

/** Bounds the rows of a team also between two runs of the retention job. */
const purgeSometimes = async (db: Database, teamId: number, rows: number): Promise<void> => {
  const counts = written.get(databaseOf(db)) ?? new Map<number, number>();
  written.set(databaseOf(db), counts);
  const count = (counts.get(teamId) ?? 0) + rows;
  if (count < PURGED_AFTER) {
    counts.set(teamId, count);
    return;
  }
  counts.delete(teamId);
  await purgeTeam({ db }, teamId);
};

/** The first change by a call for each team: members of one team do not see changes of another. */
export type Heads = ReadonlyMap<number | null, number>;

/**
 * Records the changes that one call makes, as a batch for each team whose first entry has their number. An update that changes
 * nothing is left out. Returns the first entries; further changes of the call join these.
 */
export const recordChanges = async (
  { db, clock, log }: Store,
  { id: userId, origin: { username, key, address } = { username: "", key: null, address: "" } }: Author,
  changes: readonly Change[],
  joined: Heads = new Map(),
): Promise<Heads> => {
  const real = changes
    .map((change) => ({ ...change, fields: changedFields(change.object.type, change) }))
    .filter(({ action, fields }) => action !== "changed" || Object.keys(fields).length > 0);
  const byTeam = Map.groupBy(real, ({ teamId }) => teamId);
  const ids = await reserveIds(db, securityLog, real.length);
  const heads = new Map(joined);
  const author = { userId, username: cleanText(username, 64), address: cleanAddress(address), key };
  const rows = real.map(({ action, object, teamId, fields, event }, index) => {
    const [id = 0, head] = [ids[index], heads.get(teamId)];
    if (head === undefined) heads.set(teamId, id);
    return {
      ...{ id, at: clock.now(), ...author, teamId },
      ...{ kind: event?.kind ?? "change", detail: cleanText(event?.detail ?? "", 200) },
      ...{ action, objectType: object.type, objectId: object.id, objectName: cleanText(object.name, 200), fields },
      ...(head === undefined ? { batch: null, objects: byTeam.get(teamId)?.length } : { batch: head, objects: null }),
    };
  });
  await insertMany(db, securityLog, rows);
  for (const [teamId, { length }] of byTeam) {
    const head = joined.get(teamId);
    const objects = sql`${securityLog.objects} + ${length}`;
    if (head !== undefined) await db.update(securityLog).set({ objects }).where(eq(securityLog.id, head));
    if (teamId !== null) await purgeSometimes(db, teamId, length);
  }
  db.afterCommit(() => {
    for (const { event } of real) if (event) logEvent(log, { ...author, kind: event.kind, detail: event.detail ?? "" });
  });
  return heads;
};

export const recordChange = async (store: Store, author: Author, change: Change): Promise<void> => {
  await recordChanges(store, author, [change]);
};
