import { gt } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { instances } from "../db/schema";

/** An instance without a heartbeat for this long is dead, and its claims are void. */
export const INSTANCE_TIMEOUT = 20_000;
/** After an interruption of this instance, others get this long to write a heartbeat before they count as dead. */
const HEARTBEAT_GRACE_MS = INSTANCE_TIMEOUT / 2;

/**
 * Whether no other instance runs on this database. On SQLite there is only one: claims of a process that died are free
 * at once.
 */
export const isAlone = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  if (db.engine === "sqlite") await db.update(instances).set({ seenAt: 0 });
  return (await db.$count(instances, gt(instances.seenAt, clock.now() - INSTANCE_TIMEOUT))) === 0;
};

/** Instances in one answer. */
const SHOWN_INSTANCES = 100;

/** The instances that run on this database, by their ids. */
export const readInstances = ({ db, clock }: Pick<Deps, "db" | "clock">) =>
  db
    .select()
    .from(instances)
    .where(gt(instances.seenAt, clock.now() - INSTANCE_TIMEOUT))
    .orderBy(instances.id)
    .limit(SHOWN_INSTANCES);

/** Writes this instance's heartbeat and checks the other instances'. */
export const createHeartbeat = ({ db, clock, instance }: Pick<Deps, "db" | "clock" | "instance">) => {
  let seenAt = 0;
  let graceUntil = 0;
  return {
    /** Writes the heartbeat if it is due, and returns whether it was. Await it before claiming. */
    beat: async (): Promise<boolean> => {
      const now = clock.now();
      if (now - seenAt < INSTANCE_TIMEOUT / 4 && now >= seenAt) return false;
      await db
        .insert(instances)
        .values({ id: instance, seenAt: now })
        .onConflictDoUpdate({ target: instances.id, set: { seenAt: now } });
      // After a database outage, sleep or a clock change, heartbeats of others are missing too.
      const interrupted = seenAt > 0 && (now - seenAt >= INSTANCE_TIMEOUT || now < seenAt);
      if (interrupted && db.engine === "postgres") graceUntil = now + HEARTBEAT_GRACE_MS;
      seenAt = now;
      return true;
    },
    /** Instances whose last heartbeat is at or before this time are dead. */
    deadAt: (): number => {
      const now = clock.now();
      return now < graceUntil && graceUntil <= now + HEARTBEAT_GRACE_MS ? 0 : now - INSTANCE_TIMEOUT;
    },
  };
};
