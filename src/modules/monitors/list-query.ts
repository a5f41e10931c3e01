import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { memberOf, teamsOf, type Viewer, visibleTo, within } from "../../db/owner";
import { monitors, outages, monitorStates as states } from "../../db/schema";
import { containsText, inByteOrder } from "../../db/sql";
import { SECOND } from "../../shared/limits";
import type { WantedTag } from "../tags/model";
import { hasTags } from "../tags/service";
import { isUnknown } from "./heartbeats/unknown";
import { isMostlySlowSql } from "./history/slow";
import { readUptime } from "./history/uptime";
import type { MonitorSort } from "./model";
import type { MonitorStatus } from "./present";

/** The monitors of a list and their order. */
export type ListQuery = {
  /** Leaves out other users' monitors, which administrators see. */
  mine?: unknown;
  search?: string;
  status?: string;
  tags?: readonly WantedTag[];
  /** By creation unless given. */
  sort?: MonitorSort;
  order?: "asc" | "desc";
};

export const statusOf = sql<MonitorStatus>`case when not ${monitors.active} then 'paused'
  when ${states.status} = 'up' and ${isMostlySlowSql(states.slowBits)} then 'degraded' else ${states.status} end`;

/** The open outage that a list shows of a monitor: that it is down, or else that it is slow. */
export const isShownOutage = sql`${outages.targetType} = 'monitor' and ${outages.targetId} = ${monitors.id}
  and ${outages.kind} = case when ${states.status} = 'down' then 'down' else 'slow' end and ${outages.endedAt} is null`;

const urgency = sql`case ${statusOf} when 'down' then 0 when 'degraded' then 1 when 'pending' then 2 when 'up' then 3 else 4 end`;

type Known = Pick<Deps, "clock" | "watching">;

/** The condition for a status of the filter. Degraded monitors are up, too. */
const isIn = (deps: Known, status: string): SQL | undefined => {
  if (status === "active") return eq(monitors.active, true);
  if (status === "unknown") return isUnknown(deps);
  return status === "up" ? and(eq(monitors.active, true), eq(states.status, status)) : eq(statusOf, status);
};

/** The condition that a viewer sees a monitor, and a query selects it. */
export const conditionOf = (deps: Known, viewer: Viewer, { mine, search, status, tags = [] }: ListQuery): SQL => {
  const term = search?.trim();
  return (
    and(
      visibleTo(monitors, viewer),
      mine === undefined ? undefined : memberOf(monitors, viewer),
      // A search in targets would reveal their secrets character by character.
      term
        ? or(
            containsText(monitors.name, term),
            viewer.reads
              ? undefined
              : and(visibleTo(monitors, within(viewer, "edit")), containsText(monitors.target, term)),
          )
        : undefined,
      status ? isIn(deps, status) : undefined,
      hasTags("monitor", monitors.id, tags, teamsOf(viewer)),
    ) ?? sql`true`
  );
};

/** The value of each sort. Uptime is not stored. */
const VALUES: Record<Exclude<MonitorSort, "uptime">, SQL> = {
  name: inByteOrder(monitors.nameKey),
  status: urgency,
  response_time: sql`${states.responseTime}`,
  last_checked: sql`${states.lastCheckedAt}`,
  created: sql`${monitors.id}`,
};

const matchesOf = (condition: SQL): SQL =>
  sql`from ${monitors} join ${states} on ${states.monitorId} = ${monitors.id} where ${condition}`;

/** Monitors without a value come last in both directions, and those with the same value by name. */
const orderOf = (sort: Exclude<MonitorSort, "uptime">, direction: SQL): SQL => {
  if (sort === "created") return sql`${monitors.id} ${direction}`;
  const value = VALUES[sort];
  const nullsLast = sort === "name" || sort === "status" ? sql`` : sql`${value} is null, `;
  const names = sort === "name" ? sql`` : sql`${VALUES.name}, `;
  return sql`${nullsLast}${value} ${direction}, ${names}${monitors.id}`;
};

type Page = { limit: number; offset: number };

const readIds = async ({ db }: Deps, condition: SQL, order: SQL, page?: Page): Promise<number[]> => {
  const range = page ? sql`limit ${page.limit} offset ${page.offset}` : sql``;
  const rows = await db.rows(sql`select ${monitors.id} as id ${matchesOf(condition)} order by ${order} ${range}`);
  return rows.map(({ id }) => Number(id));
};

/** Uptimes change slowly, so a whole list's are cached for its pages. */
const KEEP_UPTIMES = 30 * SECOND;
const cachedUptimes = new WeakMap<Deps["db"], { at: number; ids: Set<number>; uptimes: Map<number, number> }>();

const uptimesForSort = async (deps: Deps, ids: number[]): Promise<Map<number, number>> => {
  const [now, cached] = [deps.clock.now(), cachedUptimes.get(deps.db)];
  const isFresh = cached && now >= cached.at && now < cached.at + KEEP_UPTIMES;
  if (isFresh && ids.every((id) => cached.ids.has(id))) return cached.uptimes;
  const uptimes = await readUptime(deps, ids);
  cachedUptimes.set(deps.db, { at: now, ids: new Set(ids), uptimes });
  return uptimes;
};

/** The ids of all matching monitors by their uptime of 30 days. */
const readIdsByUptime = async (deps: Deps, condition: SQL, descending: boolean): Promise<number[]> => {
  const ids = await readIds(deps, condition, orderOf("name", sql`asc`));
  const uptimes = await uptimesForSort(deps, ids);
  const sign = descending ? -1 : 1;
  return ids.toSorted((a, b) => {
    const [first, second] = [uptimes.get(a), uptimes.get(b)];
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    return sign * (first - second);
  });
};

/** The ids on a page of the monitors that match, in their order, and the number of all that match. */
export const findPage = async (
  deps: Deps,
  viewer: Viewer,
  query: ListQuery,
  { limit, offset }: Page,
): Promise<{ ids: number[]; total: number }> => {
  const condition = conditionOf(deps, viewer, query);
  const { sort = "created", order = "asc" } = query;
  if (sort === "uptime") {
    const all = await readIdsByUptime(deps, condition, order === "desc");
    return { ids: all.slice(offset, offset + limit), total: all.length };
  }
  const ids = await readIds(deps, condition, orderOf(sort, sql.raw(order)), { limit, offset });
  if (ids.length < limit && (offset === 0 || ids.length > 0)) return { ids, total: offset + ids.length };
  const [counted] = await deps.db.rows(sql`select count(*) as total ${matchesOf(condition)}`);
  return { ids, total: Number(counted?.total) };
};
