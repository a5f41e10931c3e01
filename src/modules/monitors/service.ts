import type { Static } from "@sinclair/typebox";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { notFound } from "../../core/errors";
import type { Queries } from "../../db/database";
import { ownerNames, visibleTo } from "../../db/owner";
import { monitorPauses, monitors, mutes, outages, recentChecks, monitorStates as states } from "../../db/schema";
import { lockRows, reserveIds, withValues } from "../../db/sql";
import { sortKey } from "../../lib/sort-key";
import { component, list, object, optional } from "../../server/answers";
import { NEVER } from "../../shared/monitor";
import {
  type HeartbeatAnswer,
  heartbeatFields,
  insertHeartbeats,
  pauseHeartbeat,
  readHeartbeat,
  restartHeartbeat,
} from "../heartbeats/rows";
import { purgeTarget } from "../notifications/events";
import { isActiveMute, muteColumns } from "../notifications/mutes/service";
import { publishOutages } from "../outages/live";
import { latestOutages, Outage } from "../outages/service";
import { closeOutages, isOpenOutage, purgeOutages } from "../outages/statements";
import { hasRoom, lockQuotas, noRoom } from "../quotas/service";
import { addTags, purgeTags, readTags, replaceTags, resolveTags } from "../tags/service";
import { purgeChecks, readHistory } from "./history/checks";
import { writePause } from "./history/pauses";
import { Availability, readAvailability, readUptime, Uptimes } from "./history/uptime";
import { type HeartbeatFields, scheduleOf } from "./kinds/heartbeat";
import { type Config, requireAvailable } from "./kinds/kind";
import { kindOf } from "./kinds/registry";
import type { Viewer } from "./list";
import { DETAIL_HISTORY, type MonitorInput, type StoredMonitor } from "./model";
import { Check, type MonitorRow, monitorFields, type PresentedMonitor, presentMonitor } from "./present";

/** Converts a row to a monitor. */
export const fromRow = ({ payload, ...row }: typeof monitors.$inferSelect): StoredMonitor => ({
  ...row,
  config: { ...row.config, ...payload },
});

/** The columns of the fields that a user sets. */
export const toColumns = ({ name, kind, config, interval, timeout, retries, active }: MonitorInput) => {
  const { large = [], target, host } = kindOf(kind) ?? {};
  const isLarge = ([field]: [string, unknown]) => large.includes(field);
  const fields = Object.entries(config);
  return {
    name,
    kind,
    target: target?.(config) ?? "",
    host: host?.(config) ?? "",
    config: Object.fromEntries(fields.filter((field) => !isLarge(field))) satisfies Config,
    payload: Object.fromEntries(fields.filter(isLarge)) satisfies Config,
    interval,
    timeout,
    retries,
    active,
  };
};

const { status, changedAt, responseTime, lastCheckedAt, certExpiresAt, pack } = states;
const shownState = { status, changedAt, responseTime, lastCheckedAt, certExpiresAt, pack, tail: recentChecks.checks };
const { startedAt, errorCode, errorDetail } = outages;

const selectRows = ({ db, clock }: Deps) =>
  db
    .select({
      monitor: monitors,
      state: shownState,
      outage: { startedAt, errorCode, errorDetail },
      mute: muteColumns,
    })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, monitors.id))
    .leftJoin(recentChecks, eq(recentChecks.monitorId, monitors.id))
    .leftJoin(outages, isOpenOutage("monitor", monitors.id, "down"))
    .leftJoin(mutes, isActiveMute("monitor", monitors.id, clock.now()));

/** @throws {AppError} not_found, also for another user's */
export const findMonitor = async (deps: Deps, viewer: Viewer, id: number): Promise<MonitorRow> => {
  const [row] = await selectRows(deps).where(and(eq(monitors.id, id), visibleTo(monitors, viewer)));
  if (!row) throw notFound("Monitor");
  return { ...row, monitor: fromRow(row.monitor), tags: (await readTags(deps, "monitor", [id])).get(id) ?? [] };
};

/** Reads a monitor without its checks. */
export const readMonitor = async (deps: Deps, viewer: Viewer, id: number, history = DETAIL_HISTORY) => {
  const row = await findMonitor(deps, viewer, id);
  const { userId } = row.monitor;
  const owner = (await ownerNames(deps, viewer, [userId])).get(userId);
  const monitor = presentMonitor(row, (await readUptime(deps, [id])).get(id) ?? null, history, owner, viewer.reads);
  return { ...monitor, ...(isPassive(row.monitor) && (await readHeartbeat(deps, heartbeatOf(row, viewer)))) };
};

