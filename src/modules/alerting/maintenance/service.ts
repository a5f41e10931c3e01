/** Maintenance windows of a team: created, changed, ended and deleted. */
import { and, asc, desc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, type FieldError, notFound, validation } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { madeBy, ownedBy, type Viewer } from "../../../db/owner";
import { maintenanceWindows } from "../../../db/schema";
import { isOneOf, lock, lockAlerts } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { DAY, MINUTE } from "../../../shared/limits";
import type { TargetType } from "../../../shared/notifications";
import { WINDOW_LIMITS, type WindowSchedule, type WindowTargets } from "../../../shared/outages/maintenance";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { viewOf } from "../targets";
import { renewTeamHolds } from "./holds";
import { parseSchedule, parseTargets, type StartBody, type WindowBody } from "./model";
import { presentOccurrence, presentWindow } from "./present";
import { isNotOver, type WindowRow } from "./running";
import { LONGEST, occurrence, occurrencesBetween } from "./schedule/schedule";

type Store = Pick<Deps, "db" | "clock" | "log">;
type Caller = Viewer & { timeZone?: string | null };
/** The fields of a window in a request. */
export type WindowInput = Pick<WindowRow, "title" | "targets" | "schedule" | "counted">;

/** Windows of a team that are over, at most: in a list, and in the table. */
const [LISTED_PAST, KEPT_PAST] = [50, 2000];
/** Ends of occurrences by calls that a window keeps: the latest. */
const KEPT_ENDS = 500;

const isListed = (teamId: number) => and(ownedBy(maintenanceWindows, teamId), isNull(maintenanceWindows.formerOf));

/** The ids among these that a team has, with the names. */
const readExisting = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  type: TargetType,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db.rows(sql`select t.id, t.name from ${viewOf(type).table} as t
    where t.team_id = ${teamId} and ${isOneOf(sql.raw("t.id"), ids)}`);
  return new Map(rows.map((row) => [Number(row.id), String(row.name)]));
};

const FIELDS = [
  ["monitors", "monitor"],
  ["agents", "agent"],
] as const;

/** Windows without the targets that were deleted or moved since, and the targets that they name. */
const readNamed = async (store: Store, teamId: number, rows: readonly WindowRow[]) => {
  const existing = { monitors: new Map<number, string>(), agents: new Map<number, string>() };
  for (const [name, type] of FIELDS) {
    const ids = new Set(rows.flatMap(({ targets }) => targets[name]));
    existing[name] = await readExisting(store, teamId, type, [...ids]);
  }
  const windows = rows.map((row): WindowRow => {
    const [monitors, agents] = FIELDS.map(([name]) => row.targets[name].filter((id) => existing[name].has(id)));
    return { ...row, targets: { ...row.targets, monitors: monitors ?? [], agents: agents ?? [] } };
  });
  const targets = FIELDS.flatMap(([field, type]) => [...existing[field]].map(([id, name]) => ({ type, id, name })));
  return { windows, targets };
};

/** Windows without the targets that were deleted or moved since. */
const withExisting = async (store: Store, teamId: number, rows: readonly WindowRow[]): Promise<WindowRow[]> =>
  (await readNamed(store, teamId, rows)).windows;

/** @throws {AppError} validation when a team has no such monitor or server, as if it did not exist */
const requireTargets = async (store: Store, teamId: number, targets: WindowTargets): Promise<void> => {
  const unknown: FieldError[] = [];
  for (const [name, type] of FIELDS) {
    const existing = await readExisting(store, teamId, type, targets[name]);
    for (const [index, id] of targets[name].entries())
      if (!existing.has(id))
        unknown.push({ path: `${name}.${index}`, message: `${name}.${index}: there is no ${type} ${id}` });
  }
  if (unknown.length > 0) throw validation(unknown.slice(0, 10));
};

/** Runs a change of a team's windows, and adapts what the planning of alerts holds because of them. */
const changing = <T>(store: Store, viewer: Viewer, change: (within: Store, now: number) => Promise<T>): Promise<T> =>
  store.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(viewer));
    await lock(tx, lockAlerts);
    const now = store.clock.now();
    const result = await change({ ...store, db: tx }, now);
    await renewTeamHolds(tx, viewer.teamId, now);
    return result;
  });

/** A window in the log of changes. */
const logged = ({ id, title, teamId }: WindowRow) => ({ object: { type: "window" as const, id, name: title }, teamId });

/** The fields of a window, with the names of its targets. */
const factsOf = async (store: Store, teamId: number, { title, targets, schedule, counted }: WindowInput) => {
  const named = async (type: TargetType, ids: number[]) =>
    [...(await readExisting(store, teamId, type, ids)).values()].sort();
  const [monitors, agents] = [await named("monitor", targets.monitors), await named("agent", targets.agents)];
  return { title, ...targets, monitors, agents, schedule, counted };
};

