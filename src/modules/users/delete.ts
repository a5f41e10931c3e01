import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { pendingPurges, users } from "../../db/schema";
import { lockRows, lockRowsLightly } from "../../db/sql";
import { purgeSamples, purgeUserAgents } from "../agents/history/retention";
import { purgeChecks, purgeUserMonitors } from "../monitors/history/purge";

/** Locks the administrators, so that two concurrent demotions run one after another. */
export const lockAdministrators = (): SQL[] => lockRowsLightly(users, users.id, eq(users.role, "admin"));

/** Whether there is more than one administrator. */
export const anotherAdministrator = sql`(select count(*) from ${users} as a where a.role = 'admin') > 1`;

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

/**
 * Deletes a user with everything they own, in one transaction. The history of their monitors and servers
 * can be millions of rows: it becomes unreachable, and `purgeDeletedHistory` deletes it. Returns whether the user
 * was deleted: the last administrator is not.
 */
export const deleteUser = async ({ db, clock }: Pick<Deps, "db" | "clock">, id: number): Promise<boolean> => {
  const isUser = eq(users.id, id);
  // An administrator is demoted first if there is another one; users can always be deleted.
  const doomed = sql`select ${users.id} from ${users} where ${and(isUser, eq(users.role, "user"))}`;
  const results = await db.atomically((tx) => {
    const monitors = purgeUserMonitors(tx, doomed);
    const agents = purgeUserAgents(tx, doomed, clock.now());
    return [
      ...lockAdministrators(),
      tx
        .update(users)
        .set({ role: "user" })
        .where(and(isUser, eq(users.role, "admin"), anotherAdministrator)),
      ...monitors.states,
      ...agents.states,
      // Locks the user, so that a concurrent insert for them happens before or fails.
      ...lockRows(users, users.id, isUser),
      ...monitors.rest,
      ...agents.rest,
      tx
        .delete(users)
        .where(and(isUser, eq(users.role, "user")))
        .returning({ id: users.id }),
    ];
  });
  return (results.at(-1) as unknown[]).length > 0;
};
