import { and, eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { forgotten } from "../../db/schema";
import { forgetSamples } from "../agents/history/purge";
import { forgetChecks } from "../monitors/history/purge";

/** Between two pieces the console does what else there is to do. */
const PAUSE = 2;

/**
 * Clears away what was recorded of monitors and agents that went with their user, piece by piece. What is not done when
 * the process ends is done by the next one; doing it twice changes nothing.
 */
export const forgetPast = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  const now = clock.now();
  for (const { kind, id, since } of await db.select().from(forgotten)) {
    for (const piece of kind === "monitor" ? forgetChecks(db, id, since, now) : forgetSamples(db, id, now)) {
      await piece;
      await clock.sleep(PAUSE);
    }
    await db.delete(forgotten).where(and(eq(forgotten.kind, kind), eq(forgotten.id, id)));
  }
};
