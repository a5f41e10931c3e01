import { gt } from "drizzle-orm";
import type { Deps } from "../deps";
import { instances } from "./schema";

/** An instance that was not seen for so long is dead, and what it had claimed is free. */
export const INSTANCE_TIMEOUT = 20_000;

/**
 * Whether no other instance runs on this database. On SQLite none can: what a process that died had claimed is free
 * at once.
 */
export const isAlone = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  if (db.engine === "sqlite") await db.update(instances).set({ seenAt: 0 });
  return (await db.$count(instances, gt(instances.seenAt, clock.now() - INSTANCE_TIMEOUT))) === 0;
};

/** Writes this instance down as alive when it is time to, and gives whether it was. To be awaited before a claim. */
export const createHeartbeat = ({ db, clock, instance }: Pick<Deps, "db" | "clock" | "instance">) => {
  let seenAt = 0;
  return async (): Promise<boolean> => {
    const now = clock.now();
    if (now - seenAt < INSTANCE_TIMEOUT / 4 && now >= seenAt) return false;
    await db
      .insert(instances)
      .values({ id: instance, seenAt: now })
      .onConflictDoUpdate({ target: instances.id, set: { seenAt: now } });
    seenAt = now;
    return true;
  };
};