const isPassive = ({ kind }: Pick<MonitorInput, "kind">): boolean => kindOf(kind)?.passive === true;

const scheduleIn = (config: Config) => scheduleOf(config as HeartbeatFields);

const heartbeatOf = (
  { monitor: { id, active, config }, state: { status } }: MonitorRow,
  { reads = false }: Viewer,
) => ({
  id,
  active,
  status,
  schedule: scheduleIn(config),
  reads,
});

const ofHeartbeats = {
  ping_url: optional(heartbeatFields.ping_url),
  heartbeat: optional(heartbeatFields.heartbeat),
};
export const Monitor = component("Monitor", { ...monitorFields, ...ofHeartbeats });

const latest = {
  checks: list(Check, "The last 50 checks, newest first."),
  uptimes: Uptimes,
  availability: Availability,
  outages: list(Outage, "The last 20 outages, newest first."),
};
const Latest = object(latest);
export const MonitorDetail = component("MonitorDetail", { ...monitorFields, ...ofHeartbeats, ...latest });

/** Reads a monitor with its latest checks and its uptime over several spans. */
export const readMonitorDetail = async (
  deps: Deps,
  viewer: Viewer,
  id: number,
  history?: number,
): Promise<PresentedMonitor & Partial<HeartbeatAnswer> & Static<typeof Latest>> => {
  const monitor = await readMonitor(deps, viewer, id, history);
  const availability = await readAvailability(deps, id);
  const { "24h": day, "7d": week, "30d": month, "90d": quarter } = availability;
  return {
    ...monitor,
    checks: await readHistory(deps, id, {}),
    uptimes: { "24h": day.uptime, "7d": week.uptime, "30d": month.uptime, "90d": quarter.uptime },
    availability,
    outages: await latestOutages(deps, "monitor", id),
  };
};

const INSERTED = {
  id: "bigint",
  name: "text",
  name_key: "text",
  kind: "text",
  target: "text",
  host: "text",
  config: "json",
  payload: "json",
  interval: "integer",
  timeout: "integer",
  retries: "integer",
  active: "boolean",
} as const;

/**
 * The statements that create monitors with reserved ids if the condition is true, and none otherwise. The first statement
 * returns the ids. Active monitors are due at `now`.
 */
export const insertMonitors = (
  added: readonly (MonitorInput & { id: number; token?: string })[],
  { userId, now, condition }: { userId: number; now: number; condition: SQL },
): SQL[] => {
  const names = Object.keys(INSERTED) as (keyof typeof INSERTED)[];
  const rows = added.map((monitor) => {
    const columns = { id: monitor.id, name_key: sortKey(monitor.name), ...toColumns(monitor) };
    return names.map((name) => columns[name]);
  });
  const columns = sql.raw(names.join(", "));
  const dueAt = (monitor: MonitorInput) => (monitor.active ? (isPassive(monitor) ? NEVER : now) : null);
  const times = added.map((monitor) => [monitor.id, dueAt(monitor)]);
  const paused = added.flatMap(({ id, active }) => (active ? [] : [[id]]));
  const passive = added.filter(isPassive);
  return [
    sql`${withValues("given", INSERTED, rows)}
      insert into ${monitors} (${columns}, user_id, created_at, updated_at)
      select ${columns}, cast(${userId} as bigint), cast(${now} as bigint), cast(${now} as bigint) from given
      where ${condition} returning id`,
    // A reserved id is in the table if and only if the previous statement inserted it.
    sql`${withValues("given", { id: "bigint", due_at: "bigint" }, times)}
      insert into ${states} (monitor_id, next_check_at, status) select given.id, given.due_at, 'pending' from given
      where exists (select 1 from ${monitors} as m where m.id = given.id)`,
    sql`${withValues("given", { id: "bigint" }, paused)}
      insert into ${monitorPauses} (monitor_id, started_at) select given.id, cast(${now} as bigint) from given
      where exists (select 1 from ${monitors} as m where m.id = given.id)`,
    ...(passive.length > 0 ? [insertHeartbeats(passive)] : []),
  ];
};

/**
 * Creates a monitor that is due at once. Returns its id.
 * @throws {AppError} quota_reached, too_many_tags, or that this machine can't check the kind
 */
