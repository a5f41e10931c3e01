/**
 * What one call does to many monitors: it finds them, and does to each what the call for a single one does, in transactions
 * of at most 200 monitors. A monitor that can't be changed is left out, with the reason.
 */
import { setImmediate } from "node:timers/promises";
import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { madeBy, ownerOf, type Viewer, visibleTo, within } from "../../../db/owner";
import { monitors, monitorStates as states } from "../../../db/schema";
import { isOneOf, lock, lockRows } from "../../../db/sql";
import { BULK_LIMITS, BULK_REFUSALS, type BulkRefusal, fitRetries } from "../../../shared/monitor";
import { TAG_LIMITS, type Tag, tagKey, tagsText } from "../../../shared/tags";
import { type Heads, type Change as LoggedChange, recordChanges } from "../../accounts/audit/record";
import { report } from "../../alerting/report";
import { assertOwnChannels, saveChannelsOf } from "../../alerting/rules/service";
import type { TagInput } from "../../tags/model";
import { addTags, missingTags, readTags, removeTags } from "../../tags/service";
import { monitorChange, monitorEvent, planUpdate } from "../change";
import type { Engine } from "../engine/engine";
import { purgeMonitors } from "../history/checks";
import { kindOf } from "../kinds/registry";
import { findPage } from "../list-query";
import type { StoredMonitor } from "../model";
import { fromRow, isPassive } from "../service";
import type { Bulk, BulkChanges } from "./model";

type Refused = { id: number; code: BulkRefusal };
/** The result of a call or a dry run. `ids` are the monitors that were found. */
type BulkResult = { ids: number[]; matched: number; changed: number; refused: Refused[] };

type Context = {
  deps: Deps;
  engine: Pick<Engine, "restart" | "startCheck" | "tick">;
  viewer: Viewer;
  /** Milliseconds between two manual checks of one monitor. */
  pause: number;
};

type Update = ReturnType<typeof planUpdate> & { monitor: StoredMonitor; after: StoredMonitor };

/** The result for some monitors. Checks of updated ones continue after the transaction. */
type Done = { found: StoredMonitor[]; changed: number; refused: Refused[]; updates?: Update[]; heads?: Heads };

/** The ids of the monitors that are meant, ascending. */
const findIds = async ({ deps, viewer }: Context, { ids, filter }: Bulk): Promise<number[]> => {
  if (ids) return ids.toSorted((a, b) => a - b);
  const limit = BULK_LIMITS.monitors;
  const page = await findPage(deps, within(viewer, "edit"), filter ?? {}, { limit, offset: 0 });
  if (page.total > limit) throw new AppError("too_many_matches", { count: page.total, limit });
  return page.ids.sort((a, b) => a - b);
};

const readMonitors = async (db: Database, chosen: SQL): Promise<StoredMonitor[]> => {
  const rows = await db.select().from(monitors).where(inArray(monitors.id, chosen)).orderBy(monitors.id);
  return rows.map(fromRow);
};

const refusalOf = (error: unknown): BulkRefusal => {
  const refusal = error instanceof AppError && BULK_REFUSALS.find((code) => code === error.code);
  if (!refusal) throw error;
  return refusal;
};

const checkAll = async ({ deps, engine, pause }: Context, chosen: SQL, dryRun: boolean): Promise<Done> => {
  const chosenMonitors = await readMonitors(deps.db, chosen);
  const refused: Refused[] = [];
  const start = (id: number) => (dryRun ? undefined : engine.startCheck(id, pause).then(() => undefined, refusalOf));
  for (const monitor of chosenMonitors) {
    const code = isPassive(monitor) ? "not_checkable" : await start(monitor.id);
    if (code) refused.push({ id: monitor.id, code });
  }
  return { found: chosenMonitors, changed: chosenMonitors.length - refused.length, refused };
};

const deleteAll = (tx: Database, chosen: SQL) =>
  tx.atomically((build) => {
    const purged = purgeMonitors(build, chosen);
    return [...purged.states, ...purged.rest, build.delete(monitors).where(inArray(monitors.id, chosen))];
  });

/** The tags of a monitor after a change, by the keys of their names. */
const tagsAfter = (own: readonly Tag[], added: readonly TagInput[], removed: ReadonlySet<string>) => {
  const after = new Map(own.map(({ name, value = "" }) => [tagKey(name), value]));
  for (const key of removed) after.delete(key);
  for (const { name, value } of added) after.set(tagKey(name), value);
  return after;
};

type Changes = Partial<BulkChanges> & { active?: boolean };