/** Creates a window within a change. @throws {AppError} validation, too_many_windows */
const create = async (within: Store, caller: Viewer, input: WindowInput, now: number) => {
  await requireTargets(within, caller.teamId, input.targets);
  const row = await insertWindow(within.db, caller, input, now);
  const after = await factsOf(within, caller.teamId, input);
  await recordChange(within, caller, { action: "created", ...logged(row), after });
  return presentOne(within, row);
};

const overAtOf = (schedule: WindowSchedule): number | null =>
  schedule.kind === "once" ? schedule.to : schedule.kind === "open" ? schedule.from + LONGEST : null;

export const isOverAt = (schedule: WindowSchedule, time: number): boolean =>
  (overAtOf(schedule) ?? Number.POSITIVE_INFINITY) <= time;

/** Deletes the oldest windows that are over beyond those that are kept. */
const trimPast = async (tx: Database, teamId: number, now: number): Promise<void> => {
  const past = and(ownedBy(maintenanceWindows, teamId), lte(maintenanceWindows.overAt, now));
  const [last] = await tx
    .select({ at: maintenanceWindows.overAt })
    .from(maintenanceWindows)
    .where(past)
    .orderBy(desc(maintenanceWindows.overAt))
    .limit(1)
    .offset(KEPT_PAST);
  if (last?.at != null) await tx.delete(maintenanceWindows).where(and(past, lte(maintenanceWindows.overAt, last.at)));
};

/** Inserts a window within a transaction that has locked its owner. @throws {AppError} too_many_windows */
export const insertWindow = async (
  tx: Database,
  viewer: Viewer,
  input: WindowInput,
  now: number,
): Promise<WindowRow> => {
  await trimPast(tx, viewer.teamId, now);
  const open = and(isListed(viewer.teamId), isNotOver(now));
  if ((await tx.$count(maintenanceWindows, open)) >= WINDOW_LIMITS.windows)
    throw new AppError("too_many_windows", { limit: WINDOW_LIMITS.windows });
  const times = { validFrom: now, overAt: overAtOf(input.schedule), ends: [], createdAt: now, updatedAt: now };
  const [row] = await tx
    .insert(maintenanceWindows)
    .values({ ...madeBy(viewer), ...input, ...times, formerOf: null })
    .returning();
  return row as WindowRow;
};

/** @throws {AppError} validation */
const inputOf = (caller: Caller, body: WindowBody): WindowInput => ({
  title: body.title,
  targets: parseTargets(body),
  schedule: parseSchedule(body.schedule, caller.timeZone ?? "UTC"),
  counted: body.counted ?? false,
});

/** The rows of a team that are not over, by their age. */
const readOpenRows = ({ db, clock }: Store, teamId: number): Promise<WindowRow[]> =>
  db
    .select()
    .from(maintenanceWindows)
    .where(and(isListed(teamId), isNotOver(clock.now())))
    .orderBy(asc(maintenanceWindows.id));

/** The windows of a team that are not over, by their age. */
export const readOpenWindows = async (store: Store, teamId: number): Promise<WindowRow[]> =>
  withExisting(store, teamId, await readOpenRows(store, teamId));

/** The windows of a team that are not over, the next one first, the latest that are, and the names of their targets. */
export const listWindows = async (store: Store, { teamId }: Pick<Viewer, "teamId">) => {
  const now = store.clock.now();
  const { overAt } = maintenanceWindows;
  const over = await store.db
    .select()
    .from(maintenanceWindows)
    .where(and(isListed(teamId), lte(overAt, now)))
    .orderBy(desc(overAt))
    .limit(LISTED_PAST);
  const startOf = ({ current, next }: ReturnType<typeof presentWindow>) => current?.from ?? next?.from ?? "9";
  const open = await readOpenRows(store, teamId);
  const named = await readNamed(store, teamId, [...open, ...over]);
  const all = named.windows.map((row) => presentWindow(row, now));
  const windows = all.slice(0, open.length).sort((one, other) => (startOf(one) < startOf(other) ? -1 : 1));
  return { windows, past: all.slice(open.length), targets: named.targets };
};

/** @throws {AppError} not_found, also for another team's */
const findWindow = async ({ db }: Store, teamId: number, windowId: number): Promise<WindowRow> => {
  const [row] = await db
    .select()
    .from(maintenanceWindows)
    .where(and(eq(maintenanceWindows.id, windowId), isListed(teamId)));
  if (!row) throw notFound("Maintenance window");
  return row;
};

const presentOne = async (store: Store, row: WindowRow) => {
  const [known = row] = await withExisting(store, row.teamId, [row]);
  return presentWindow(known, store.clock.now());
};

/** @throws {AppError} not_found */
export const readWindow = async (store: Store, { teamId }: Viewer, windowId: number) =>
  presentOne(store, await findWindow(store, teamId, windowId));

