import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { instances, monitors, monitorStates as states } from "../../../../db/schema";
import { isOneOf, lockRows, skipLocked } from "../../../../db/sql";

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
const nextTime = (time: number): SQL => {
  const at = sql.raw(`cast(${Math.floor(time)} as bigint)`);
  const interval = sql`(${monitors.interval} * 1000)`;
  return sql`${at} - (${at} - (${monitors.id} * ${sql.raw(String(SPREAD))}) % ${interval}) % ${interval} + ${interval}`;
};

const RETURNED = sql`returning ${states.monitorId}, ${states.dueAt}, ${states.nextCheckAt}, ${states.revision}, ${states.status}`;

const column = (name: string) => sql.raw(name);

/** Claims up to `limit` monitors that are due by `horizon`, and sets their next due times. */
export const claimDue = (instance: string, deadAt: number, horizon: number, limit: number): SQL => sql`
  with due as (select ${column("monitor_id")} from ${states} where ${column("next_check_at")} <= ${horizon} and ${free(deadAt)}
    order by ${column("next_check_at")} limit ${limit}${skipLocked})
  update ${states} set ${column("due_at")} = ${states.nextCheckAt}, ${column("claimed_by")} = ${instance}, ${column("next_check_at")} = ${nextTime(horizon)}
  from ${monitors}
  where ${monitors.id} = ${states.monitorId} and ${states.nextCheckAt} <= ${horizon} and ${free(deadAt)}
    and ${states.monitorId} in (select due.monitor_id from due)
  ${RETURNED}`;

/**
 * Claims one monitor, paused or not, for a check outside the schedule. It counts as the scheduled check if that is due;
 * otherwise the next due time stays the same.
 */
export const claimOne = (instance: string, deadAt: number, now: number, horizon: number, monitorId: number): SQL => sql`
  update ${states} set ${column("due_at")} = ${now}, ${column("claimed_by")} = ${instance},
    ${column("next_check_at")} = case when ${states.nextCheckAt} <= ${now} then ${nextTime(horizon)} else ${states.nextCheckAt} end
  from ${monitors}
  where ${monitors.id} = ${states.monitorId} and ${states.monitorId} = ${monitorId} and ${free(deadAt)}
  ${RETURNED}`;

/** Releases claims without a result; the next due times stay the same. */
export const release = (instance: string, monitorIds: number[]): SQL[] => {
  const ours = sql`${isClaimedBy(instance)} and ${isOneOf(states.monitorId, monitorIds)}`;
  return [
    ...lockRows(states, states.monitorId, ours),
    sql`update ${states} set ${column("claimed_by")} = null where ${ours}`,
  ];
};

/** Releases claims and restores their due times, so that the monitors are due again at once. */
const undo = (claims: SQL): SQL[] => [
  ...lockRows(states, states.monitorId, claims),
  sql`update ${states} set ${column("claimed_by")} = null, ${column("next_check_at")} = case when ${states.nextCheckAt} is null then null else ${states.dueAt} end
    where ${claims}`,
];

/** Releases all claims of an instance, and restores their due times. */
export const releaseAll = (instance: string): SQL[] => undo(sql`${states.claimedBy} = ${instance}`);

/** Releases the stored claims of an instance on monitors other than `known`, which are in flight. */
export const releaseLost = (instance: string, known: number[]): SQL[] =>
  undo(sql`${isClaimedBy(instance)} and not ${isOneOf(states.monitorId, known)}`);

/** After the clock was set back: resets due times that are more than an interval in the future. */
export const resetFutureDueTimes = (now: number): SQL[] => {
  const interval = sql`(select ${monitors.interval} * 1000 from ${monitors} where ${monitors.id} = ${states.monitorId})`;
  const tooFar = sql`${states.nextCheckAt} > ${now} + 2000 + ${interval}`;
  return [
    ...lockRows(states, states.monitorId, tooFar),
    sql`update ${states} set ${column("next_check_at")} = ${nextTime(now)} from ${monitors}
      where ${monitors.id} = ${states.monitorId} and ${tooFar}`,
  ];
};

/** Releases the claims of instances that were last seen at `deadAt` or before, and deletes their heartbeats. */
export const releaseDead = (deadAt: number): SQL[] => {
  const dead = sql`${instances.seenAt} <= ${deadAt}`;
  return [
    ...undo(sql`${states.claimedBy} in (select ${instances.id} from ${instances} where ${dead})`),
    sql`delete from ${instances} where ${dead}`,
  ];
};

/** Converts a row of either engine to a claim. */
export const readClaim = (row: Record<string, unknown>): Claim => ({
  monitorId: Number(row.monitor_id),
  dueAt: Number(row.due_at),
  nextCheckAt: row.next_check_at === null ? Number.POSITIVE_INFINITY : Number(row.next_check_at),
  revision: Number(row.revision),
  status: row.status as Claim["status"],
});
