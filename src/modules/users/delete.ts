import { and, eq, sql } from "drizzle-orm";
import { users } from "../../db/schema";
import { lockRows } from "../../db/values";
import type { Deps } from "../../deps";
import { forgetAgentsOf } from "../agents/forget";
import { forgetMonitorsOf, oldestMonitor } from "../monitors/forget";
import { anotherAdministrator, lockAdministrators } from "./administrators";

/**
 * Deletes a user with everything that is theirs, in one transaction. Gives whether that was done: the last
 * administrator stays.
 */
export const deleteUser = async ({ db, clock }: Pick<Deps, "db" | "clock">, id: number): Promise<boolean> => {
  const now = clock.now();
  const since = await oldestMonitor({ db }, id);
  const isUser = eq(users.id, id);
  // An administrator whom another one survives is made a user first, and users may always go.
  const doomed = sql`select ${users.id} from ${users} where ${and(isUser, eq(users.role, "user"))}`;
  const results = await db.atomically((tx) => {
    const monitors = forgetMonitorsOf(tx, doomed, since, now);
    const agents = forgetAgentsOf(tx, doomed, now);
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
      ...monitors.past,
      ...agents.past,
      tx
        .delete(users)
        .where(and(isUser, eq(users.role, "user")))
        .returning({ id: users.id }),
    ];
  });
  return (results.at(-1) as unknown[]).length > 0;
};
