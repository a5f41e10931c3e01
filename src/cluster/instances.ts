import { gt } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { instances } from "../db/schema";

/** An instance that was not seen for so long is dead, and what it had claimed is free. */
export const INSTANCE_TIMEOUT = 20_000;
/** After a time when nobody could be seen, the others have so long to show themselves. */
const PATIENCE = INSTANCE_TIMEOUT / 2;

/**
 * Whether no other instance runs on this database. On SQLite none can: what a process that died had claimed is free
 * at once.
 */
export const isAlone = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  if (db.engine === "sqlite") await db.update(instances).set({ seenAt: 0 });
  return (await db.$count(instances, gt(instances.seenAt, clock.now() - INSTANCE_TIMEOUT))) === 0;
};

/** How this instance shows the others that it lives, and judges whether they do. */
export const createHeartbeat = ({ db, clock, instance }: Pick<Deps, "db" | "clock" | "instance">) => {
  let seenAt = 0;
  let patientUntil = 0;
  return {
    /** Writes this instance down as alive when it is time to, and gives whether it was. To be awaited before a claim. */
    beat: async (): Promise<boolean> => {
      const now = clock.now();
      if (now - seenAt < INSTANCE_TIMEOUT / 4 && now >= seenAt) return false;
      await db
        .insert(instances)
        .values({ id: instance, seenAt: now })
        .onConflictDoUpdate({ target: instances.id, set: { seenAt: now } });
      // The database was away, this machine slept, or its clock was set: nobody else could be seen either.
      const interrupted = seenAt > 0 && (now - seenAt >= INSTANCE_TIMEOUT || now < seenAt);
      if (interrupted && db.engine === "postgres") patientUntil = now + PATIENCE;
      seenAt = now;
      return true;
    },
    /** Whoever was last seen at this time or before is dead. */
    deadAt: (): number => {
      const now = clock.now();
      return now < patientUntil && patientUntil <= now + PATIENCE ? 0 : now - INSTANCE_TIMEOUT;
    },
  };
};

export type Heartbeat = ReturnType<typeof createHeartbeat>;
