/**
 * What one call does to many monitors: it finds them, plans the change of each as the call for a single one does, and writes
 * the plans in transactions of at most 200 monitors. A monitor that can't be changed is left out, with the reason.
 */
import { setImmediate } from "node:timers/promises";
import { and, inArray, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import type { Queries, Statement } from "../../../db/database";
import { visibleTo } from "../../../db/owner";
import { monitors } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { BULK_LIMITS, BULK_REFUSALS, type BulkRefusal } from "../../../shared/monitor";
import { TAG_LIMITS, type Tag, tagKey } from "../../../shared/tags";
import { assertOwnChannels, saveChannelsOf } from "../../notifications/rules/service";
import { publishOutages } from "../../outages/live";
import { addTags, type Resolved, readTags, removeTags, resolveTags } from "../../tags/service";
import { planUpdate } from "../change";
import type { Engine } from "../engine/engine";
import { purgeMonitors } from "../history/checks";
import type { Viewer } from "../list";
import { findPage } from "../list-query";
import type { StoredMonitor } from "../model";
import { fromRow, isPassive } from "../service";
import type { Bulk, BulkChanges } from "./model";

type Refused = { id: number; code: BulkRefusal };
/** What was done, or would be. `ids` are the monitors that were found. */
type BulkResult = { ids: number[]; matched: number; changed: number; refused: Refused[] };

type Context = {
  deps: Deps;
  engine: Pick<Engine, "restart" | "startCheck" | "tick">;
  viewer: Viewer;
  /** Milliseconds between two manual checks of one monitor. */
  pause: number;
};

/** What happens to the monitors of one transaction. */
type Batch = {
  changed: StoredMonitor[];
  refused: Refused[];
  /** Writes the changes; not called for a dry run. Returns monitors that were refused then. */
  write: () => Promise<Refused[]>;
};

/** The ids of the monitors that are meant, ascending. */
const findIds = async ({ deps, viewer }: Context, { ids, filter }: Bulk): Promise<number[]> => {
  if (ids) return ids.toSorted((a, b) => a - b);
  const limit = BULK_LIMITS.monitors;
  const found = await findPage(deps, viewer, filter ?? {}, { limit, offset: 0 });
  if (found.total > limit) throw new AppError("too_many_matches", { count: found.total, limit });
  return found.ids.sort((a, b) => a - b);
};

const readBatch = async ({ deps: { db }, viewer }: Context, ids: readonly number[]): Promise<StoredMonitor[]> => {
  const rows = await db
    .select()
    .from(monitors)
    .where(and(isOneOf(monitors.id, ids), visibleTo(monitors, viewer)))
    .orderBy(monitors.id);
  return rows.map(fromRow);
};

type Update = ReturnType<typeof planUpdate> & { monitor: StoredMonitor; active: boolean };

/** Writes updates in one transaction, with what else belongs to it, and continues with their checks. */
const writeUpdates = async (
  { deps, engine }: Context,
  updates: readonly Update[],
  further: (tx: Queries) => Statement[] = () => [],
): Promise<void> => {
  await deps.db.atomically((tx) => [...updates.flatMap(({ statements }) => statements(tx)), ...further(tx)]);
  for (const { monitor } of updates) deps.changedMonitors.add(monitor.id);
  const paused = updates.filter(({ monitor, active }) => monitor.active && !active);
  void publishOutages(
    deps,
    "monitor",
    paused.map(({ monitor }) => monitor.id),
  );
  for (const { monitor, restart, active } of updates) if (restart) engine.restart(monitor.id, active);
  void engine.tick();
};

const planActive = (context: Context, found: readonly StoredMonitor[], active: boolean): Batch => {
  const changed = found.filter((monitor) => monitor.active !== active);
  return {
    changed,
    refused: [],
    write: async () => {
      const now = context.deps.clock.now();
      const updates = changed.map((monitor) => ({
        monitor,
        active,
        ...planUpdate(monitor, { ...monitor, active }, now),
      }));
      await writeUpdates(context, updates);
      return [];
    },
  };
};

const planDeletion = ({ deps: { db, changedMonitors } }: Context, found: StoredMonitor[]): Batch => ({
  changed: found,
  refused: [],
  write: async () => {
    const ids = found.map(({ id }) => id);
    const chosen = sql`select ${monitors.id} from ${monitors} where ${isOneOf(monitors.id, ids)}`;
    await db.atomically((tx) => {
      const { states, rest } = purgeMonitors(tx, chosen);
      return [...states, ...rest, tx.delete(monitors).where(inArray(monitors.id, sql`(${chosen})`))];
    });
    for (const id of ids) changedMonitors.add(id);
    return [];
  },
});

const isRefusal = (code: string): code is BulkRefusal => BULK_REFUSALS.some((known) => known === code);

const planChecks = ({ engine, pause }: Context, found: readonly StoredMonitor[]): Batch => ({
  changed: found.filter((monitor) => !isPassive(monitor)),
  refused: found.filter(isPassive).map(({ id }) => ({ id, code: "not_checkable" })),
  write: async () => {
    const refused: Refused[] = [];
    for (const { id } of found.filter((monitor) => !isPassive(monitor))) {
      try {
        await engine.startCheck(id, pause);
      } catch (error) {
        if (!(error instanceof AppError && isRefusal(error.code))) throw error;
        refused.push({ id, code: error.code });
      }
    }
    return refused;
  },
});

/** The tags of a monitor after a change, by the keys of their names. */
const tagsAfter = (own: readonly Tag[], added: Resolved[number]["tags"], removed: ReadonlySet<string>) => {
  const after = new Map(own.map(({ name, value = "" }) => [tagKey(name), value]));
  for (const key of removed) after.delete(key);
  for (const { name, value } of added) after.set(tagKey(name), value);
  return after;
};

type Prepared = {
  set: BulkChanges;
  /** The tags that the monitors of each owner get. */
  added: ReadonlyMap<number, Resolved[number]["tags"]>;
};

/** What is set of a monitor: the monitor with it, or why it can't be. */
const withChanges = ({ viewer }: Context, { set }: Prepared, monitor: StoredMonitor): StoredMonitor | BulkRefusal => {
  const { interval, timeout, retries, channels } = set;
  const after = { ...monitor, ...(interval && { interval }), ...(timeout && { timeout }) };
  if (channels !== undefined && monitor.userId !== viewer.id) return "foreign";
  if (interval !== undefined && isPassive(monitor)) return "no_interval";
  if (!isPassive(monitor) && after.timeout > after.interval) return "timeout_above_interval";
  return { ...after, retries: retries ?? monitor.retries };
};

const planChanges = async (context: Context, found: readonly StoredMonitor[], prepared: Prepared): Promise<Batch> => {
  const { deps, viewer } = context;
  const { set, added } = prepared;
  const { add_tags, remove_tags = [], channels } = set;
  const removed = new Set(remove_tags.map(tagKey));
  const isTagged = add_tags !== undefined || removed.size > 0;
  const before = isTagged
    ? await readTags(
        deps,
        "monitor",
        found.map(({ id }) => id),
      )
    : new Map<number, Tag[]>();
  const refused: Refused[] = [];
  const changed: { monitor: StoredMonitor; after: StoredMonitor; isSame: boolean; retagged: boolean }[] = [];
  for (const monitor of found) {
    const { id, userId } = monitor;
    const after = withChanges(context, prepared, monitor);
    const own = before.get(id) ?? [];
    const tagsThen = tagsAfter(own, added.get(userId) ?? [], removed);
    if (typeof after === "string") refused.push({ id, code: after });
    else if (tagsThen.size > TAG_LIMITS.perTarget) refused.push({ id, code: "too_many_tags" });
    else {
      const retagged = isTagged && !Bun.deepEquals(tagsAfter(own, [], new Set()), tagsThen);
      const { interval, timeout, retries } = monitor;
      const isSame = interval === after.interval && timeout === after.timeout && retries === after.retries;
      if (!isSame || retagged || channels !== undefined) changed.push({ monitor, after, isSame, retagged });
    }
  }
  const names = [...new Set([...before.values()].flatMap((own) => own.map(({ name }) => name)))];
  const lost = names.filter((name) => removed.has(tagKey(name)));
  const tagStatements = () =>
    [
      ...Map.groupBy(
        changed.filter(({ retagged }) => retagged),
        ({ monitor }) => monitor.userId,
      ),
    ].flatMap(([userId, theirs]) => {
      const ids = theirs.map(({ monitor }) => monitor.id);
      const tags = added.get(userId) ?? [];
      return [
        ...(lost.length > 0 ? [removeTags(userId, "monitor", ids, lost)] : []),
        ...addTags(
          { userId, type: "monitor", table: monitors },
          ids.map((id) => ({ id, tags })),
        ),
      ];
    });
  return {
    changed: changed.map(({ monitor }) => monitor),
    refused,
    write: async () => {
      const now = deps.clock.now();
      const updates = changed
        .filter(({ isSame }) => !isSame)
        .map(({ monitor, after }) => ({ monitor, active: after.active, ...planUpdate(monitor, after, now) }));
      const ids = changed.map(({ monitor }) => monitor.id);
      await writeUpdates(context, updates, (tx) => [
        ...tagStatements(),
        ...(channels !== undefined ? [saveChannelsOf(tx, viewer.id, { type: "monitor", ids }, channels)] : []),
      ]);
      return [];
    },
  };
};

/** What is the same for all monitors that are changed. @throws {AppError} too_many_tags; validation for unknown channels */
const prepareChanges = async (
  { deps, viewer }: Context,
  ids: readonly number[],
  set: BulkChanges,
): Promise<Prepared> => {
  if (set.channels) await assertOwnChannels(deps, viewer, set.channels);
  const added = new Map<number, Resolved[number]["tags"]>();
  if (!set.add_tags) return { set, added };
  const visible = and(isOneOf(monitors.id, ids), visibleTo(monitors, viewer));
  const owners = await deps.db.rows(sql`select distinct ${monitors.userId} as id from ${monitors} where ${visible}`);
  for (const owner of owners) {
    const [resolved] = await resolveTags(deps, Number(owner.id), [{ id: 0, tags: set.add_tags }]);
    added.set(Number(owner.id), resolved?.tags ?? []);
  }
  return { set, added };
};

const createPlanner = async (context: Context, ids: readonly number[], { action, set }: Bulk) => {
  if (set) {
    const prepared = await prepareChanges(context, ids, set);
    return (found: StoredMonitor[]) => planChanges(context, found, prepared);
  }
  if (action === "check") return (found: StoredMonitor[]) => planChecks(context, found);
  if (action === "delete") return (found: StoredMonitor[]) => planDeletion(context, found);
  return (found: StoredMonitor[]) => planActive(context, found, action === "resume");
};

/**
 * Does to many monitors what one call asks for, or only counts them for a dry run.
 * @throws {AppError} too_many_matches, too_many_tags, validation
 */
export const changeMany = async (context: Context, bulk: Bulk): Promise<BulkResult> => {
  const ids = await findIds(context, bulk);
  const plan = await createPlanner(context, ids, bulk);
  const result: BulkResult = { ids: [], matched: 0, changed: 0, refused: [] };
  for (let start = 0; start < ids.length; start += BULK_LIMITS.atOnce) {
    const wanted = ids.slice(start, start + BULK_LIMITS.atOnce);
    const found = await readBatch(context, wanted);
    const known = new Set(found.map(({ id }) => id));
    result.refused.push(...wanted.filter((id) => !known.has(id)).map((id) => ({ id, code: "not_found" as const })));
    const { changed, refused, write } = await plan(found);
    const later = bulk.dryRun || changed.length === 0 ? [] : await write();
    result.ids.push(...known);
    result.matched += found.length;
    result.changed += changed.length - later.length;
    result.refused.push(...refused, ...later);
    // With SQLite a transaction never yields, so other requests are answered between two of them.
    await setImmediate();
  }
  return result;
};
