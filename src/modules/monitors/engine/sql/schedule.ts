import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { instances, monitors, monitorStates as states } from "../../../../db/schema";
import { isOneOf, lockRows, skipLocked } from "../../../../db/sql";

/** How far apart the times of two monitors with neighbouring ids are. Neighbours' rows are then written together. */
const SPREAD = 100;

/** A monitor that is ours to check now. */
export type Claim = {
  monitorId: number;
  dueAt: number;
  nextCheckAt: number;
  revision: number;
  status: "up" | "down" | "pending";
};

/**
 * The monitor is claimed by this instance. `coalesce` hides the column's statistics from PostgreSQL: taken while nothing
 * was claimed, they have it expect one row and compare each of thousands of claims with each result.
 */
export const isClaimedBy = (instance: string, claimedBy: SQLWrapper = states.claimedBy): SQL =>
  sql`coalesce(${claimedBy}, '') = ${instance}`;

/** Nobody alive is checking it: checks of one monitor never overlap. `deadAt` is what heartbeats judge by. */
const free = (deadAt: number): SQL =>
  sql`(${states.claimedBy} is null or ${states.claimedBy} not in (select ${instances.id} from ${instances} where ${instances.seenAt} > ${deadAt}))`;

/**
 * The first of a monitor's times after `time`. Its times are the multiples of its interval, moved by its id: they
 * never drift, and monitors that were made at once do not fire together.
 */
const nextTime = (time: number): SQL => {
  const at = sql.raw(`cast(${Math.floor(time)} as bigint)`);
  const interval = sql`(${monitors.interval} * 1000)`;
  return sql`${at} - (${at} - (${monitors.id} * ${sql.raw(String(SPREAD))}) % ${interval}) % ${interval} + ${interval}`;
};

const RETURNED = sql`returning ${states.monitorId}, ${states.dueAt}, ${states.nextCheckAt}, ${states.revision}, ${states.status}`;

const column = (name: string) => sql.raw(name);

/** Takes up to `limit` monitors that are due by `horizon`, and sets each one's next time. */
export const claimDue = (instance: string, deadAt: number, horizon: number, limit: number): SQL => sql`
  with due as (select ${column("monitor_id")} from ${states} where ${column("next_check_at")} <= ${horizon} and ${free(deadAt)}
    order by ${column("next_check_at")} limit ${limit}${skipLocked})
  update ${states} set ${column("due_at")} = ${states.nextCheckAt}, ${column("claimed_by")} = ${instance}, ${column("next_check_at")} = ${nextTime(horizon)}
  from ${monitors}
  where ${monitors.id} = ${states.monitorId} and ${states.nextCheckAt} <= ${horizon} and ${free(deadAt)}
    and ${states.monitorId} in (select due.monitor_id from due)
  ${RETURNED}`;

/**
 * Takes one monitor for a check outside its times, paused or not. Its next time stays, unless that has come: then this
 * is the check that was due.
 */
export const claimOne = (instance: string, deadAt: number, now: number, horizon: number, monitorId: number): SQL => sql`
  update ${states} set ${column("due_at")} = ${now}, ${column("claimed_by")} = ${instance},
    ${column("next_check_at")} = case when ${states.nextCheckAt} <= ${now} then ${nextTime(horizon)} else ${states.nextCheckAt} end
  from ${monitors}
  where ${monitors.id} = ${states.monitorId} and ${states.monitorId} = ${monitorId} and ${free(deadAt)}
  ${RETURNED}`;

/** Gives back claims without a result; each monitor's next time stays. */
export const release = (instance: string, monitorIds: number[]): SQL[] => {
  const ours = sql`${isClaimedBy(instance)} and ${isOneOf(states.monitorId, monitorIds)}`;
  return [
    ...lockRows(states, states.monitorId, ours),
    sql`update ${states} set ${column("claimed_by")} = null where ${ours}`,
  ];
};

/** Gives back these claims as if they had never been made: what was not checked is due again at once. */
const undo = (claims: SQL): SQL[] => [
  ...lockRows(states, states.monitorId, claims),
  sql`update ${states} set ${column("claimed_by")} = null, ${column("next_check_at")} = case when ${states.nextCheckAt} is null then null else ${states.dueAt} end
    where ${claims}`,
];

/** Gives back all that an instance has claimed and not checked. */
export const releaseAll = (instance: string): SQL[] => undo(sql`${states.claimedBy} = ${instance}`);

/** Gives back what is stored as claimed by an instance that itself knows of no such claim. */
export const releaseLost = (instance: string, known: number[]): SQL[] =>
  undo(sql`${isClaimedBy(instance)} and not ${isOneOf(states.monitorId, known)}`);

/** After the clock was set back: whoever would wait for longer than an interval waits for its next time. */
export const resetFutureDueTimes = (now: number): SQL[] => {
  const interval = sql`(select ${monitors.interval} * 1000 from ${monitors} where ${monitors.id} = ${states.monitorId})`;
  const tooFar = sql`${states.nextCheckAt} > ${now} + 2000 + ${interval}`;
  return [
    ...lockRows(states, states.monitorId, tooFar),
    sql`update ${states} set ${column("next_check_at")} = ${nextTime(now)} from ${monitors}
      where ${monitors.id} = ${states.monitorId} and ${tooFar}`,
  ];
};

/** Gives back what instances that died had claimed, and forgets them. */
export const releaseDead = (deadAt: number): SQL[] => {
  const dead = sql`${instances.seenAt} <= ${deadAt}`;
  return [
    ...undo(sql`${states.claimedBy} in (select ${instances.id} from ${instances} where ${dead})`),
    sql`delete from ${instances} where ${dead}`,
  ];
};

/** A claim out of a row as either engine gives it. */
export const readClaim = (row: Record<string, unknown>): Claim => ({
  monitorId: Number(row.monitor_id),
  dueAt: Number(row.due_at),
  nextCheckAt: row.next_check_at === null ? Number.POSITIVE_INFINITY : Number(row.next_check_at),
  revision: Number(row.revision),
  status: row.status as Claim["status"],
});
