import type { Static } from "@sinclair/typebox";
import { and, asc, eq, ne, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, describeError, notFound } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { pendingPurges, teams, users } from "../../../db/schema";
import { isOneOf, lock, lockRows, lockRowsLightly } from "../../../db/sql";
import { integer, object } from "../../../server/answers";
import { LIMITS, SECOND } from "../../../shared/limits";
import { assertUsernameAllowed } from "../account/account-rules";
import { assertUnique, findUser, keyOf, presentUser, type User } from "../account/service";
import { type CountOwned, owned } from "../owned";
import { endSessionsOf } from "../sessions/service";
import { handOverAll } from "../teams/hand-over";
import type { Change } from "./model";

type Store = Pick<Deps, "db">;
type Page = { limit?: number; offset?: number };

/** A page of all users, in order of registration, and their total number. */
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
export const countOwned = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { teamId }: User,
): Promise<Static<typeof Owned>> => {
  const { monitors, servers, channels } = owned();
  const count = (of: { count: CountOwned }) => of.count(teamId, clock.now());
  const [row] = await db.rows(
    sql`select ${count(monitors)} as monitors, ${count(servers)} as agents, ${count(channels)} as channels`,
  );
  return { monitors: Number(row?.monitors), agents: Number(row?.agents), channels: Number(row?.channels) };
};

/**
 * Asserts within a transaction, until it ends, that another administrator remains without a user.
 * @throws {AppError} last_admin
 */
const requireOtherAdministrator = async (tx: Database, id: number): Promise<void> => {
  await lock(tx, lockRowsLightly(users, users.id, eq(users.role, "admin")));
  if ((await tx.$count(users, and(eq(users.role, "admin"), ne(users.id, id)))) === 0) throw new AppError("last_admin");
};

/** @throws {AppError} not_found */
const requireUser = async (tx: Database, id: number): Promise<User> => {
  const user = await findUser({ db: tx }, id);
  if (!user) throw notFound("User");
  return user;
};

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
  try {
    return await db.transact(async (tx) => {
      await lock(tx, lockRowsLightly(users, users.id, eq(users.id, user.id)));
      const current = await requireUser(tx, user.id);
      if (current.role === "admin" && role !== "admin") await requireOtherAdministrator(tx, user.id);
      const tokenVersion = current.tokenVersion + Number(current.role !== role);
      const values = { username, usernameKey, email, emailKey, role, tokenVersion };
      await tx.update(users).set(values).where(eq(users.id, user.id));
      if (current.role !== role) await endSessionsOf(tx, user.id, keep);
      return { ...current, ...values };
    });
  } catch (error) {
    // Unique indexes decide between concurrent changes.
    await assertUnique({ db }, { usernameKey, emailKey }, user.id);
    throw error;
  }
};

/** A pause between two pieces lets other work run. */
const PAUSE = 2;

/**
 * Deletes the history of monitors and agents that were deleted with their user, in small pieces. The remainder is deleted
 * after the next start. Idempotent.
 */
export const purgeDeletedHistory = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  const now = clock.now();
  for (const { kind, id, since } of await db.select().from(pendingPurges)) {
    const { purgeHistory } = kind === "monitor" ? owned().monitors : owned().servers;
    for (const piece of purgeHistory(db, id, since, now)) {
      await piece;
      await clock.sleep(PAUSE);
    }
    await db.delete(pendingPurges).where(and(eq(pendingPurges.kind, kind), eq(pendingPurges.id, id)));
  }
};

/**
 * Deletes a user with the teams that have no other member, in one transaction. The history of their monitors and servers
 * can be millions of rows: it becomes unreachable, and `purgeDeletedHistory` deletes it.
 * @throws {AppError} not_found, last_admin, last_owner
 */
export const deleteUser = ({ db, clock }: Pick<Deps, "db" | "clock">, id: number): Promise<void> =>
  db.transact(async (tx) => {
    const { role } = await requireUser(tx, id);
    if (role === "admin") await requireOtherAdministrator(tx, id);
    const ids = await handOverAll(tx, id);
    const owner = sql.join(
      ids.map((teamId) => sql`${teamId}`),
      sql`, `,
    );
    const monitors = owned().monitors.purge(tx, owner, clock.now());
    const servers = owned().servers.purge(tx, owner, clock.now());
    await tx.atomically(() => [
      ...monitors.states,
      ...servers.states,
      // Locks the teams and the user, so that a concurrent insert for them happens before or fails.
      ...lockRows(teams, teams.id, isOneOf(teams.id, ids)),
      ...lockRows(users, users.id, eq(users.id, id)),
      ...monitors.rest,
      ...servers.rest,
      tx.delete(users).where(eq(users.id, id)),
      tx.delete(teams).where(isOneOf(teams.id, ids)),
    ]);
  });

/** How long a deletion waits for the history to be purged, which then continues in the background. */
const PURGE_TIMEOUT = 2 * SECOND;

/** @throws {AppError} cannot_delete_self, last_admin, last_owner, not_found */
export const removeUser = async (deps: Pick<Deps, "db" | "clock" | "log">, viewer: User, id: number): Promise<void> => {
  if (viewer.id === id) throw new AppError("cannot_delete_self");
  await deleteUser(deps, id);
  const purging = purgeDeletedHistory(deps).catch((error) =>
    deps.log.warn("purging a deleted user's history failed, will continue later", { error: describeError(error) }),
  );
  await Promise.race([purging, deps.clock.sleep(PURGE_TIMEOUT)]);
};
