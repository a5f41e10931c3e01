import type { Static } from "@sinclair/typebox";
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { ownedBy, ownerNames, visibleTo } from "../../db/owner";
import { monitors, outages, recentChecks, monitorStates as states } from "../../db/schema";
import { integer, object } from "../../server/answers";
import { LIMITS } from "../../shared/limits";
import type { CheckErrorCode, ErrorDetail } from "../../shared/monitor";
import { isOpenOutage } from "../outages/statements";
import { historyJson } from "./history/history-json";
import { uptimeOfMonth } from "./history/uptime";
import type { Config } from "./kinds/kind";
import { LIST_HISTORY } from "./model";
import { type MonitorRow, type MonitorStatus, presentMonitor } from "./present";

/** The caller. Administrators see the monitors of all users. */
export type Viewer = {
  id: number;
  role: "admin" | "user";
  /** A read-only API key: it sees no secrets. */
  reads?: boolean;
};
/** `mine` leaves out other users' monitors, which administrators see. */
export type ListFilter = {
  mine?: unknown;
  search?: string;
  status?: string;
  limit?: number;
  offset?: number;
  history?: number;
  /** "all" includes the large fields, with fewer monitors in one answer. */
  fields?: "all";
  /** Sorts by status: down, pending, up, paused. */
  urgentFirst?: boolean;
};

const statusOf = sql<MonitorStatus>`case when ${monitors.active} then ${states.status} else 'paused' end`;

const urgency = sql`case ${statusOf} when 'down' then 0 when 'pending' then 1 when 'up' then 2 else 3 end`;

const matches = ({ reads }: Viewer, { search, status }: ListFilter): SQL | undefined => {
  const term = search?.trim().replace(/[\\%_]/g, "\\$&") ?? "";
  // SQLite's lower() converts ASCII letters only, so other letters match in the case that was typed.
  const like = (column: typeof monitors.name | typeof monitors.target) =>
    sql`(lower(${column}) like ${`%${term.toLowerCase()}%`} escape '\\' or ${column} like ${`%${term}%`} escape '\\')`;
  return and(
    // A search in targets would reveal their secrets character by character.
    term ? or(like(monitors.name), reads ? undefined : like(monitors.target)) : undefined,
    status === "active" ? eq(monitors.active, true) : status ? eq(statusOf, status) : undefined,
  );
};

/** The number of monitors in each status. */
export const MonitorCounts = object({
  all: integer("Number of all monitors.", 12),
  up: integer("Monitors that are up.", 10),
  down: integer("Monitors that are down.", 1),
  pending: integer("Monitors that were not checked yet.", 0),
  paused: integer("Monitors that are paused.", 1),
});
export type Counts = Static<typeof MonitorCounts>;

/** Counts the monitors that a viewer sees by their status. */
export const countMonitors = async ({ db }: Deps, viewer: Viewer): Promise<Counts> => {
  const rows = await db
    .select({ status: statusOf, count: sql<number>`count(*)` })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, monitors.id))
    .where(visibleTo(monitors, viewer))
    .groupBy(sql`1`);
  const counts: Counts = { all: 0, up: 0, down: 0, pending: 0, paused: 0 };
  for (const { status, count } of rows) {
    counts[status] = Number(count);
    counts.all += Number(count);
  }
  return counts;
};

/** The columns of a monitor and its state, under their stored names. */
const COLUMNS = `monitors.id, monitors.user_id, name, monitors.kind, target, config, interval, timeout, retries, active, created_at,
  updated_at, status, changed_at, response_time, last_checked_at, cert_expires_at, pack, recent_checks.checks as tail,
  started_at, error_code, error_detail`;
const LISTED = sql.raw(COLUMNS);
const IN_FULL = sql.raw(`${COLUMNS}, payload`);

