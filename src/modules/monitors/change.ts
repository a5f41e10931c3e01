/** Creates, changes and deletes monitors. */
import { eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import type { Queries, Statement } from "../../db/database";
import { monitorPauses, monitors, monitorStates as states } from "../../db/schema";
import { lockRows, reserveIds, withValues } from "../../db/sql";
import { sortKey } from "../../lib/sort-key";
import { NEVER } from "../../shared/monitor";
import type { OutageKind } from "../../shared/notifications";
import { insertHeartbeats, pauseHeartbeat, restartHeartbeat } from "../heartbeats/rows";
import { purgeTarget } from "../notifications/events";
import { publishOutages } from "../outages/live";
import { closeOutages, purgeOutages } from "../outages/statements";
import { hasRoom, lockQuotas, noRoom } from "../quotas/service";
import { addTags, purgeTags, replaceTags, resolveTags } from "../tags/service";
import { purgeChecks } from "./history/checks";
import { writePause } from "./history/pauses";
import { type Config, requireAvailable } from "./kinds/kind";
import { kindOf } from "./kinds/registry";
import type { Viewer } from "./list";
import type { MonitorInput, StoredMonitor } from "./model";
import type { MonitorRow } from "./present";
import { isPassive, scheduleIn } from "./service";

/** The columns of the fields that a user sets. */
const toColumns = ({ name, kind, config, interval, timeout, retries, active }: MonitorInput) => {
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
    ...addTags({ userId: viewer.id, type: "monitor", table: monitors }, tagged),
  ]);
  const created = results[locks.length] as unknown[];
  if (created.length === 0) throw await noRoom(deps, "monitors", viewer.id);
  deps.changedMonitors.add(id);
  return id;
};

/** The end of an outage of a monitor that is paused or changed. */
const endOf = (kind: OutageKind, id: number, now: number): SQL =>
  sql`select 'monitor' as target_type, cast(${id} as bigint) as target_id, cast(${kind} as text) as kind, cast(${now} as bigint) as ended_at`;

/** Where the certificate of a monitor comes from. */
const certificateSource = ({ kind, config }: Pick<MonitorInput, "kind" | "config">): string | undefined =>
  (kindOf(kind)?.certificateSource ?? kindOf(kind)?.target)?.(config);

const changeHeartbeat = (tx: Queries, before: StoredMonitor, { active, config }: MonitorInput, now: number) =>
  active
    ? restartHeartbeat(tx, before.id, { schedule: scheduleIn(config), now, resumed: !before.active })
    : [pauseHeartbeat(tx, before.id)];

/**
 * The statements that update a monitor, and whether a check in flight is stale and has to start again. It is due at once if
 * its config changed or it was resumed. Pausing it ends its outages: from then on it is not known how it is. With another
 * config, slow answers are counted from the start.
 */
export const planUpdate = (monitor: StoredMonitor, input: MonitorInput, now: number) => {
  const columns = toColumns(input);
  const { active, interval } = columns;
  // A result of the previous config must not count for the new one.
  const restart = !Bun.deepEquals(input.config, monitor.config) || active !== monitor.active;
  const isSameCertificate = certificateSource(input) === certificateSource(monitor);
  const passive = isPassive(monitor);
  const soon = { nextCheckAt: passive ? NEVER : now };
  const due = !active ? { nextCheckAt: null } : restart || interval !== monitor.interval ? soon : {};
  const statements = (tx: Queries): Statement[] => [
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
              ...(restart && { revision: sql`${states.revision} + 1`, claimedBy: null, slowBits: 0, records: null }),
              ...(!isSameCertificate && { certExpiresAt: null, certFingerprint: null }),
            })
            .where(eq(states.monitorId, monitor.id)),
        ]
      : []),
    ...(active ? [] : [closeOutages(endOf("down", monitor.id, now))]),
    ...(restart ? [closeOutages(endOf("slow", monitor.id, now))] : []),
    ...(isSameCertificate ? [] : [closeOutages(endOf("certificate", monitor.id, now))]),
    writePause(monitor.id, active, now),
    ...(passive && restart ? changeHeartbeat(tx, monitor, input, now) : []),
  ];
  return { restart, statements };
};

/**
 * Updates a monitor, as `planUpdate` says. Returns whether a check in flight is stale and has to start again.
 * @throws {AppError} too_many_tags, or, when the config changed, that this machine can't check the kind
 */
export const updateMonitor = async (deps: Deps, { monitor }: MonitorRow, input: MonitorInput): Promise<boolean> => {
  const { db, clock, changedMonitors } = deps;
  const { id, userId } = monitor;
  if (!Bun.deepEquals(input.config, monitor.config)) await requireAvailable(kindOf(input.kind), deps.outbound);
  const tagged = input.tags && (await resolveTags(deps, userId, [{ id, tags: input.tags }]));
  const { restart, statements } = planUpdate(monitor, input, clock.now());
  await db.atomically((tx) => [
    ...statements(tx),
    ...(tagged ? replaceTags(tx, { userId, type: "monitor", table: monitors }, tagged) : []),
  ]);
  changedMonitors.add(id);
  if (restart) void publishOutages(deps, "monitor", [id]);
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