/** Occurrences of a preview. */
const PREVIEWED = 5;

/** The next occurrences of a schedule that is not saved yet, the present one included. @throws {AppError} validation */
export const previewSchedule = ({ clock }: Store, { timeZone }: Caller, sent: WindowBody["schedule"]) => {
  const now = clock.now();
  const schedule = parseSchedule(sent, timeZone ?? "UTC");
  const window = { schedule, validFrom: now, overAt: overAtOf(schedule), ends: [] };
  return occurrencesBetween(window, { from: now, to: Number.POSITIVE_INFINITY }, PREVIEWED).map(presentOccurrence);
};

/** @throws {AppError} validation, too_many_windows */
export const createWindow = (store: Store, caller: Caller, body: WindowBody) =>
  changing(store, caller, (within, now) => create(within, caller, inputOf(caller, body), now));

/** @throws {AppError} validation, too_many_windows */
export const startWindow = (store: Store, caller: Caller, body: StartBody) =>
  changing(store, caller, (within, now) => {
    const schedule = { kind: "once", from: now, to: now + body.minutes * MINUTE } as const;
    const input = { title: body.title ?? "", targets: parseTargets(body), schedule, counted: false };
    return create(within, caller, input, now);
  });

const isOf = (row: WindowRow) => eq(maintenanceWindows.id, row.id);
const hasBegun = (row: WindowRow, now: number): boolean =>
  occurrencesBetween(row, { from: row.validFrom, to: now }, 1).length > 0;
const overBy = ({ overAt }: WindowRow, now: number): number => Math.min(overAt ?? now, now);

/**
 * Replaces a window. Its occurrences until now stay as they were in uptimes.
 * @throws {AppError} not_found, validation
 */
export const updateWindow = (store: Store, caller: Caller, windowId: number, body: WindowBody) =>
  changing(store, caller, async (within, now) => {
    const row = await findWindow(within, caller.teamId, windowId);
    const input = inputOf(caller, body);
    const kept = new Set([...row.targets.monitors, ...row.targets.agents]);
    const added = (list: readonly number[]) => list.filter((id) => !kept.has(id));
    const { monitors, agents } = input.targets;
    await requireTargets(within, caller.teamId, { ...input.targets, monitors: added(monitors), agents: added(agents) });
    const { id, ...former } = row;
    if (hasBegun(row, now))
      await within.db.insert(maintenanceWindows).values({ ...former, overAt: overBy(row, now), formerOf: id });
    const times = { validFrom: now, overAt: overAtOf(input.schedule), updatedAt: now };
    const [changed] = await within.db
      .update(maintenanceWindows)
      .set({ ...input, ...times })
      .where(isOf(row))
      .returning();
    const before = await factsOf(within, caller.teamId, row);
    const after = await factsOf(within, caller.teamId, input);
    await recordChange(within, caller, { action: "changed", ...logged(changed as WindowRow), before, after });
    return presentOne(within, changed as WindowRow);
  });

/**
 * Ends the occurrence of a window that is running. Returns whether there was one.
 * @throws {AppError} not_found
 */
export const endWindow = (store: Store, caller: Viewer, windowId: number): Promise<boolean> =>
  changing(store, caller, async (within, now) => {
    const row = await findWindow(within, caller.teamId, windowId);
    const running = occurrence(row, now);
    if (!running) return false;
    const ends = [...row.ends.slice(1 - KEPT_ENDS), [running.scheduled, now] satisfies [number, number]];
    const ended = row.overAt === null ? { ends } : { overAt: now };
    await within.db
      .update(maintenanceWindows)
      .set({ ...ended, updatedAt: now })
      .where(isOf(row));
    await recordChange(within, caller, { action: "changed", ...logged(row), after: { endedAt: isoTime(now) } });
    return true;
  });

/** Deletes a window, whose occurrences until now stay in uptimes. @throws {AppError} not_found */
export const deleteWindow = (store: Store, caller: Viewer, windowId: number): Promise<void> =>
  changing(store, caller, async (within, now) => {
    const row = await findWindow(within, caller.teamId, windowId);
    await recordChange(within, caller, { action: "deleted", ...logged(row) });
    if (!hasBegun(row, now)) await within.db.delete(maintenanceWindows).where(isOf(row));
    else
      await within.db
        .update(maintenanceWindows)
        .set({ overAt: overBy(row, now), formerOf: row.id, updatedAt: now })
        .where(isOf(row));
  });

/** Deletes windows that are over for as long as uptimes are known. */
export const purgeWindows = async ({ db, clock, config }: Pick<Deps, "db" | "clock" | "config">): Promise<void> => {
  const oldest = clock.now() - config.retention.hourDays * DAY;
  await db.delete(maintenanceWindows).where(lte(maintenanceWindows.overAt, oldest));
};
