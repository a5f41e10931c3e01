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
  /** The monitors that this process has in flight. */
  known: () => number[];
};

/**
 * Keeps the stored claims in agreement with what this process has in flight: after a write whose outcome is unknown,
 * a clock that was set back, or the death of an instance.
 */
export const createRecovery = ({ db, clock, log, instance, known }: Options) => {
  const { beat, deadAt } = createHeartbeat({ db, clock, instance });
  const inTurn = createMutex();
  /** The last write failed, or its answer was lost: claims may be stored that this process does not know. */
  let doubtful = false;
  // At the first tick too, because the clock may have been set while no instance ran.
  let tickedAt = Number.POSITIVE_INFINITY;

  /** A transaction. If the one before it failed, claims that this process does not know are released first. */
  const atomically: Atomically = async (build) => {
    if (doubtful) await db.atomically(() => releaseLost(instance, known()));
    doubtful = true;
    const returned = await db.atomically(build);
    doubtful = false;
    return returned;
  };

  return {
    /** Runs work that writes claims, one at a time; `atomically` is its transaction. */
    exclusively: <T>(work: (atomically: Atomically) => Promise<T>): Promise<T> => inTurn(() => work(atomically)),

    /** Writes this instance's heartbeat when it is due, and releases what dead instances have claimed. */
    beat: async (): Promise<void> => {
      if (await beat()) await db.atomically(() => releaseDead(deadAt()));
    },

    /** Instances last seen at this time or before are dead. */
    deadAt,

    /** Brings due times back into reach after the clock was set back. */
    followClock: async (): Promise<void> => {
      const now = clock.now();
      if (now < tickedAt - CLOCK_JUMP_MS) await inTurn(() => atomically(() => resetFutureDueTimes(now)));
      tickedAt = now;
    },

    /** Releases claims of checks that were not made. If that fails, the next write does it. */
    release: (monitorIds: number[]): Promise<void> =>
      inTurn(() => atomically(() => release(instance, monitorIds))).then(
        () => {},
        (error) => log.warn("failed to release a claim, will retry", { error: describeError(error) }),
      ),

    /** Releases all claims of this instance and removes its heartbeat. If that fails, other instances do it later. */
    signOff: (): Promise<void> =>
      inTurn(() =>
        db.atomically((tx) => [...releaseAll(instance), tx.delete(instances).where(eq(instances.id, instance))]),
      ).then(
        () => {},
        (error) => log.warn("failed to release claims", { error: describeError(error) }),
      ),
  };
};

export type Recovery = ReturnType<typeof createRecovery>;
