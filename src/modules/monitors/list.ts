import type { Static } from "@sinclair/typebox";
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { monitors, monitorStates as states } from "../../db/schema";
import { integer, object } from "../../server/answers";
import { LIMITS } from "../../shared/limits";
import { ownerNames } from "../users/owners";
import { historyJson } from "./history/history-json";
import { uptimeOfMonth } from "./history/uptime";
import { LIST_HISTORY } from "./model";
import { type ListedRow, type MonitorStatus, presentListed } from "./present";

/** Whoever asks: administrators see everybody's monitors. */
export type Viewer = {
  id: number;
  role: "admin" | "user";
  /** An API key that only reads: it sees no secrets. */
  reads?: boolean;
};
/** `mine` leaves out what an administrator sees of others. */
export type ListFilter = {
  mine?: unknown;
  search?: string;
  status?: string;
  limit?: number;
  offset?: number;
  history?: number;
  /** "all": with headers and bodies, and fewer at once. */
  fields?: "all";
  /** What is down comes first, then what waits for its first check; what is paused comes last. */
  urgentFirst?: boolean;
};

/** What a viewer may see: one's own, and everybody's for an administrator. */
export const visibleTo = (viewer: Viewer): SQL | undefined =>
  viewer.role === "admin" ? undefined : eq(monitors.userId, viewer.id);
const statusOf = sql<MonitorStatus>`case when ${monitors.active} then ${states.status} else 'paused' end`;

const urgency = sql`case ${statusOf} when 'down' then 0 when 'pending' then 1 when 'up' then 2 else 3 end`;

const matches = ({ reads }: Viewer, { search, status }: ListFilter): SQL | undefined => {
  const wanted = search?.trim().replace(/[\\%_]/g, "\\$&") ?? "";
  // SQLite knows the other case of ASCII letters only: others are found at least as they were typed.
  const like = (column: typeof monitors.name | typeof monitors.url) =>
    sql`(lower(${column}) like ${`%${wanted.toLowerCase()}%`} escape '\\' or ${column} like ${`%${wanted}%`} escape '\\')`;
  return and(
    // A search that looked into addresses would find the secrets in them, piece by piece.
    wanted ? or(like(monitors.name), reads ? undefined : like(monitors.url)) : undefined,
    status === "active" ? eq(monitors.active, true) : status ? eq(statusOf, status) : undefined,
  );
};

/** How many monitors have which status. */
export const MonitorCounts = object({
  all: integer("How many: all.", 12),
  up: integer("How many: up.", 10),
  down: integer("How many: down.", 1),
  pending: integer("How many: pending.", 0),
  paused: integer("How many: paused.", 1),
});
export type Counts = Static<typeof MonitorCounts>;

/** Counts the monitors that a viewer sees by their status. */
export const countMonitors = async ({ db }: Deps, viewer: Viewer): Promise<Counts> => {
  const rows = await db
    .select({ status: statusOf, count: sql<number>`count(*)` })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, monitors.id))
    .where(visibleTo(viewer))
    .groupBy(sql`1`);
  const counts: Counts = { all: 0, up: 0, down: 0, pending: 0, paused: 0 };
  for (const { status, count } of rows) {
    counts[status] = Number(count);
    counts.all += Number(count);
  }
  return counts;
};

/** The columns of a monitor and of where it stands, under their stored names. */
const COLUMNS = `monitors.id, user_id, name, url, method, interval, timeout, expected_status, retries, active, created_at,
  updated_at, status, response_time, last_checked_at, cert_expires_at, recent`;
const LISTED = sql.raw(COLUMNS);
const IN_FULL = sql.raw(`${COLUMNS}, headers, body`);

/** A row as either engine gives it. Mapped by hand: a list may be long, and Drizzle's mapping is most of its cost. */
const readRow = (row: Record<string, unknown>): ListedRow => {
  const time = (value: unknown) => (value === null ? null : Number(value));
  return {
    monitor: {
      id: Number(row.id),
      userId: Number(row.user_id),
      name: row.name as string,
      url: row.url as string,
      method: row.method as string,
      interval: row.interval as number,
      timeout: row.timeout as number,
      expectedStatus: row.expected_status as number,
      ...(row.headers !== undefined && {
        headers: typeof row.headers === "string" ? readHeaders(row.headers) : (row.headers as Record<string, string>),
        body: row.body as string,
      }),
      retries: row.retries as number,
      active: Boolean(row.active),
      createdAt: Number(row.created_at),
      updatedAt: Number(row.updated_at),
    },
    state: {
      status: row.status as ListedRow["state"]["status"],
      responseTime: time(row.response_time),
      lastCheckedAt: time(row.last_checked_at),
      certExpiresAt: time(row.cert_expires_at),
      recent: row.recent as string,
    },
  };
};

const readHeaders = (text: string): Record<string, string> => (text === "{}" ? {} : JSON.parse(text));

/** The monitors that a viewer sees, in the order they were made unless told otherwise, each with its uptime of 30 days. */
const selectMonitors = async (deps: Deps, viewer: Viewer, filter: ListFilter) => {
  const own = filter.mine === undefined ? undefined : eq(monitors.userId, viewer.id);
  const condition = and(visibleTo(viewer), own, matches(viewer, filter)) ?? sql`true`;
  const from = sql`from ${monitors} join ${states} on ${states.monitorId} = ${monitors.id} where ${condition}`;
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

/** A page of monitors, with how many there are of which kind. Headers and bodies are in it only with `fields`. */
export const listMonitors = async (deps: Deps, viewer: Viewer, filter: ListFilter) => {
  const { total, counts, rows, uptimes, owners } = await selectMonitors(deps, viewer, filter);
  const history = filter.history ?? LIST_HISTORY;
  return {
    total,
    counts,
    monitors: rows.map((row) => {
      const { id, userId } = row.monitor;
      return presentListed(row, uptimes.get(id) ?? null, history, owners.get(userId), viewer.reads);
    }),
  };
};

/** The same as the JSON text of an answer, at a third of the cost where monitors are many. */
export const listMonitorsJson = async (deps: Deps, viewer: Viewer, filter: ListFilter): Promise<string> => {
  const { total, counts, rows, uptimes, owners } = await selectMonitors(deps, viewer, filter);
  const history = filter.history ?? LIST_HISTORY;
  const texts = rows.map((row) => {
    const { id, userId } = row.monitor;
    // The history is what comes last: its empty brackets make room for the real one.
    const shown = presentListed(row, uptimes.get(id) ?? null, 0, owners.get(userId), viewer.reads);
    const head = JSON.stringify(shown).slice(0, -"[]}".length);
    return `${head}${historyJson(id, row.state.recent, history)}}`;
  });
  return `{"success":true,"total":${total},"counts":${JSON.stringify(counts)},"monitors":[${texts.join(",")}]}`;
};
