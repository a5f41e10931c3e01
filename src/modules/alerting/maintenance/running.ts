/** Which targets are in maintenance when, by the windows of their teams. */
import { type Static, Type } from "@sinclair/typebox";
import { and, gt, isNull, lte, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { maintenanceWindows } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { type Interval, mergeIntervals } from "../../../lib/intervals";
import { isoTime } from "../../../lib/time";
import { component, list, object, text, time } from "../../../server/answers";
import { DAY, MINUTE, SECOND } from "../../../shared/limits";
import type { TargetType } from "../../../shared/notifications";
import { type Tag, tagKey } from "../../../shared/tags";
import { parseTagFilter } from "../../tags/model";
import { readTags } from "../../tags/service";
import { viewOf } from "../targets";
import { LONGEST, occurrence, occurrencesBetween } from "./schedule/schedule";

/** The field of a monitor, server or problem. */
export const maintenanceField = Type.Union(
  [object({ until: time("When it ends.", "2026-01-15T13:20:00.000Z") }), Type.Null()],
  {
    description: "Until when maintenance withholds its alerts; null unless it is in a maintenance window.",
    examples: [null],
  },
);

export const presentMaintenance = (until: number | null): Static<typeof maintenanceField> =>
  until === null ? null : { until: isoTime(until) };

type Store = Pick<Deps, "db">;
export type WindowRow = typeof maintenanceWindows.$inferSelect;
type Target = { teamId: number; type: TargetType; id: number };

/** The condition that a window is not over at a time. */
export const isNotOver = (time: number) => or(isNull(maintenanceWindows.overAt), gt(maintenanceWindows.overAt, time));

/** The condition that the team of a row has a window that is not over at a time. */
export const mayBeInMaintenance = (teamId: SQLWrapper, time: number): SQL =>
  sql`${teamId} in (select ${maintenanceWindows.teamId} from ${maintenanceWindows} where ${isNotOver(time)})`;

/** The windows of some teams that are not over at a time. */
const readWindows = ({ db }: Store, teamIds: readonly number[], time: number, condition?: SQL): Promise<WindowRow[]> =>
  db
    .select()
    .from(maintenanceWindows)
    .where(and(isOneOf(maintenanceWindows.teamId, teamIds), isNotOver(time), condition));

/** Whether a window is about a target with these tags. */
const covers = ({ teamId, targets }: WindowRow, target: Target, tags: readonly Tag[]): boolean => {
  if (teamId !== target.teamId) return false;
  if (targets.all || targets[target.type === "monitor" ? "monitors" : "agents"].includes(target.id)) return true;
  return parseTagFilter(targets.tags).some(({ name, value }) =>
    tags.some((tag) => tagKey(tag.name) === tagKey(name) && (value === "" || tag.value === value)),
  );
};

/** Reads which of these windows are about each of some targets of one type. */
const readCovering = async (store: Store, windows: readonly WindowRow[], targets: readonly Target[]) => {
  const byTeam = Map.groupBy(windows, ({ teamId }) => teamId);
  const hasTags = windows.some((window) => window.targets.tags.length > 0);
  const tagsOf = async (type: TargetType) => {
    const ids = targets.filter((target) => target.type === type).map(({ id }) => id);
    return hasTags ? readTags(store, type, ids) : new Map<number, Tag[]>();
  };
  const tags = { monitor: await tagsOf("monitor"), agent: await tagsOf("agent") };
  return (target: Target): WindowRow[] =>
    (byTeam.get(target.teamId) ?? []).filter((window) =>
      covers(window, target, tags[target.type].get(target.id) ?? []),
    );
};

/** When the maintenance at a time ends: windows that overlap or touch are one. Null without one. */
const endOf = (windows: readonly WindowRow[], time: number): number | null => {
  let end: number | null = null;
  for (let at = time; at <= time + LONGEST; ) {
    const later = windows.flatMap((window) => occurrence(window, at)?.to ?? []);
    if (later.length === 0) return end;
    end = at = Math.max(...later);
  }
  return end;
};

/** Reads until when targets are in maintenance: a function of a target and a time, at or after `from`; null where it is not. */
export const readMaintenance = async (store: Store, targets: readonly Target[], from: number) => {
  const windows =
    targets.length > 0 ? await readWindows(store, [...new Set(targets.map(({ teamId }) => teamId))], from) : [];
  if (windows.length === 0) return () => null;
  const covering = await readCovering(store, windows, targets);
  return (target: Target, time: number): number | null => endOf(covering(target), time);
};

/** Occurrences of one window that are read at most: one an hour for a year. */
const MAX_OCCURRENCES = 9000;

/** A time in a window, with the title of the window. */
type MaintenanceTime = Interval & { title: string };
type Wanted = { type: TargetType; ids: readonly number[] };

/** The times of windows that fulfil a condition, for each of these targets that has any in a span. */
const readTimes = async (
  store: Store,
  { type, ids }: Wanted,
  span: Interval,
  condition = sql`true`,
): Promise<Map<number, MaintenanceTime[]>> => {
  const counts = and(condition, isNotOver(span.from));
  const rows = await store.db.rows(sql`select t.id, t.team_id from ${viewOf(type).table} as t
    where exists (select 1 from ${maintenanceWindows}) and ${isOneOf(sql.raw("t.id"), ids)}
      and t.team_id in (select team_id from ${maintenanceWindows} where ${counts})`);
  if (rows.length === 0) return new Map();
  const targets = rows.map((row) => ({ type, id: Number(row.id), teamId: Number(row.team_id) }));
  const teams = [...new Set(targets.map(({ teamId }) => teamId))];
  const windows = await readWindows(store, teams, span.from, condition);
  const covering = await readCovering(store, windows, targets);
  const timesOf = (window: WindowRow): MaintenanceTime[] =>
    occurrencesBetween(window, span, MAX_OCCURRENCES).map(({ from, to }) => ({ from, to, title: window.title }));
  const times = new Map(windows.map((window) => [window.id, timesOf(window)]));
  return new Map(
    targets.flatMap((target) => {
      const own = covering(target).flatMap(({ id }) => times.get(id) ?? []);
      return own.length > 0 ? [[target.id, own] as const] : [];
    }),
  );
};

/** The times in a span that uptimes leave out because of maintenance, for each of these targets that has any. */
export const readLeftOut = (store: Store, wanted: Wanted, span: Interval): Promise<Map<number, Interval[]>> =>
  readTimes(store, wanted, span, sql`not ${maintenanceWindows.counted}`);

/**
 * The maintenance of each of these targets that has any in a span, the oldest first. Times that overlap are one, with the title
 * of the first; those that last end in the future.
 */
export const readMaintenanceTimes = async (
  store: Store,
  wanted: Wanted,
  span: Interval,
): Promise<Map<number, MaintenanceTime[]>> => {
  const times = await readTimes(store, wanted, span);
  return new Map(
    [...times].map(([id, own]) => {
      const ordered = own.toSorted((one, other) => one.from - other.from);
      const titleAt = (time: number) => ordered.find(({ from, to }) => from <= time && time < to)?.title ?? "";
      return [id, mergeIntervals(own).map((time) => ({ ...time, title: titleAt(time.from) }))];
    }),
  );
};

export const MaintenanceSpan = component("MaintenanceSpan", {
  from: time("When it began."),
  to: time("When it ended, or will end.", "2026-01-15T13:20:00.000Z"),
  title: text("The title of its window; may be empty.", "Database upgrade"),
});

/** The field of an answer about a span. */
export const maintenanceTimesField = list(MaintenanceSpan, "Its maintenance in the span, oldest first.");

export const presentMaintenanceTimes = (
  times: readonly MaintenanceTime[] | undefined,
): Static<typeof MaintenanceSpan>[] =>
  (times ?? []).map(({ from, to, title }) => ({ from: isoTime(from), to: isoTime(to), title }));

/** When the maintenance of a monitor ends, and its maintenance in the time of its latest checks. */
export type ListedMaintenance = { until: number | null; times: readonly MaintenanceTime[] };

/** The fields of a monitor. */
export const listedFields = {
  maintenance: maintenanceField,
  maintenance_times: Type.Optional(maintenanceTimesField),
};

export const presentListed = ({ until, times }: ListedMaintenance) => ({
  maintenance: presentMaintenance(until),
  ...(times.length > 0 && { maintenance_times: presentMaintenanceTimes(times) }),
});

/** Checks that a bar shows, with some more for those that were late, and the longest time that they are sought for. */
const [SHOWN_CHECKS, LONGEST_HISTORY] = [45, 90 * DAY];

/** Reads the maintenance of monitors in the time of the checks that lists show. */
export const readRecentMaintenance = (
  store: Store,
  monitors: readonly { id: number; interval: number }[],
  now: number,
): Promise<Map<number, MaintenanceTime[]>> => {
  const longest = monitors.reduce((most, { interval }) => Math.max(most, interval), 0);
  const from = now - Math.min(LONGEST_HISTORY, Math.max(DAY, SHOWN_CHECKS * longest * SECOND));
  return readMaintenanceTimes(store, { type: "monitor", ids: monitors.map(({ id }) => id) }, { from, to: now + 1 });
};

/** An occurrence of a window, with the ids and tags of the given targets that it is about. */
export type Scheduled = MaintenanceTime & {
  windowId: number;
  /** Its start by the schedule alone. With the window it identifies the occurrence, also after changes while it runs. */
  scheduled: number;
  /** When the window was entered and last changed. */
  createdAt: number;
  updatedAt: number;
  monitors: number[];
  agents: number[];
  tags: string[];
  /** Whether it takes place once, and was entered a while before. */
  planned: boolean;
};

/** How long before its beginning maintenance is entered that counts as planned. */
const PLANNED_AHEAD = 15 * MINUTE;

/** What windows were until they were changed, as far as these changes may have divided an occurrence that a span begins in. */
const readFormer = async ({ db }: Store, windows: readonly WindowRow[], { from }: Interval): Promise<WindowRow[]> => {
  const divided = windows.filter((window) => {
    const [first] = occurrencesBetween(window, { from, to: from + LONGEST }, 1);
    return first && first.from > first.scheduled;
  });
  if (divided.length === 0) return [];
  const isOfThese = isOneOf(
    maintenanceWindows.formerOf,
    divided.map(({ id, formerOf }) => formerOf ?? id),
  );
  const { overAt } = maintenanceWindows;
  return db
    .select()
    .from(maintenanceWindows)
    .where(and(isOfThese, lte(overAt, from), gt(overAt, from - LONGEST)));
};

/** Occurrences of one window, the earliest first, where a change while one ran has not made two of it. */
const joinChanged = (occurrences: readonly Scheduled[]): Scheduled[] => {
  const joined: Scheduled[] = [];
  for (const one of occurrences) {
    const last = joined.at(-1);
    const goesOn = last?.to === one.from && one.from > one.scheduled;
    if (last && (goesOn || last.scheduled === one.scheduled)) {
      const { from, scheduled, planned } = last;
      joined[joined.length - 1] = { ...one, from, scheduled, planned };
    } else joined.push(one);
  }
  return joined;
};

/**
 * The occurrences in a span of the windows of a team that are about any of these targets or tags, the earliest first; at most
 * `most` of each window. A window is about a tag if it names it, also while nothing has the tag.
 */
export const readScheduled = async (
  store: Store,
  teamId: number,
  ids: { monitors: readonly number[]; agents: readonly number[]; tags?: readonly string[] },
  { most, ...span }: Interval & { most?: number },
): Promise<Scheduled[]> => {
  const found = await readWindows(store, [teamId], span.from);
  if (found.length === 0) return [];
  const former = await readFormer(store, found, span);
  const windows = [...former, ...found];
  const targets = [
    ...ids.monitors.map((id) => ({ teamId, type: "monitor" as const, id })),
    ...ids.agents.map((id) => ({ teamId, type: "agent" as const, id })),
  ];
  const covering = await readCovering(store, windows, targets);
  const byWindow = new Map(windows.map((window): [number, Target[]] => [window.id, []]));
  for (const target of targets) for (const { id } of covering(target)) byWindow.get(id)?.push(target);
  const occurrences = windows.flatMap((window) => {
    const covered = byWindow.get(window.id) ?? [];
    const named = new Set(window.targets.tags);
    const tags = (ids.tags ?? []).filter((tag) => named.has(tag));
    if (covered.length + tags.length === 0) return [];
    const idsOf = (type: TargetType) => covered.flatMap((target) => (target.type === type ? [target.id] : []));
    const { schedule, createdAt, updatedAt, title } = window;
    const planned = schedule.kind === "once" && schedule.from - createdAt >= PLANNED_AHEAD;
    const targets = { monitors: idsOf("monitor"), agents: idsOf("agent") };
    const shown = { windowId: window.formerOf ?? window.id, title, ...targets, tags, planned, createdAt, updatedAt };
    const within = former.includes(window) ? { from: span.from - LONGEST, to: span.to } : span;
    return occurrencesBetween(window, within, most).map((one) => ({ ...shown, ...one }));
  });
  const ordered = occurrences.sort((one, other) => one.from - other.from || one.windowId - other.windowId);
  return [...Map.groupBy(ordered, ({ windowId }) => windowId).values()]
    .flatMap(joinChanged)
    .filter(({ to }) => to > span.from)
    .sort((one, other) => one.from - other.from || one.windowId - other.windowId);
};
