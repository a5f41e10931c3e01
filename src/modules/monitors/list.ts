import type { Static } from "@sinclair/typebox";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { readBelongings, seesSecrets, type Viewer, visibleTo } from "../../db/owner";
import { heartbeats, monitors, mutes, outages, recentChecks, monitorStates as states } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { integer, object } from "../../server/answers";
import type { CheckErrorCode, ErrorDetail } from "../../shared/check-error";
import { LIMITS } from "../../shared/limits";
import type { Config } from "../../shared/monitor-kinds/field";
import { readMaintenance, readRecentMaintenance } from "../alerting/maintenance/running";
import { isActiveMute } from "../alerting/mutes/service";
import { readTags } from "../tags/service";
import { type CompactMonitor, compactHistory } from "./compact";
import { isUnknownHeartbeat, readUnknown } from "./heartbeats/unknown";
import { recentPacketLoss } from "./history/pack";
import { NO_SHARE, readShares, type Share } from "./history/uptime";
import { blindsOf, maskedFor } from "./kinds/masks";
import { kindOf } from "./kinds/registry";
import { conditionOf, findPage, isShownOutage, type ListQuery, statusOf } from "./list-query";
import { LIST_HISTORY } from "./model";
import { type MonitorRow, presentMonitor, presentSummary, type SeenBy } from "./present";

type ListFilter = ListQuery & {
  limit?: number;
  offset?: number;
  history?: number;
  /** "all" includes the large fields, with fewer monitors in one answer. "compact" has what the page shows in a list. */
  fields?: "all" | "compact";
};

/** The number of monitors in each status. */
export const MonitorCounts = object({
  all: integer("Number of all monitors.", 12),
  up: integer("Monitors that are up, also those that are degraded.", 10),
  degraded: integer("Monitors that are up, but respond slowly.", 1),
  down: integer("Monitors that are down.", 1),
  pending: integer("Monitors that were not checked yet.", 0),
  paused: integer("Monitors that are paused.", 1),
  unknown: integer("Monitors whose state cannot be known now. They also count as their last known status.", 0),
});
export type Counts = Static<typeof MonitorCounts>;

/** Counts the heartbeats whose ping may have been lost. */
const countLostPings = async ({ db, clock }: Deps, condition: SQL): Promise<number> => {
  const [row] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(heartbeats)
    .innerJoin(monitors, eq(monitors.id, heartbeats.monitorId))
    .innerJoin(states, eq(states.monitorId, heartbeats.monitorId))
    .where(and(isUnknownHeartbeat(clock.now()), condition));
  return row?.count ?? 0;
};

/** Counts the monitors that a viewer sees and a query selects by their status. */
export const countMonitors = async (deps: Deps, viewer: Viewer, query: ListQuery = {}): Promise<Counts> => {
  const { db, watching } = deps;
  const condition = conditionOf(deps, viewer, query);
  const rows = await db
    .select({ status: statusOf, count: sql<number>`count(*)` })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, monitors.id))
    .where(condition)
    .groupBy(sql`1`);
  const counts: Counts = { all: 0, up: 0, degraded: 0, down: 0, pending: 0, paused: 0, unknown: 0 };
  for (const { status, count } of rows) {
    counts[status] += Number(count);
    if (status === "degraded") counts.up += Number(count);
    counts.all += Number(count);
  }
  counts.unknown = watching.unknown() ? counts.all - counts.paused : await countLostPings(deps, condition);
  return counts;
};

/** The columns of a monitor and its state, under their stored names. */
const COLUMNS = `monitors.id, monitors.user_id, monitors.team_id, name, monitors.kind, target, config, interval, timeout, retries, retry_pause, quick_recheck, active, created_at,
  updated_at, status, slow_bits, changed_at, response_time, last_checked_at, cert_expires_at, pack, recent_checks.checks as tail,
  started_at, error_code, error_detail, until_recovery, ends_at`;
const LISTED = sql.raw(COLUMNS);
const IN_FULL = sql.raw(`${COLUMNS}, payload`);

