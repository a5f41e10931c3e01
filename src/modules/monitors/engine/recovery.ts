import { eq, type SQL, sql } from "drizzle-orm";
import { createHeartbeat } from "../../../cluster/instances";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { instances, monitors, monitorStates as states } from "../../../db/schema";
import { isOneOf, lockRows } from "../../../db/sql";
import { createMutex } from "../../../lib/concurrency";
import { CLOCK_JUMP_MS } from "../../../lib/time";
import { isClaimedBy, nextTime } from "./claim";

/** Releases claims without a result; the next due times stay the same. */
export const release = (instance: string, monitorIds: number[]): SQL[] => {
  const ours = sql`${isClaimedBy(instance)} and ${isOneOf(states.monitorId, monitorIds)}`;
  return [...lockRows(states, states.monitorId, ours), sql`update ${states} set claimed_by = null where ${ours}`];
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
export const releaseLost = (instance: string, known: number[]): SQL[] =>
  undo(sql`${isClaimedBy(instance)} and not ${isOneOf(states.monitorId, known)}`);

/** After the clock was set back: resets due times that are more than an interval in the future. */
export const resetFutureDueTimes = (now: number): SQL[] => {
  const interval = sql`(select ${monitors.interval} * 1000 from ${monitors} where ${monitors.id} = ${states.monitorId})`;
  const tooFar = sql`${states.nextCheckAt} > ${now} + 2000 + ${interval}`;
  return [
    ...lockRows(states, states.monitorId, tooFar),
    sql`update ${states} set next_check_at = ${nextTime(now)} from ${monitors}
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

type Atomically = Database["atomically"];
type Options = Pick<Deps, "db" | "clock" | "log" | "instance"> & {
  /** The ids of the monitors that this process has in flight. */
  known: () => number[];
};

/**
 * Keeps the stored claims in agreement with what this process has in flight: after a write whose outcome is unknown,
 * a clock that was set back, or the death of an instance.
 */
export const createRecovery = ({ db, clock, log, instance, known }: Options) => {
  const { beat, deadAt } = createHeartbeat({ db, clock, instance });
  const exclusive = createMutex();
  /** The last write failed or its response was lost, so that claims may be stored that this process does not know. */
  let doubtful = false;
  // Also at the first tick, because the clock may have been set back while no instance ran.
  let tickedAt = Number.POSITIVE_INFINITY;

  /** Runs a transaction. If the previous one failed, claims that this process does not know are released first. */
  const atomically: Atomically = async (build) => {
    if (doubtful) await db.atomically(() => releaseLost(instance, known()));
    doubtful = true;
    const returned = await db.atomically(build);
    doubtful = false;
    return returned;
  };

  return {
    /** Runs work that writes claims, one at a time, with `atomically` for its transaction. */
    exclusively: <T>(work: (atomically: Atomically) => Promise<T>): Promise<T> => exclusive(() => work(atomically)),

    /** Writes this instance's heartbeat when it is due, and then releases the claims of dead instances. */
    beat: async (): Promise<void> => {
      if (await beat()) await db.atomically(() => releaseDead(deadAt()));
    },

    /** Instances last seen at this time or before are dead. */
    deadAt,

    /** Resets due times that are too far in the future after the clock was set back. */
    followClock: async (): Promise<void> => {
      const now = clock.now();
      if (now < tickedAt - CLOCK_JUMP_MS) await exclusive(() => atomically(() => resetFutureDueTimes(now)));
      tickedAt = now;
    },

    /** Releases claims of checks that did not run. If that fails, the next write releases them. */
    release: (monitorIds: number[]): Promise<void> =>
      exclusive(() => atomically(() => release(instance, monitorIds))).then(
        () => {},
        (error) => log.warn("failed to release a claim, will retry", { error: describeError(error) }),
      ),

    /** Releases all claims of this instance and deletes its heartbeat. If that fails, other instances do both later. */
    signOff: (): Promise<void> =>
      exclusive(() =>
        db.atomically((tx) => [...releaseAll(instance), tx.delete(instances).where(eq(instances.id, instance))]),
      ).then(
        () => {},
        (error) => log.warn("failed to release claims", { error: describeError(error) }),
      ),
  };
};

export type Recovery = ReturnType<typeof createRecovery>;