export const createMonitor = async (deps: Deps, viewer: Viewer, input: MonitorInput): Promise<number> => {
  const { db, clock } = deps;
  await requireAvailable(kindOf(input.kind), deps.outbound);
  const [id = 0] = await reserveIds(db, monitors, 1);
  const condition = hasRoom(deps, "monitors", viewer.id);
  const tagged = await resolveTags(deps, viewer.id, [{ id, tags: input.tags ?? [] }]);
  const locks = lockQuotas(viewer.id);
  const results = await db.atomically(() => [
    ...locks,
    ...insertMonitors([{ ...input, id }], { userId: viewer.id, now: clock.now(), condition }),
    ...addTags(viewer.id, "monitor", monitors, tagged),
  ]);
  const created = results[locks.length] as unknown[];
  if (created.length === 0) throw await noRoom(deps, "monitors", viewer.id);
  deps.changedMonitors.add(id);
  return id;
};

/** The end of the outage of a monitor that is paused. */
const pausedAt = (id: number, now: number): SQL =>
  sql`select 'monitor' as target_type, cast(${id} as bigint) as target_id, 'down' as kind, cast(${now} as bigint) as ended_at`;

const changeHeartbeat = (tx: Queries, before: StoredMonitor, { active, config }: MonitorInput, now: number) =>
  active
    ? restartHeartbeat(tx, before.id, { schedule: scheduleIn(config), now, resumed: !before.active })
    : [pauseHeartbeat(tx, before.id)];

/**
 * Updates a monitor. It is due at once if its config changed or it was resumed. Returns whether a check in flight is
 * stale and has to start again. Pausing it ends its outage: from then on it is not known how it is.
 * @throws {AppError} too_many_tags, or, when the config changed, that this machine can't check the kind
 */
export const updateMonitor = async (deps: Deps, { monitor }: MonitorRow, input: MonitorInput): Promise<boolean> => {
  const { db, clock, changedMonitors } = deps;
  const columns = toColumns(input);
  const { active, interval, target } = columns;
  const changed = !Bun.deepEquals(input.config, monitor.config);
  if (changed) await requireAvailable(kindOf(input.kind), deps.outbound);
  const now = clock.now();
  const { id, userId } = monitor;
  const tagged = input.tags && (await resolveTags(deps, userId, [{ id, tags: input.tags }]));
  // A result of the previous config must not count for the new one.
  const restart = changed || active !== monitor.active;
  const passive = isPassive(monitor);
  const soon = { nextCheckAt: passive ? NEVER : now };
  const due = !active ? { nextCheckAt: null } : restart || interval !== monitor.interval ? soon : {};
  await db.atomically((tx) => [
    ...lockRows(states, states.monitorId, eq(states.monitorId, monitor.id)),
    tx
      .update(monitors)
      .set({ ...columns, nameKey: sortKey(input.name), updatedAt: now })
      .where(eq(monitors.id, monitor.id)),
    ...(restart || "nextCheckAt" in due
      ? [
          tx
            .update(states)
            .set({
              ...due,
              // The result of a check in flight is dropped.
              ...(restart && { revision: sql`${states.revision} + 1`, claimedBy: null }),
              ...(target !== monitor.target && { certExpiresAt: null, certFingerprint: null }),
            })
            .where(eq(states.monitorId, monitor.id)),
        ]
      : []),
    ...(active ? [] : [closeOutages(pausedAt(monitor.id, now))]),
    writePause(monitor.id, active, now),
    ...(passive && restart ? changeHeartbeat(tx, monitor, input, now) : []),
    ...(tagged ? replaceTags(tx, userId, "monitor", monitors, tagged) : []),
  ]);
  changedMonitors.add(monitor.id);
  if (!active && monitor.active) void publishOutages(deps, "monitor", [monitor.id]);
  return restart;
};

export const setActive = (deps: Deps, row: MonitorRow, active: boolean): Promise<boolean> =>
  updateMonitor(deps, row, { ...row.monitor, active });

/** Deletes a monitor with its history, events and rules. */
export const deleteMonitor = async ({ db, clock, changedMonitors }: Deps, { monitor }: MonitorRow): Promise<void> => {
  await db.atomically((tx) => [
    // The state is deleted first: from then on no check is recorded, so that none leaves rows behind.
    tx.delete(states).where(eq(states.monitorId, monitor.id)),
    ...purgeChecks(tx, monitor.id, monitor.createdAt, clock.now()),
    purgeOutages(tx, "monitor", sql`(${monitor.id})`),
    ...purgeTarget(tx, "monitor", monitor.id),
    purgeTags(tx, "monitor", sql`(${monitor.id})`),
    tx.delete(monitors).where(eq(monitors.id, monitor.id)),
  ]);
  changedMonitors.add(monitor.id);
};