/** Converts a row of either engine. Drizzle's mapping would be most of the cost of a long list. */
const readRow = (row: Record<string, unknown>): Omit<MonitorRow, "maintenance" | "tags" | "unknown"> => {
  const time = (value: unknown) => (value === null ? null : Number(value));
  return {
    monitor: {
      id: Number(row.id),
      userId: Number(row.user_id),
      teamId: Number(row.team_id),
      name: row.name as string,
      kind: row.kind as string,
      target: row.target as string,
      config: row.payload === undefined ? readJson(row.config) : { ...readJson(row.config), ...readJson(row.payload) },
      interval: row.interval as number,
      timeout: row.timeout as number,
      retries: row.retries as number,
      retryPause: row.retry_pause as number,
      quickRecheck: Boolean(row.quick_recheck),
      active: Boolean(row.active),
      createdAt: Number(row.created_at),
      updatedAt: Number(row.updated_at),
    },
    state: {
      status: row.status as MonitorRow["state"]["status"],
      slowBits: Number(row.slow_bits),
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
    mute:
      row.until_recovery === null ? null : { endsAt: time(row.ends_at), untilRecovery: Boolean(row.until_recovery) },
  };
};

/** SQLite returns JSON as text, PostgreSQL as a value. */
const readJson = (column: unknown): Config => (typeof column === "string" ? JSON.parse(column) : (column as Config));

/** A page of the monitors that a viewer sees, with the number of monitors in each status. */
const readPage = async <Presented>(
  deps: Deps,
  viewer: Viewer,
  filter: ListFilter,
  present: (row: MonitorRow, share: Share, seenBy: SeenBy) => Presented,
) => {
  const most = filter.fields === "all" ? LIMITS.listedInFull : LIMITS.listed;
  const page = { limit: Math.min(filter.limit ?? most, most), offset: filter.offset ?? 0 };
  const { ids, total } = await findPage(deps, viewer, filter, page);
  const columns = filter.fields === "all" ? IN_FULL : LISTED;
  const selected = await deps.db.rows(sql`select ${columns} from ${monitors}
    join ${states} on ${states.monitorId} = ${monitors.id}
    left join ${recentChecks} on ${recentChecks.monitorId} = ${monitors.id}
    left join ${outages} on ${isShownOutage}
    left join ${mutes} on ${isActiveMute("monitor", monitors.id, deps.clock.now())}
    where ${and(isOneOf(monitors.id, ids), visibleTo(monitors, viewer))}`);
  const byId = new Map(selected.map((row) => [Number(row.id), readRow(row)]));
  // Others were deleted since the page was found.
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  const tags = await readTags(deps, "monitor", ids);
  const counts = await countMonitors(deps, viewer);
  const shares = await readShares(deps, ids);
  const unknown = await readUnknown(
    deps,
    rows.map(({ monitor, state }) => ({ ...monitor, lastCheckedAt: state.lastCheckedAt })),
  );
  const targetOf = ({ id, teamId }: MonitorRow["monitor"]) => ({ type: "monitor" as const, id, teamId });
  const now = deps.clock.now();
  const untilOf = await readMaintenance(
    deps,
    rows.map(({ monitor }) => targetOf(monitor)),
    now,
  );
  const recent = await readRecentMaintenance(
    deps,
    rows.map(({ monitor }) => monitor),
    now,
  );
  const belonging = await readBelongings(
    deps,
    viewer,
    rows.map(({ monitor }) => monitor),
  );
  const presented = rows.map((stored) => {
    const { id } = stored.monitor;
    const seenBy = { belonging: belonging(stored.monitor), reads: !seesSecrets(viewer, stored.monitor) };
    const maintenance = { until: untilOf(targetOf(stored.monitor), now), times: recent.get(id) ?? [] };
    const added = { maintenance, tags: tags.get(id) ?? [], unknown: unknown.get(id) ?? null };
    const row = { ...stored, ...added };
    return present(row, shares.get(id) ?? NO_SHARE, seenBy);
  });
  return { total, counts, monitors: presented };
};

/** Lists a page of monitors with the number of monitors in each status. Large fields are included only with `fields`. */
export const listMonitors = (deps: Deps, viewer: Viewer, filter: ListFilter) =>
  readPage(deps, viewer, filter, (row, share, seenBy) =>
    presentMonitor(row, share, filter.history ?? LIST_HISTORY, seenBy),
  );

/** Like listMonitors, with the fields that lists on the page show: `fields=compact`. */
export const listCompact = (deps: Deps, viewer: Viewer, filter: ListFilter) =>
  readPage(
    deps,
    viewer,
    filter,
    (row, share, seenBy): Static<typeof CompactMonitor> => ({
      ...presentSummary(row, share, seenBy),
      history: compactHistory(row.state, filter.history ?? LIST_HISTORY),
    }),
  );

export type CompactList = Awaited<ReturnType<typeof listCompact>>;

/** The percentage of the packets that were lost in the last 40 checks of each of these monitors; null for none sent. */
export const readPacketLosses = async (
  { db }: Pick<Deps, "db">,
  rows: readonly { id: number; kind: string }[],
): Promise<Map<number, number | null>> => {
  const ids = rows.filter(({ kind }) => kindOf(kind)?.sendsPackets).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const packs = await db
    .select({ id: states.monitorId, pack: states.pack, tail: recentChecks.checks })
    .from(states)
    .leftJoin(recentChecks, eq(recentChecks.monitorId, states.monitorId))
    .where(isOneOf(states.monitorId, ids));
  return new Map(packs.map((one) => [one.id, recentPacketLoss(one)]));
};

type Latest = { target: string; history: ReturnType<typeof compactHistory> };

/** The target of each of these monitors, as the viewer may see it, and its last `count` outcomes, oldest first, in the compact form. */
export const readLatest = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  ids: readonly number[],
  count: number,
): Promise<Map<number, Latest>> => {
  if (ids.length === 0) return new Map();
  const { teamId, kind, config, target } = monitors;
  const rows = await db
    .select({
      id: states.monitorId,
      monitor: { teamId, kind, config, target },
      pack: states.pack,
      tail: recentChecks.checks,
    })
    .from(states)
    .innerJoin(monitors, eq(monitors.id, states.monitorId))
    .leftJoin(recentChecks, eq(recentChecks.monitorId, states.monitorId))
    .where(isOneOf(states.monitorId, ids));
  return new Map(
    rows.map(({ id, monitor, ...packs }) => [
      id,
      {
        target: maskedFor(blindsOf(viewer, monitor), monitor).target,
        history: compactHistory(packs, count),
      },
    ]),
  );
};
