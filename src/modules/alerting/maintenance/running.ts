/** Which targets are in maintenance when, by the windows of their teams. */
import { type Static, Type } from "@sinclair/typebox";
import { and, gt, isNull, or, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { maintenanceWindows } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { Interval } from "../../../lib/intervals";
import { isoTime } from "../../../lib/time";
import { object, time } from "../../../server/answers";
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

/** The windows of some teams that are not over at a time. */
const readWindows = ({ db }: Store, teamIds: readonly number[], time: number): Promise<WindowRow[]> =>
  db
    .select()
    .from(maintenanceWindows)
    .where(and(isOneOf(maintenanceWindows.teamId, teamIds), isNotOver(time)));

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

/** The times in a span that uptimes leave out because of maintenance, for each of these targets that has any. */
export const readLeftOut = async (
  store: Store,
  { type, ids }: { type: TargetType; ids: readonly number[] },
  span: Interval,
): Promise<Map<number, Interval[]>> => {
  const counts = and(sql`not ${maintenanceWindows.counted}`, isNotOver(span.from));
  const rows = await store.db.rows(sql`select t.id, t.team_id from ${viewOf(type).table} as t
    where exists (select 1 from ${maintenanceWindows}) and ${isOneOf(sql.raw("t.id"), ids)}
      and t.team_id in (select team_id from ${maintenanceWindows} where ${counts})`);
  if (rows.length === 0) return new Map();
  const targets = rows.map((row) => ({ type, id: Number(row.id), teamId: Number(row.team_id) }));
  const teams = [...new Set(targets.map(({ teamId }) => teamId))];
  const windows = (await readWindows(store, teams, span.from)).filter(({ counted }) => !counted);
  const covering = await readCovering(store, windows, targets);
  const times = new Map(windows.map((window) => [window.id, occurrencesBetween(window, span, MAX_OCCURRENCES)]));
  return new Map(
    targets.flatMap((target) => {
      const own = covering(target).flatMap(({ id }) => times.get(id) ?? []);
      return own.length > 0 ? [[target.id, own] as const] : [];
    }),
  );
};

/** An occurrence of a window, and those of some targets that it is about. */
type Scheduled = Interval & { title: string; windowId: number; monitors: number[]; agents: number[] };

/** The occurrences in a span of the windows of a team that are about any of these targets, the earliest first. */
export const readScheduled = async (
  store: Store,
  teamId: number,
  ids: { monitors: readonly number[]; agents: readonly number[] },
  span: Interval,
): Promise<Scheduled[]> => {
  const windows = await readWindows(store, [teamId], span.from);
  if (windows.length === 0) return [];
  const targets = [
    ...ids.monitors.map((id) => ({ teamId, type: "monitor" as const, id })),
    ...ids.agents.map((id) => ({ teamId, type: "agent" as const, id })),
  ];
  const covering = await readCovering(store, windows, targets);
  const byWindow = new Map(windows.map((window): [number, Target[]] => [window.id, []]));
  for (const target of targets) for (const { id } of covering(target)) byWindow.get(id)?.push(target);
  return windows
    .flatMap((window) => {
      const covered = byWindow.get(window.id) ?? [];
      if (covered.length === 0) return [];
      const idsOf = (type: TargetType) => covered.flatMap((target) => (target.type === type ? [target.id] : []));
      const shown = { windowId: window.id, title: window.title, monitors: idsOf("monitor"), agents: idsOf("agent") };
      return occurrencesBetween(window, span).map(({ from, to }) => ({ ...shown, from, to }));
    })
    .sort((one, other) => one.from - other.from || one.windowId - other.windowId);
};