/** A monitor with what is set of it, or why it can't be. */
const withChanges = ({ viewer }: Context, set: Changes, monitor: StoredMonitor): StoredMonitor | BulkRefusal => {
  const { interval, timeout, retries, active, channels, retry_pause, quick_recheck } = set;
  if (channels !== undefined && monitor.teamId !== viewer.teamId) return "foreign";
  if (interval !== undefined && isPassive(monitor)) return "no_interval";
  const after = {
    ...monitor,
    interval: Math.max(interval ?? monitor.interval, kindOf(monitor.kind)?.leastInterval ?? 0),
    timeout: timeout ?? monitor.timeout,
    retries: retries ?? monitor.retries,
    retryPause: retry_pause ?? monitor.retryPause,
    quickRecheck: quick_recheck ?? monitor.quickRecheck,
    active: active ?? monitor.active,
  };
  if (isPassive(monitor)) return after;
  return after.timeout > after.interval
    ? "timeout_above_interval"
    : fitRetries(after)
      ? after
      : "retries_above_interval";
};

type Change = { monitor: StoredMonitor; after: StoredMonitor; tags: readonly Tag[]; isRetagged: boolean };

/** Which monitors change, and which are refused. */
const planChanges = async (tx: Database, context: Context, chosenMonitors: readonly StoredMonitor[], set: Changes) => {
  const { add_tags = [], remove_tags = [], channels } = set;
  const removed = new Set(remove_tags.map(tagKey));
  const tagged = add_tags.length + removed.size > 0 ? chosenMonitors.map(({ id }) => id) : [];
  const before = await readTags({ db: tx }, "monitor", tagged);
  const refused: Refused[] = [];
  const changes: Change[] = [];
  for (const monitor of chosenMonitors) {
    const tags = before.get(monitor.id) ?? [];
    const next = tagsAfter(tags, add_tags, removed);
    const planned = withChanges(context, set, monitor);
    const after = next.size > TAG_LIMITS.perTarget && typeof planned !== "string" ? "too_many_tags" : planned;
    const isRetagged = !Bun.deepEquals(tagsAfter(tags, [], new Set()), next);
    if (typeof after === "string") refused.push({ id: monitor.id, code: after });
    else if (isRetagged || channels !== undefined || !Bun.deepEquals(monitor, after))
      changes.push({ monitor, after, tags, isRetagged });
  }
  return { refused, changes };
};

const writeTags = async (tx: Database, changes: readonly Change[], { add_tags = [], remove_tags = [] }: Changes) => {
  const removed = new Set(remove_tags.map(tagKey));
  const retagged = changes.filter(({ isRetagged }) => isRetagged);
  const names = new Set(retagged.flatMap(({ tags }) => tags.map(({ name }) => name)));
  const lost = [...names].filter((name) => removed.has(tagKey(name)));
  for (const [teamId, theirs] of Map.groupBy(retagged, ({ monitor }) => monitor.teamId)) {
    const ids = theirs.map(({ monitor }) => monitor.id);
    if (lost.length > 0) await tx.rows(removeTags(teamId, "monitor", ids, lost));
    const targets = ids.map((id) => ({ id, tags: add_tags }));
    if (theirs[0]) await addTags(tx, { owner: ownerOf(theirs[0].monitor), type: "monitor" }, targets);
  }
};

const writeChanges = async (tx: Database, { deps, viewer }: Context, changes: readonly Change[], set: Changes) => {
  const { channels } = set;
  const now = deps.clock.now();
  const updates = changes
    .filter(({ monitor, after }) => !Bun.deepEquals(monitor, after))
    .map(({ monitor, after }) => ({ monitor, after, ...planUpdate(monitor, after, now) }));
  for (const { statements } of updates) await tx.atomically(statements);
  await report(
    { ...deps, db: tx },
    "monitor",
    updates.flatMap(({ ended }) => ended),
  );
  await writeTags(tx, changes, set);
  const ids = changes.map(({ monitor }) => monitor.id);
  if (channels !== undefined && changes.length > 0)
    await tx.atomically((build) => [saveChannelsOf(build, madeBy(viewer), ids, channels)]);
  return updates;
};

/** The changes for the log. Which channels a monitor had before is not read. */
const changesOf = (changes: readonly Change[], { add_tags = [], remove_tags = [], channels }: Changes) => {
  const removed = new Set(remove_tags.map(tagKey));
  return changes.map(({ monitor, after, tags, isRetagged }) => {
    const left = tags.filter(
      ({ name }) => !removed.has(tagKey(name)) && !add_tags.some((tag) => tagKey(tag.name) === tagKey(name)),
    );
    return monitorChange(monitor, after, {
      before: { ...(isRetagged && { tags: tagsText(tags) }) },
      after: {
        ...(isRetagged && { tags: tagsText([...left, ...add_tags]) }),
        ...(channels !== undefined && { channels: { channels } }),
      },
    });
  });
};

