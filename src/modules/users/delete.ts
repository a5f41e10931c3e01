import { and, eq, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { users } from "../../db/schema";
import { lockRows } from "../../db/sql";
import { purgeUserAgents } from "../agents/history/purge";
import { purgeUserMonitors } from "../monitors/history/purge";
import { anotherAdministrator, lockAdministrators } from "./administrators";

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
