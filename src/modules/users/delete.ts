import { and, eq, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { users } from "../../db/schema";
import { lockRows } from "../../db/sql";
import { purgeUserAgents } from "../agents/history/purge";
import { purgeUserMonitors } from "../monitors/history/purge";
import { anotherAdministrator, lockAdministrators } from "./administrators";

/**
 * Deletes a user with everything that is theirs, in one transaction. What was recorded of their monitors and servers
 * can be millions of rows: nobody can reach it from then on, and `forgetPast` clears it away. Gives whether that was
 * done: the last administrator stays.
 */
export const deleteUser = async ({ db, clock }: Pick<Deps, "db" | "clock">, id: number): Promise<boolean> => {
  const isUser = eq(users.id, id);
  // An administrator whom another one survives is made a user first, and users may always go.
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
      // Whatever is being made for them at this moment comes before or not at all.
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