/** Deletes at most 200 monitors, or sets the same of them. */
const changeAll = (context: Context, chosen: SQL, { action, set: sent, dryRun }: Bulk, joined: Heads): Promise<Done> =>
  context.deps.db.transact(async (tx) => {
    const log = (changes: LoggedChange[]) =>
      recordChanges({ ...context.deps, db: tx }, context.viewer, dryRun ? [] : changes, joined);
    if (!dryRun) await lock(tx, lockRows(states, states.monitorId, inArray(states.monitorId, chosen)));
    const chosenMonitors = await readMonitors(tx, chosen);
    if (action === "delete") {
      if (!dryRun) await deleteAll(tx, chosen);
      const heads = await log(chosenMonitors.map((monitor) => monitorEvent("deleted", monitor)));
      return { found: chosenMonitors, changed: chosenMonitors.length, refused: [], heads };
    }
    const set = sent ?? { active: action === "resume" };
    const { refused, changes } = await planChanges(tx, context, chosenMonitors, set);
    const updates = dryRun ? [] : await writeChanges(tx, context, changes, set);
    const heads = await log(changesOf(changes, set));
    return { found: chosenMonitors, changed: changes.length, refused, updates, heads };
  });

/** Continues with the checks of monitors that were updated or deleted. */
const continueChecks = ({ deps, engine }: Context, { found, updates = [] }: Done): void => {
  for (const { id } of found) deps.changedMonitors.add(id);
  for (const { monitor, after, restart } of updates) if (restart) engine.restart(monitor.id, after.active);
  void engine.tick();
};

/** @throws {AppError} too_many_tags; validation for unknown channels */
const checkChanges = async ({ deps, viewer }: Context, ids: readonly number[], set: BulkChanges): Promise<void> => {
  if (set.channels) await assertOwnChannels(deps, viewer, set.channels);
  if (!set.add_tags) return;
  const visible = and(isOneOf(monitors.id, ids), visibleTo(monitors, within(viewer, "edit")));
  const { userId, teamId } = monitors;
  const owners = await deps.db.select({ userId, teamId }).from(monitors).where(visible).groupBy(userId, teamId);
  for (const owner of owners) await missingTags(deps, owner, set.add_tags);
};

/** Why monitors that a viewer may not change are left out. */
const refuseOthers = async ({ deps, viewer }: Context, ids: readonly number[]): Promise<Refused[]> => {
  const seen = and(isOneOf(monitors.id, ids), visibleTo(monitors, viewer));
  const rows = ids.length === 0 ? [] : await deps.db.select({ id: monitors.id }).from(monitors).where(seen);
  const visible = new Set(rows.map(({ id }) => id));
  return ids.map((id) => ({ id, code: visible.has(id) ? "role_insufficient" : "not_found" }));
};

/**
 * Does to many monitors what one call asks for, or only counts them for a dry run.
 * @throws {AppError} too_many_matches, too_many_tags, validation
 */
export const changeMany = async (context: Context, bulk: Bulk): Promise<BulkResult> => {
  const ids = await findIds(context, bulk);
  if (bulk.set) await checkChanges(context, ids, bulk.set);
  const result: BulkResult = { ids: [], matched: 0, changed: 0, refused: [] };
  let heads: Heads = new Map();
  for (let start = 0; start < ids.length; start += BULK_LIMITS.atOnce) {
    const wanted = ids.slice(start, start + BULK_LIMITS.atOnce);
    const editable = and(isOneOf(monitors.id, wanted), visibleTo(monitors, within(context.viewer, "edit")));
    const chosen = sql`(select ${monitors.id} from ${monitors} where ${editable})`;
    const isCheck = bulk.action === "check";
    const done = isCheck ? await checkAll(context, chosen, bulk.dryRun) : await changeAll(context, chosen, bulk, heads);
    heads = done.heads ?? heads;
    if (!isCheck && !bulk.dryRun) continueChecks(context, done);
    const matched = new Set(done.found.map(({ id }) => id));
    const left = wanted.filter((id) => !matched.has(id));
    result.ids.push(...matched);
    result.matched += matched.size;
    result.changed += done.changed;
    result.refused.push(...(await refuseOthers(context, left)), ...done.refused);
    // With SQLite a transaction never yields, so other requests are answered between two of them.
    await setImmediate();
  }
  return result;
};
