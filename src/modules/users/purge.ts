import { and, eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { pendingPurges } from "../../db/schema";
import { purgeSamples } from "../agents/history/purge";
import { purgeChecks } from "../monitors/history/purge";

/** Between two pieces the console does what else there is to do. */
const PAUSE = 2;

/**
 * Clears away what was recorded of monitors and agents that went with their user, piece by piece. What is not done when
 * the process ends is done by the next one; doing it twice changes nothing.
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
