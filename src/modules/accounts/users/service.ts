import type { Static } from "@sinclair/typebox";
import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { ofUser } from "../../../db/owner";
import { members, teams, users } from "../../../db/schema";
import { lock, lockRows, lockRowsLightly } from "../../../db/sql";
import { integer, object } from "../../../server/answers";
import { LIMITS } from "../../../shared/limits";
import { assertUsernameAllowed } from "../account/account-rules";
import { assertUnique, findUser, keyOf, presentUser, type User } from "../account/service";
import { type Author, HUB, recordChange } from "../audit/record";
import { endSessionsOf } from "../sessions/service";
import { readDeparture, takeOver } from "../teams/membership";
import { beginPurge, countOwned, ownedFields, purgeTeams } from "../teams/purge";
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
  ...ownedFields,
  teams: integer("How many teams besides the personal one, because no one else is a member.", 0),
});

/** Counts what is deleted together with a user. */
export const countDeleted = async (
  deps: Pick<Deps, "db" | "clock">,
  { id, teamId }: User,
): Promise<Static<typeof Owned>> => {
  const { going } = await readDeparture(deps.db, id);
  return { ...(await countOwned(deps, going)), teams: going.filter((team) => team !== teamId).length };
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

/** Whether a request changes anything of a user. */
export const isChange = (user: User, change: Change): boolean => {
  const { username, email } = namesAfter(user, change);
  const { role = user.role } = change;
  return username !== user.username || email !== user.email || role !== user.role;
};

/** Records a change of a user's names, and of the role, each as an event of the security log. */
const recordUserChange = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  author: Author,
  before: User,
  after: User,
): Promise<void> => {
  const object = { type: "user" as const, id: after.id, name: after.username };
  const changed = { action: "changed" as const, object, teamId: after.teamId };
  const renamed = [
    ...(before.username === after.username ? [] : [`${before.username} → ${after.username}`]),
    ...(before.email === after.email ? [] : [`${before.email ?? "–"} → ${after.email ?? "–"}`]),
  ];
  const detail = [before.username, ...renamed].join(", ");
  await recordChange(deps, author, {
    ...changed,
    before: { username: before.username, email: before.email },
    after: { username: after.username, email: after.email },
    event: { kind: "name_or_email_changed", detail },
  });
  const role = `${after.username}: ${before.role} → ${after.role}`;
  await recordChange(deps, author, {
    ...changed,
    before: { role: before.role },
    after: { role: after.role },
    event: { kind: "role_changed", detail: role },
  });
};

/**
 * Changes a user and returns them. A new role ends their sessions except `keep`, the viewer's own session.
 * @throws {AppError} username_not_allowed, username_taken, email_taken, last_admin, and forbidden for a role that the viewer may not grant
 */
export const changeUser = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  { viewer, keep }: { viewer: Pick<User, "role"> & Author; keep: string },
  user: User,
  change: Change,
): Promise<User> => {
  const role = change.role ?? user.role;
  if (role !== user.role && viewer.role !== "admin") throw new AppError("forbidden");
  const { username, email } = namesAfter(user, change);
  if (username !== user.username) assertUsernameAllowed(username);
  const [usernameKey, emailKey] = [keyOf(username), email && keyOf(email)];
  try {
    return await deps.db.transact(async (tx) => {
      await lock(tx, lockRowsLightly(users, users.id, eq(users.id, user.id)));
      const current = await requireUser(tx, user.id);
      if (current.role === "admin" && role !== "admin") await requireOtherAdministrator(tx, user.id);
      const tokenVersion = current.tokenVersion + Number(current.role !== role);
      // Another address has to be verified again.
      const emailVerifiedAt = current.emailKey === emailKey ? current.emailVerifiedAt : null;
      const values = { username, usernameKey, email, emailKey, emailVerifiedAt, role, tokenVersion };
      await tx.update(users).set(values).where(eq(users.id, user.id));
      if (current.role !== role) await endSessionsOf(tx, user.id, keep);
      const changed = { ...current, ...values };
      await recordUserChange({ ...deps, db: tx }, viewer, current, changed);
      return changed;
    });
  } catch (error) {
    // Unique indexes decide between concurrent changes.
    await assertUnique(deps, { usernameKey, emailKey }, user.id);
    throw error;
  }
};

/**
 * Deletes a user with the teams that have no one else, and hands over what they made for others, in one transaction.
 * @throws {AppError} not_found, last_admin, last_owner
 */
export const deleteUser = (deps: Pick<Deps, "db" | "clock" | "log">, id: number, author: Author = HUB): Promise<void> =>
  deps.db.transact(async (tx) => {
    const ofUserTeams = inArray(teams.id, tx.select({ id: members.teamId }).from(members).where(ofUser(members, id)));
    await lock(tx, lockRowsLightly(teams, teams.id, ofUserTeams));
    const { role, username, teamId } = await requireUser(tx, id);
    if (role === "admin") await requireOtherAdministrator(tx, id);
    const { going, staying } = await readDeparture(tx, id);
    if (staying.some(({ heir }) => heir.role !== "owner")) throw new AppError("last_owner");
    // A personal team that stays would lose its name with its user.
    if (!going.includes(teamId))
      await tx
        .update(teams)
        .set({ name: sql`coalesce(${teams.name}, ${username})` })
        .where(eq(teams.id, teamId));
    await purgeTeams(tx, going, deps.clock.now(), {
      // Locks the user, so that a concurrent insert for them happens before or fails.
      locked: () => lockRows(users, users.id, eq(users.id, id)),
      last: (queries) => [
        ...staying.flatMap(({ member, heir }) => takeOver(queries, member, heir)),
        queries.delete(users).where(eq(users.id, id)),
      ],
    });
    await recordChange({ ...deps, db: tx }, author, {
      ...{ action: "deleted", object: { type: "user", id, name: username }, teamId: null },
      event: { kind: "user_deleted", detail: username },
    });
  });

/** @throws {AppError} cannot_delete_self, last_admin, last_owner, not_found */
export const removeUser = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  viewer: User & Author,
  id: number,
): Promise<void> => {
  if (viewer.id === id) throw new AppError("cannot_delete_self");
  await deleteUser(deps, id, viewer);
  await beginPurge(deps);
};
