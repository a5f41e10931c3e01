/**
 * Claims due monitors and loads what their checks need. A claim is stored in `claimed_by`: while its instance is alive, no
 * other one checks the monitor.
 */
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { mayReachPrivate, type Config as Settings } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import { instances, monitors, monitorStates as states, users } from "../../../db/schema";
import { byteLength, isOneOf, skipLocked } from "../../../db/sql";
import type { AnyKind, Config, ProbeContext } from "../kinds/kind";
import { kindOf } from "../kinds/registry";
import type { Request } from "./limits";

/** Milliseconds that a claim looks ahead; each claimed check starts at its own due time. */
export const LOOKAHEAD = 1000;

/** Milliseconds between the due times of monitors with consecutive ids, whose rows are then written together. */
const SPREAD = 100;

/** A monitor that this instance has claimed. */
export type Claim = {
  monitorId: number;
  dueAt: number;
  nextCheckAt: number;
  revision: number;
  status: "up" | "down" | "pending";
};

/**
 * The condition that this instance has claimed the monitor. `coalesce` hides the column's statistics from PostgreSQL's
 * planner: collected while nothing was claimed, they would lead to a nested loop over thousands of claims and results.
 */
export const isClaimedBy = (instance: string, claimedBy: SQLWrapper = states.claimedBy): SQL =>
  sql`coalesce(${claimedBy}, '') = ${instance}`;

/** The condition that no living instance has claimed the monitor: checks of one monitor never overlap. */
const free = (deadAt: number): SQL =>
  sql`(${states.claimedBy} is null or ${states.claimedBy} not in (select ${instances.id} from ${instances} where ${instances.seenAt} > ${deadAt}))`;

/**
 * The first due time of a monitor after `time`. Due times are the multiples of its interval, shifted by its id: they
 * never drift, and monitors that were created together are not checked together.
 */
export const nextTime = (time: number): SQL => {
  const at = sql.raw(`cast(${Math.floor(time)} as bigint)`);
  const interval = sql`(${monitors.interval} * 1000)`;
  return sql`${at} - (${at} - (${monitors.id} * ${sql.raw(String(SPREAD))}) % ${interval}) % ${interval} + ${interval}`;
};

const RETURNED = sql`returning ${states.monitorId}, ${states.dueAt}, ${states.nextCheckAt}, ${states.revision}, ${states.status}`;

/** Claims up to `limit` monitors that are due by `horizon`, and sets their next due times. */
export const claimDue = (instance: string, deadAt: number, horizon: number, limit: number): SQL => sql`
  with due as (select monitor_id from ${states} where next_check_at <= ${horizon} and ${free(deadAt)}
    order by next_check_at limit ${limit}${skipLocked})
  update ${states} set due_at = ${states.nextCheckAt}, claimed_by = ${instance}, next_check_at = ${nextTime(horizon)}
  from ${monitors}
  where ${monitors.id} = ${states.monitorId} and ${states.nextCheckAt} <= ${horizon} and ${free(deadAt)}
    and ${states.monitorId} in (select due.monitor_id from due)
  ${RETURNED}`;

/**
 * Claims one monitor, paused or not, for a check outside the schedule. It counts as the scheduled check if that is due;
 * otherwise the next due time stays the same.
 */
export const claimOne = (instance: string, deadAt: number, now: number, horizon: number, monitorId: number): SQL => sql`
  update ${states} set due_at = ${now}, claimed_by = ${instance},
    next_check_at = case when ${states.nextCheckAt} <= ${now} then ${nextTime(horizon)} else ${states.nextCheckAt} end
  from ${monitors}
  where ${monitors.id} = ${states.monitorId} and ${states.monitorId} = ${monitorId} and ${free(deadAt)}
  ${RETURNED}`;

/** Converts a row of either engine to a claim. */
export const readClaim = (row: Record<string, unknown>): Claim => ({
  monitorId: Number(row.monitor_id),
  dueAt: Number(row.due_at),
  nextCheckAt: row.next_check_at === null ? Number.POSITIVE_INFINITY : Number(row.next_check_at),
  revision: Number(row.revision),
  status: row.status as Claim["status"],
});

/** DNS lookups in flight for one user, and for one administrator. */
const LOOKUPS = 64;
const ADMIN_LOOKUPS = 768;

/** Large fields are read with the claim up to this many bytes; larger ones when the check starts. */
const READ_AHEAD = 512;

/** The part of a monitor that its check needs. */
export type Target = Omit<ProbeContext, "outbound"> & { kind: AnyKind; config: Config; retries: number };

/** A claimed check. `target` is null until its large fields are read, so that they take memory only while it runs. */
export type Job = Claim & { request: Request; target: Target | null };

type Reading = Pick<Deps, "db" | "config">;
type Role = "admin" | "user";

const callerOf = (userId: number, role: Role, settings: Settings) => ({
  key: String(userId),
  lookups: role === "admin" ? ADMIN_LOOKUPS : LOOKUPS,
  allowPrivate: mayReachPrivate(settings, role),
});

const { id, userId, kind, config, payload, timeout, retries } = monitors;
const bytes = byteLength(payload);
const size = sql<number>`${bytes}`.mapWith(Number);
const smallPayload = sql<Config | null>`case when ${bytes} <= ${sql.raw(String(READ_AHEAD))} then ${payload} end`;
const common = { id, userId, kind, config, timeout, retries, role: users.role, size };

type Row = { userId: number; role: Role; config: Config; payload: Config; timeout: number; retries: number };

const targetOf = (kind: AnyKind, row: Row, settings: Settings): Target => ({
  kind,
  config: { ...row.config, ...row.payload },
  timeout: row.timeout,
  retries: row.retries,
  caller: callerOf(row.userId, row.role, settings),
  privateBlockedForAll: settings.privateTargets === "none",
});

/**
 * Loads the jobs of these claims, with the large fields if they are small. Deleted monitors and kinds that only a newer
 * instance knows are left out.
 */
export const readJobs = async ({ db, config: settings }: Reading, claims: Claim[]): Promise<Job[]> => {
  if (claims.length === 0) return [];
  const ids = claims.map(({ monitorId }) => monitorId);
  const rows = await db
    .select({ ...common, payload: smallPayload.mapWith(payload) })
    .from(monitors)
    .innerJoin(users, eq(users.id, userId))
    .where(isOneOf(id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return claims.flatMap((claim) => {
    const row = byId.get(claim.monitorId);
    const known = row && kindOf(row.kind);
    if (!known) return [];
    const host = known.host(row.config);
    const request = { userId: row.userId, limited: row.role !== "admin", host, size: row.size };
    const target = row.payload && targetOf(known, { ...row, payload: row.payload }, settings);
    return [{ ...claim, request, target }];
  });
};

/** Loads everything that a monitor's check needs; null when the monitor was deleted. */
export const readTarget = async ({ db, config: settings }: Reading, monitorId: number): Promise<Target | null> => {
  const [row] = await db
    .select({ ...common, payload })
    .from(monitors)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(id, monitorId));
  const known = row && kindOf(row.kind);
  return known ? targetOf(known, row, settings) : null;
};
