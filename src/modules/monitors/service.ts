import type { Static } from "@sinclair/typebox";
import { and, eq, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { notFound } from "../../core/errors";
import { monitors, monitorStates as states } from "../../db/schema";
import { lockRows, withValues } from "../../db/sql";
import { component, list } from "../../server/answers";
import type { Method } from "../../shared/limits";
import { emptyRecent } from "../../shared/recent";
import { purgeTarget } from "../notifications/events";
import { hasRoom, lockQuotas, noRoom } from "../quotas/service";
import { ownerNames } from "../users/owners";
import { readHistory } from "./history/checks";
import { purgeChecks } from "./history/purge";
import { Uptimes, uptimeOfMonth, uptimesOf } from "./history/uptime";
import { type Viewer, visibleTo } from "./list";
import { DETAIL_HISTORY, type MonitorInput } from "./model";
import { Check, type MonitorRow, monitorFields, presentMonitor } from "./present";

const { status, responseTime, lastCheckedAt, certExpiresAt, recent } = states;
const shownState = { status, responseTime, lastCheckedAt, certExpiresAt, recent };

const selectRows = ({ db }: Deps) =>
  db
    .select({ monitor: monitors, state: shownState })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, monitors.id));

/** @throws {AppError} not_found, also for somebody else's */
export const findMonitor = async (deps: Deps, viewer: Viewer, id: number): Promise<MonitorRow> => {
  const [row] = await selectRows(deps).where(and(eq(monitors.id, id), visibleTo(viewer)));
  if (!row) throw notFound("Monitor");
  return row;
};

/** A monitor without its log. */
export const readMonitor = async (deps: Deps, viewer: Viewer, id: number, history = DETAIL_HISTORY) => {
  const row = await findMonitor(deps, viewer, id);
  const { userId } = row.monitor;
  const owner = (await ownerNames(deps, viewer, [userId])).get(userId);
  return presentMonitor(row, (await uptimeOfMonth(deps, [id])).get(id) ?? null, history, owner, viewer.reads);
};

export const MonitorDetail = component("MonitorDetail", {
  ...monitorFields,
  checks: list(Check, "The last 50 checks, newest first."),
  uptimes: Uptimes,
});

/** A monitor with its latest checks and its uptime over several spans. */
export const readMonitorDetail = async (
  deps: Deps,
  viewer: Viewer,
  id: number,
  history?: number,
): Promise<Static<typeof MonitorDetail>> => {
  const monitor = await readMonitor(deps, viewer, id, history);
  return { ...monitor, checks: await readHistory(deps, id, {}), uptimes: await uptimesOf(deps, id) };
};

const INSERTED = {
  name: "text",
  url: "text",
  method: "text",
  interval: "integer",
  timeout: "integer",
  expected_status: "integer",
  headers: "json",
  body: "text",
  retries: "integer",
  active: "boolean",
} as const;

/**
 * Creates a monitor that is due at once. Returns its id.
 * @throws {AppError} quota_reached
 */
export const createMonitor = async (deps: Deps, viewer: Viewer, input: MonitorInput): Promise<number> => {
  const { db, clock } = deps;
  const now = clock.now();
  const nextCheckAt = input.active ? now : null;
  const { name, url, method, interval, timeout, expectedStatus, headers, body, retries, active } = input;
  const row = [name, url, method, interval, timeout, expectedStatus, headers, body, retries, active];
  const columns = sql.raw(Object.keys(INSERTED).join(", "));
  const results = await db.atomically(() => [
    ...lockQuotas(viewer.id),
    sql`${withValues("given", INSERTED, [row])}
      insert into ${monitors} (${columns}, user_id, created_at, updated_at)
      select ${columns}, cast(${viewer.id} as bigint), cast(${now} as bigint), cast(${now} as bigint) from given
      where ${hasRoom(deps, "monitors", viewer.id)} returning id`,
    // A monitor of this user and moment without a state is the one just made: nothing else leaves one behind.
    sql`insert into ${states} (monitor_id, next_check_at, status, recent)
      select m.id, cast(${nextCheckAt} as bigint), 'pending', ${emptyRecent} from ${monitors} as m
      where m.user_id = ${viewer.id} and m.created_at = ${now} and not exists (select 1 from ${states} as s where s.monitor_id = m.id)`,
  ]);
  const [created] = results.at(-2) as { id: number }[];
  if (!created) throw await noRoom(deps, "monitors", viewer.id);
  return Number(created.id);
};

const CHECKED_FIELDS = ["url", "method", "expectedStatus", "headers", "body"] as const;

/** What is stored of a monitor, as the input that would make it. */
export const inputOf = ({ monitor }: MonitorRow): MonitorInput => ({ ...monitor, method: monitor.method as Method });

/**
 * Changes a monitor. One whose request or expectation changed, or that was resumed, is due at once. Gives whether a
 * check that is under way has to begin anew.
 */
export const updateMonitor = async (
  { db, clock }: Deps,
  { monitor }: MonitorRow,
  input: MonitorInput,
): Promise<boolean> => {
  const changed = CHECKED_FIELDS.some((field) => JSON.stringify(input[field]) !== JSON.stringify(monitor[field]));
  const { name, url, method, interval, timeout, expectedStatus, headers, body, retries, active } = input;
  const now = clock.now();
  // What was found of the old request, if a check is under way, must not count for the new one.
  const restart = changed || active !== monitor.active;
  const due = !active ? { nextCheckAt: null } : restart || interval !== monitor.interval ? { nextCheckAt: now } : {};
  await db.atomically((tx) => [
    ...lockRows(states, states.monitorId, eq(states.monitorId, monitor.id)),
    tx
      .update(monitors)
      .set({ name, url, method, interval, timeout, expectedStatus, headers, body, retries, active, updatedAt: now })
      .where(eq(monitors.id, monitor.id)),
    ...(restart || "nextCheckAt" in due
      ? [
          tx
            .update(states)
            .set({
              ...due,
              // Whoever checks the old request now does so for nothing.
              ...(restart && { revision: sql`${states.revision} + 1`, claimedBy: null }),
              ...(changed && url !== monitor.url && { certExpiresAt: null }),
            })
            .where(eq(states.monitorId, monitor.id)),
        ]
      : []),
  ]);
  return restart;
};

export const setActive = (deps: Deps, row: MonitorRow, active: boolean): Promise<boolean> =>
  updateMonitor(deps, row, { ...inputOf(row), active });

/** Deletes a monitor with everything recorded of it. */
export const deleteMonitor = async ({ db, clock }: Deps, { monitor }: MonitorRow): Promise<void> => {
  await db.atomically((tx) => [
    // Where it stands goes first: from then on no check is recorded of it, and none can leave something behind.
    tx.delete(states).where(eq(states.monitorId, monitor.id)),
    ...purgeChecks(tx, monitor.id, monitor.createdAt, clock.now()),
    ...purgeTarget(tx, "monitor", monitor.id),
    tx.delete(monitors).where(eq(monitors.id, monitor.id)),
  ]);
};
