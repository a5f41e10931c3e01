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
