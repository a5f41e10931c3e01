import { and, eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { pendingPurges } from "../../db/schema";
import { purgeSamples } from "../agents/history/purge";
import { purgeChecks } from "../monitors/history/purge";

/** A pause between two pieces lets other work run. */
const PAUSE = 2;

/**
 * Deletes the history of monitors and agents that were deleted with their user, in small pieces. What is left when
 * the process ends is deleted after the next start. Idempotent.
 */
export const purgeDeletedHistory = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  const now = clock.now();
  for (const { kind, id, since } of await db.select().from(pendingPurges)) {
    for (const piece of kind === "monitor" ? purgeChecks(db, id, since, now) : purgeSamples(db, id, now)) {
      await piece;
      await clock.sleep(PAUSE);
    }
    await db.delete(pendingPurges).where(and(eq(pendingPurges.kind, kind), eq(pendingPurges.id, id)));
  }
};
