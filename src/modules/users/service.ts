import type { Static } from "@sinclair/typebox";
import { and, asc, eq, ne, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError, describeError, notFound } from "../../core/errors";
import { ownedBy } from "../../db/owner";
import { agents, channels, monitors, pendingPurges, users } from "../../db/schema";
import { lockRows, lockRowsLightly } from "../../db/sql";
import { integer, object } from "../../server/answers";
import { LIMITS, SECOND } from "../../shared/limits";
import { purgeSamples, purgeUserAgents } from "../agents/history/retention";
import { assertUsernameAllowed } from "../auth/accounts/account-rules";
import { assertUnique, findUser, keyOf, presentUser, type User } from "../auth/accounts/service";
import { endSessionsOf } from "../auth/sessions/service";
import { purgeChecks, purgeUserMonitors } from "../monitors/history/checks";
import type { Change } from "./model";

type Store = Pick<Deps, "db">;
type Page = { limit?: number; offset?: number };

/** A page of all users, in the order in which they registered, and how many there are. */
export const listUsers = async ({ db }: Store, { limit = LIMITS.listed, offset = 0 }: Page) => {
  const rows = await db.select().from(users).orderBy(asc(users.id)).limit(limit).offset(offset);
  const complete = offset === 0 && rows.length < limit;
  return { total: complete ? rows.length : await db.$count(users), users: rows.map(presentUser) };
};

/** @throws {AppError} not_found, also when a caller who is no administrator requests another user */
export const findVisible = async (store: Store, viewer: User, id: number): Promise<User> => {
  const user = viewer.role === "admin" || viewer.id === id ? await findUser(store, id) : undefined;
  if (!user) throw notFound("User");
  return user;
};

export const Owned = object({
  monitors: integer("How many monitors.", 3),
  agents: integer("How many servers.", 1),
  channels: integer("How many channels.", 2),
});

/** Counts what is deleted together with a user. */
export const countOwned = async ({ db }: Store, { id }: User): Promise<Static<typeof Owned>> => ({
  monitors: await db.$count(monitors, ownedBy(monitors, id)),
  agents: await db.$count(agents, ownedBy(agents, id)),
  channels: await db.$count(channels, ownedBy(channels, id)),
});

/** Locks the administrators, so that two concurrent demotions run one after another. */
const lockAdministrators = (): SQL[] => lockRowsLightly(users, users.id, eq(users.role, "admin"));

/** Whether there is more than one administrator. */
const anotherAdministrator = sql`(select count(*) from ${users} as a where a.role = 'admin') > 1`;

const lastAdministrator = () => new AppError("last_admin");

/** The username and email after a change. */
const namesAfter = (user: User, { username, email }: Change) => ({
  username: username?.trim() ?? user.username,
  email: email === undefined ? user.email : email?.trim() || null,
});

/** Whether a change affects the username or the email. */
export const isRenaming = (user: User, change: Change): boolean => {
  const { username, email } = namesAfter(user, change);
  return username !== user.username || email !== user.email;
};

/**
 * Changes a user and returns them. A new role ends their sessions except `keep`, the viewer's own session.
 * @throws {AppError} username_not_allowed, username_taken, email_taken, last_admin, and forbidden for a role that the viewer may not grant
 */
export const changeUser = async (
  { db }: Store,
  { viewer, keep }: { viewer: User; keep: string },
  user: User,
  change: Change,
): Promise<User> => {
  const role = change.role ?? user.role;
  if (role !== user.role && viewer.role !== "admin") throw new AppError("forbidden");
  const { username, email } = namesAfter(user, change);
  if (username !== user.username) assertUsernameAllowed(username);
  const [usernameKey, emailKey] = [keyOf(username), email && keyOf(email)];
  const mayLose = role === "admin" ? undefined : or(ne(users.role, "admin"), anotherAdministrator);
  const tokenVersion = sql`case when ${users.role} = ${role} then ${users.tokenVersion} else ${users.tokenVersion} + 1 end`;
  try {
    const results = await db.atomically((tx) => [
      ...lockAdministrators(),
      tx
        .update(users)
        .set({ username, usernameKey, email, emailKey, role, tokenVersion })
        .where(and(eq(users.id, user.id), mayLose))
        .returning(),
    ]);
    const [changed] = results.at(-1) as User[];
    if (changed && changed.tokenVersion !== user.tokenVersion) await endSessionsOf(db, user.id, keep);
    if (changed) return changed;
  } catch (error) {
    // Unique indexes decide between concurrent changes.
    await assertUnique({ db }, { usernameKey, emailKey }, user.id);
    throw error;
  }
  throw (await findUser({ db }, user.id)) ? lastAdministrator() : notFound("User");
};

/** A pause between two pieces lets other work run. */
const PAUSE = 2;

/**
 * Deletes the history of monitors and agents that were deleted with their user, in small pieces. What is left when
 * the process ends is deleted after the next start. Idempotent.
 */
export const purgeDeletedHistory = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  const now = clock.now();
  for (const { kind, id, since } of await db.select().from(pendingPurges)) {
    for (const piece of kind === "monitor" ? purgeChecks(db, id, since, now) : purgeSamples(db, id, since, now)) {
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

/** How long a deletion waits for the history to be purged, which then continues in the background. */
const PURGE_TIMEOUT = 2 * SECOND;

/** @throws {AppError} cannot_delete_self, last_admin, not_found */
export const removeUser = async (deps: Pick<Deps, "db" | "clock" | "log">, viewer: User, id: number): Promise<void> => {
  if (viewer.id === id) throw new AppError("cannot_delete_self");
  if (await deleteUser(deps, id)) {
    const purging = purgeDeletedHistory(deps).catch((error) =>
      deps.log.warn("purging a deleted user's history failed, will continue later", { error: describeError(error) }),
    );
    await Promise.race([purging, deps.clock.sleep(PURGE_TIMEOUT)]);
    return;
  }
  throw (await findUser(deps, id)) ? lastAdministrator() : notFound("User");
};
