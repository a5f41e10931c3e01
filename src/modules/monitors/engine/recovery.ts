import { eq } from "drizzle-orm";
import { createHeartbeat } from "../../../cluster/instances";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { instances } from "../../../db/schema";
import { createMutex } from "../../../lib/concurrency";
import { CLOCK_JUMP_MS } from "../../../lib/time";
import { release, releaseAll, releaseDead, releaseLost, resetFutureDueTimes } from "./sql/schedule";

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