/** Converts a row of either engine. Drizzle's mapping would be most of the cost of a long list. */
const readRow = (row: Record<string, unknown>): MonitorRow => {
  const time = (value: unknown) => (value === null ? null : Number(value));
  return {
    monitor: {
      id: Number(row.id),
      userId: Number(row.user_id),
      name: row.name as string,
      kind: row.kind as string,
      target: row.target as string,
      config: row.payload === undefined ? readJson(row.config) : { ...readJson(row.config), ...readJson(row.payload) },
      interval: row.interval as number,
      timeout: row.timeout as number,
      retries: row.retries as number,
      active: Boolean(row.active),
      createdAt: Number(row.created_at),
      updatedAt: Number(row.updated_at),
    },
    state: {
      status: row.status as MonitorRow["state"]["status"],
      changedAt: time(row.changed_at),
      responseTime: time(row.response_time),
      lastCheckedAt: time(row.last_checked_at),
      certExpiresAt: time(row.cert_expires_at),
      pack: row.pack as Uint8Array | null,
      tail: row.tail as Uint8Array | null,
    },
    outage:
      row.started_at === null
        ? null
        : {
            startedAt: Number(row.started_at),
            errorCode: row.error_code as CheckErrorCode | null,
            errorDetail: row.error_detail === null ? null : (readJson(row.error_detail) as ErrorDetail),
          },
  };
};

/** SQLite returns JSON as text, PostgreSQL as a value. */
const readJson = (column: unknown): Config => (typeof column === "string" ? JSON.parse(column) : (column as Config));

/** Selects a page of the monitors that a viewer sees, in the order of creation by default, with their uptime of 30 days. */
const selectMonitors = async (deps: Deps, viewer: Viewer, filter: ListFilter) => {
  const own = filter.mine === undefined ? undefined : ownedBy(monitors, viewer.id);
  const condition = and(visibleTo(monitors, viewer), own, matches(viewer, filter)) ?? sql`true`;
  const from = sql`from ${monitors} join ${states} on ${states.monitorId} = ${monitors.id}
    left join ${recentChecks} on ${recentChecks.monitorId} = ${monitors.id}
    left join ${outages} on ${isOpenOutage("monitor", monitors.id, "down")} where ${condition}`;
  const order = filter.urgentFirst ? sql`${urgency}, ${monitors.id}` : sql`${monitors.id}`;
  const most = filter.fields === "all" ? LIMITS.listedInFull : LIMITS.listed;
  const limit = Math.min(filter.limit ?? most, most);
  const columns = filter.fields === "all" ? IN_FULL : LISTED;
  const page = sql`limit ${limit} offset ${filter.offset ?? 0}`;
  const rows = (await deps.db.rows(sql`select ${columns} ${from} order by ${order} ${page}`)).map(readRow);
  const complete = !filter.offset && rows.length < limit;
  const [counted] = complete ? [] : await deps.db.rows<{ total: number }>(sql`select count(*) as total ${from}`);
  const uptimes = await uptimeOfMonth(
    deps,
    rows.map(({ monitor }) => monitor.id),
  );
  return {
    total: counted ? Number(counted.total) : rows.length,
    counts: await countMonitors(deps, viewer),
    rows,
    uptimes,
    owners: await ownerNames(
      deps,
      viewer,
      rows.map(({ monitor }) => monitor.userId),
    ),
  };
};

/** Lists a page of monitors with the number of monitors in each status. Large fields are included only with `fields`. */
export const listMonitors = async (deps: Deps, viewer: Viewer, filter: ListFilter) => {
  const { total, counts, rows, uptimes, owners } = await selectMonitors(deps, viewer, filter);
  const history = filter.history ?? LIST_HISTORY;
  return {
    total,
    counts,
    monitors: rows.map((row) => {
      const { id, userId } = row.monitor;
      return presentMonitor(row, uptimes.get(id) ?? null, history, owners.get(userId), viewer.reads);
    }),
  };
};

/** Like listMonitors, but returns the JSON text of the answer, at a third of the cost for long lists. */
export const listMonitorsJson = async (deps: Deps, viewer: Viewer, filter: ListFilter): Promise<string> => {
  const { total, counts, rows, uptimes, owners } = await selectMonitors(deps, viewer, filter);
  const history = filter.history ?? LIST_HISTORY;
  const texts = rows.map((row) => {
    const { id, userId } = row.monitor;
    // The history is the last field, so its empty list is cut off and replaced.
    const shown = presentMonitor(row, uptimes.get(id) ?? null, 0, owners.get(userId), viewer.reads);
    const head = JSON.stringify(shown).slice(0, -"[]}".length);
    return `${head}${historyJson(id, row.state, history)}}`;
  });
  return `{"success":true,"total":${total},"counts":${JSON.stringify(counts)},"monitors":[${texts.join(",")}]}`;
};
