import { eq, type SQL, sql } from "drizzle-orm";
import { createHeartbeat } from "../../../../cluster/instances";
import type { Deps } from "../../../../core/deps";
import { AppError, describeError } from "../../../../core/errors";
import type { Database } from "../../../../db/database";
import { instances, monitors, monitorStates as states } from "../../../../db/schema";
import { isOneOf, lockRows, skipLocked } from "../../../../db/sql";
import { createMutex } from "../../../../lib/concurrency";
import { CLOCK_JUMP_MS } from "../../../../lib/time";
import { NEVER } from "../../../../shared/monitor";
import { isClaimedBy, recordResults } from "../record";
import { type Claim, type Claims, LOOKAHEAD, RELEASED_WITHIN } from "./claims";
import { longestPauseSql, nextTimeSql } from "./due-times";
import { createRecheckBudget, recheckSoon } from "./rechecks";

/** The condition that no living instance has claimed the monitor: checks of one monitor never overlap. */
const free = (deadAt: number): SQL =>
  sql`(${states.claimedBy} is null or ${states.claimedBy} not in (select ${instances.id} from ${instances} where ${instances.seenAt} > ${deadAt}))`;

const RETURNED = sql`returning ${states.monitorId}, ${states.dueAt}, ${states.nextCheckAt}, ${states.revision}, ${states.status}, ${states.slowBits}`;

/** Claims up to `limit` monitors that are due by `horizon`, and sets their next due times. */
export const claimDue = (instance: string, deadAt: number, horizon: number, limit: number): SQL => sql`
  with due as (select monitor_id from ${states} where next_check_at <= ${horizon} and ${free(deadAt)}
    order by next_check_at limit ${limit}${skipLocked})
  update ${states} set due_at = ${states.nextCheckAt}, claimed_by = ${instance}, next_check_at = ${nextTimeSql(horizon)}
  from ${monitors}
  where ${monitors.id} = ${states.monitorId} and ${states.nextCheckAt} <= ${horizon} and ${free(deadAt)}
    and ${states.monitorId} in (select due.monitor_id from due)
  ${RETURNED}`;

/** Claims of instances that were last seen before `deadAt` count no more. A scheduled check is due by `horizon`. */
type Claiming = { instance: string; deadAt: number; now: number; horizon: number };

/**
 * Claims one monitor, paused or not, for a check outside the schedule. It counts as the scheduled check if that is due;
 * otherwise the next due time stays the same.
 */
export const claimOne = ({ instance, deadAt, now, horizon }: Claiming, monitorId: number): SQL => sql`
  update ${states} set due_at = ${now}, claimed_by = ${instance},
    next_check_at = case when ${states.nextCheckAt} <= ${now} then ${nextTimeSql(horizon)} else ${states.nextCheckAt} end
  from ${monitors}
  where ${monitors.id} = ${states.monitorId} and ${states.monitorId} = ${monitorId} and ${free(deadAt)}
  ${RETURNED}`;

/** Claims the given monitors that are active and free, like `claimOne`. */
const claimIdle = ({ instance, deadAt, now, horizon }: Claiming, monitorIds: readonly number[]): SQL => {
  const isIdle = sql`${states.nextCheckAt} is not null and ${free(deadAt)}`;
  return sql`
  with idle as (select monitor_id from ${states} where ${isOneOf(states.monitorId, monitorIds)} and ${isIdle}
    order by monitor_id${skipLocked})
  update ${states} set due_at = ${now}, claimed_by = ${instance},
    next_check_at = case when ${states.nextCheckAt} <= ${now} then ${nextTimeSql(horizon)} else ${states.nextCheckAt} end
  from ${monitors}
  where ${monitors.id} = ${states.monitorId} and ${isIdle} and ${states.monitorId} in (select idle.monitor_id from idle)
  ${RETURNED}`;
};

/** Converts a row of either engine to a claim. */
export const readClaim = (row: Record<string, unknown>): Claim => ({
  monitorId: Number(row.monitor_id),
  dueAt: Number(row.due_at),
  nextCheckAt: row.next_check_at === null ? Number.POSITIVE_INFINITY : Number(row.next_check_at),
  revision: Number(row.revision),
  status: row.status as Claim["status"],
  slowBits: Number(row.slow_bits),
});

/** Releases claims without a result. The next due times stay the same, or are soon after a time. */
const release = (instance: string, monitorIds: number[], soonAfter: number | null): SQL[] => {
  const ours = sql`${isClaimedBy(instance)} and ${isOneOf(states.monitorId, monitorIds)}`;
  const soon = soonAfter === null ? sql`next_check_at` : nextTimeSql(soonAfter, sql.raw(String(RELEASED_WITHIN)));
  return [
    ...lockRows(states, states.monitorId, ours),
    sql`update ${states} set claimed_by = null,
        next_check_at = case when ${states.nextCheckAt} > ${soon} then ${soon} else ${states.nextCheckAt} end
      from ${monitors} where ${monitors.id} = ${states.monitorId} and ${ours}`,
  ];
};

/** Releases claims and restores their due times, so that the monitors are due again at once. */
const undo = (claims: SQL): SQL[] => [
  ...lockRows(states, states.monitorId, claims),
  sql`update ${states} set claimed_by = null, next_check_at = case when ${states.nextCheckAt} is null then null else ${states.dueAt} end
    where ${claims}`,
];

/** Releases all claims of an instance, and restores their due times. */
export const releaseAll = (instance: string): SQL[] => undo(sql`${states.claimedBy} = ${instance}`);

/** Releases the stored claims of an instance on monitors other than `known`, which are in flight. */
export const releaseLost = (instance: string, inFlight: number[]): SQL[] =>
  undo(sql`${isClaimedBy(instance)} and not ${isOneOf(states.monitorId, inFlight)}`);

/** Resets due times that are more than an interval in the future, of these monitors or of all. */
export const resetFutureDueTimes = (now: number, monitorIds?: readonly number[]): SQL[] => {
  const pause = sql`(select ${longestPauseSql} from ${monitors} where ${monitors.id} = ${states.monitorId})`;
  const isTooFar = sql`${states.nextCheckAt} > ${now} + ${CLOCK_JUMP_MS} + ${pause} and ${states.nextCheckAt} < ${NEVER}`;
  const tooFar = monitorIds ? sql`${isOneOf(states.monitorId, monitorIds)} and ${isTooFar}` : isTooFar;
  return [
    ...lockRows(states, states.monitorId, tooFar),
    sql`update ${states} set next_check_at = ${nextTimeSql(now)} from ${monitors}
      where ${monitors.id} = ${states.monitorId} and ${tooFar}`,
  ];
};

/** Releases the claims of instances that were last seen at `deadAt` or before, and deletes their heartbeats. */
const releaseDead = (deadAt: number): SQL[] => {
  const dead = sql`${instances.seenAt} <= ${deadAt}`;
  return [
    ...undo(sql`${states.claimedBy} in (select ${instances.id} from ${instances} where ${dead})`),
    sql`delete from ${instances} where ${dead}`,
  ];
};

type Options = Pick<Deps, "db" | "clock" | "log" | "live" | "instance" | "changedMonitors"> & {
  /** The ids of the monitors that this process has in flight. */
  known: () => number[];
};

/**
 * Claims in the `claimed_by` column of states. A claim is valid while its instance is alive. Stored claims are kept in
 * agreement with what this process has in flight: after a write whose outcome is unknown, a clock that was set back, or
 * the death of an instance.
 */
export const createStoredClaims = ({ known, ...deps }: Options): Claims => {
  const { db, clock, log, instance, changedMonitors } = deps;
  const { beat, deadAt } = createHeartbeat({ db, clock, instance });
  const exclusively = createMutex();
  const takeFailed = createRecheckBudget(clock);
  /** The last write failed or its response was lost, so that claims may be stored that this process does not know. */
  let doubtful = false;
  // When due times were computed last. The clock may have been set back while no instance ran.
  let seenAt = Number.POSITIVE_INFINITY;

  const claiming = (): Claiming => {
    const now = clock.now();
    seenAt = Math.max(seenAt, now);
    return { instance, deadAt: deadAt(), now, horizon: now + LOOKAHEAD };
  };

  /** Runs a transaction. If the previous one failed, claims that this process does not know are released first. */
  const transact: Database["transact"] = async (body) => {
    if (doubtful) await db.atomically(() => releaseLost(instance, known()));
    doubtful = true;
    const returned = await db.transact(body);
    doubtful = false;
    return returned;
  };
  const atomically: Database["atomically"] = (build) => transact((tx) => tx.atomically(build));

  return {
    shared: true,
    exclusively,

    writeAndClaim: async (results, limit) => {
      if (results.length === 0 && limit === 0) return [];
      const horizon = clock.now() + LOOKAHEAD;
      return transact(async (tx) => {
        await recordResults({ ...deps, db: tx }, instance, results);
        await tx.atomically(() => recheckSoon(takeFailed(results), horizon));
        return limit > 0 ? (await tx.rows(claimDue(instance, deadAt(), horizon, limit))).map(readClaim) : [];
      });
    },

    claimOne: async (monitorId) => {
      const [rows] = await atomically(() => [claimOne(claiming(), monitorId)]);
      const [row] = rows as Record<string, unknown>[];
      if (!row) throw new AppError("check_in_progress");
      return readClaim(row);
    },

    claimIdle: async (monitorIds) => {
      if (monitorIds.length === 0) return [];
      const [rows] = await atomically(() => [claimIdle(claiming(), monitorIds)]);
      return (rows as Record<string, unknown>[]).map(readClaim);
    },

    // If it fails, the next write releases them. Monitors that were claimed again since are in flight, and stay claimed.
    release: (monitorIds, isSoon = false) =>
      exclusively(() =>
        atomically(() => {
          const inFlight = new Set(known());
          const ended = monitorIds.filter((id) => !inFlight.has(id));
          return release(instance, ended, isSoon ? clock.now() : null);
        }),
      ).then(
        () => {},
        (error) => log.warn("failed to release a claim, will retry", { error: describeError(error) }),
      ),

    // Writes the heartbeat when it is due, and then releases the claims of dead instances.
    beat: async () => {
      if (await beat()) await db.atomically(() => releaseDead(deadAt()));
    },

    followClock: async () => {
      const now = clock.now();
      const wasSetBack = now < seenAt - CLOCK_JUMP_MS;
      // A monitor may have been changed while the clock was ahead, between two ticks.
      const changed = [...changedMonitors];
      if (wasSetBack || changed.length > 0)
        await exclusively(() => atomically(() => resetFutureDueTimes(now, wasSetBack ? undefined : changed)));
      for (const id of changed) changedMonitors.delete(id);
      seenAt = now;
    },

    // If it fails, other instances do both later.
    signOff: () =>
      exclusively(() =>
        db.atomically((tx) => [...releaseAll(instance), tx.delete(instances).where(eq(instances.id, instance))]),
      ).then(
        () => {},
        (error) => log.warn("failed to release claims", { error: describeError(error) }),
      ),
  };
};
