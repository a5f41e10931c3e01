import type { Static } from "@sinclair/typebox";
import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { claimAttempt, type Limit } from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { madeBy } from "../../../db/owner";
import { appSettings, members, teams, users } from "../../../db/schema";
import { component, id, nullable, oneOf, text, time } from "../../../server/answers";
import type { Language } from "../../../shared/language";
import { isTimeZone } from "../../../shared/time-zone";
import { type Author, type Change, HUB, recordChange } from "../audit/record";
import { endSessionsOf } from "../sessions/service";
import { hashPassword, inPasswordQueue, type Place } from "../sign-in/password-queue";
import { assertPasswordAllowed, assertUsernameAllowed } from "./account-rules";

export type User = typeof users.$inferSelect;
export type NewAccount = {
  username: string;
  password: string;
  email?: string | null;
  /** `first`: administrator if there is no other account, else user. */
  role?: User["role"] | "first";
};

export const PublicUser = component("User", {
  id: id("The user's id.", 1),
  username: text("Unique regardless of case.", "alice"),
  email: nullable(text("The email address.", "alice@example.com")),
  role: oneOf("The role.", ["admin", "user"]),
  created_at: time("When the account was created."),
});

export const presentUser = ({ id, username, email, role, createdAt }: User): Static<typeof PublicUser> => ({
  id,
  username,
  email,
  role,
  created_at: new Date(createdAt).toISOString(),
});

/** The hash of a user who has no password, because an issuer or a proxy signs them in. It is the hash of no password. */
export const NO_PASSWORD = "";

export const keyOf = (text: string) => text.trim().normalize("NFKC").toLowerCase();

/** Whether there is any account. */
export const hasUsers = async ({ db }: Pick<Deps, "db">): Promise<boolean> => (await db.$count(users)) > 0;

/** When the first of the accounts was created; null without any. */
export const firstAccountAt = async ({ db }: Pick<Deps, "db">): Promise<number | null> => {
  const [first] = await db.select({ at: users.createdAt }).from(users).orderBy(users.createdAt).limit(1);
  return first?.at ?? null;
};

const emailTaken = () => new AppError("email_taken");

/**
 * Asserts that no user other than `except` has this name or this e-mail address.
 * @throws {AppError} username_taken, email_taken
 */
export const assertUnique = async (
  { db }: Pick<Deps, "db">,
  { usernameKey, emailKey }: Pick<User, "usernameKey" | "emailKey">,
  except = 0,
): Promise<void> => {
  const others = await db
    .select({ usernameKey: users.usernameKey })
    .from(users)
    .where(
      and(
        ne(users.id, except),
        or(eq(users.usernameKey, usernameKey), emailKey ? eq(users.emailKey, emailKey) : undefined),
      ),
    );
  if (others.some((other) => other.usernameKey === usernameKey)) throw new AppError("username_taken");
  if (others.length > 0) throw emailTaken();
};

/** Inserts a user with their personal team, within a transaction; returns undefined when the name or the e-mail address is taken. */
export const insertUser = async (
  tx: Database,
  row: Omit<typeof users.$inferInsert, "teamId">,
): Promise<User | undefined> => {
  const [team = { id: 0 }] = await tx.insert(teams).values({ createdAt: row.createdAt }).returning({ id: teams.id });
  const [user] = await tx
    .insert(users)
    .values({ ...row, teamId: team.id })
    .onConflictDoNothing()
    .returning();
  if (user) await tx.insert(members).values({ ...madeBy(user), role: "owner" });
  else await tx.delete(teams).where(eq(teams.id, team.id));
  return user;
};

/** Who created an account, for the logs. */
type Creation = (user: User) => { author: Author; event?: Change["event"] };

/** A user who has created their own account, from an address. */
export const byThemselves =
  (address: string): Creation =>
  ({ id, username }) => ({ author: { id, origin: { username, key: null, address } }, event: { kind: "registered" } });

type Storing = {
  role: NonNullable<NewAccount["role"]>;
  creation: Creation;
  /** Runs in the transaction that stores the account. */
  also?: ((tx: Database, user: User) => Promise<unknown>) | undefined;
};

/** Stores an account; returns undefined when the name or the e-mail address is taken. */
export const storeAccount = (
  deps: Pick<Deps, "db" | "clock" | "log">,
  row: Omit<typeof users.$inferInsert, "teamId" | "role">,
  { role, creation, also }: Storing,
): Promise<User | undefined> =>
  deps.db.transact(async (tx) => {
    // Locks a row, so that only one of two concurrent registrations becomes administrator.
    await tx
      .insert(appSettings)
      .values({ key: "last_registration", value: row.usernameKey })
      .onConflictDoUpdate({ target: appSettings.key, set: { value: row.usernameKey } });
    const own = role !== "first" ? role : (await hasUsers({ db: tx })) ? "user" : "admin";
    const user = await insertUser(tx, { ...row, role: own });
    await tx.delete(appSettings).where(eq(appSettings.key, "setup_code"));
    if (!user) return undefined;
    await also?.(tx, user);
    const { author, event } = creation(user);
    const { id, username, teamId } = user;
    await recordChange({ ...deps, db: tx }, author, {
      ...{ action: "created", object: { type: "user", id, name: username }, teamId },
      after: { role: user.role },
      ...(event && { event }),
    });
    return user;
  });

/** A registration request of an unknown client: its network, and the limits that count it. */
type Requested = { network: string; limits: Limit[] };

const BY_HUB: Creation = () => ({ author: HUB });

/**
 * Creates an account. The default role is user.
 * @throws {AppError} username_not_allowed, weak_password, username_taken, email_taken, rate_limited
 */
export const createAccount = async (
  deps: Deps,
  account: NewAccount,
  requested?: Requested,
  creation: Creation = BY_HUB,
): Promise<User> => {
  assertUsernameAllowed(account.username);
  assertPasswordAllowed(deps, account.password, account);
  const email = account.email?.trim() || null;
  const names = { usernameKey: keyOf(account.username), emailKey: email && keyOf(email) };
  const place: Place = requested
    ? { priority: "unknown", share: requested.network }
    : { priority: "known", share: "administration" };
  const passwordHash = await inPasswordQueue(deps, place, async () => {
    if (requested) await claimAttempt(deps, requested.limits);
    // A taken name is refused before a hash is computed.
    await assertUnique(deps, names);
    return hashPassword(account.password);
  });
  const row = { ...names, username: account.username.trim(), email, passwordHash, createdAt: deps.clock.now() };
  const created = await storeAccount(deps, row, { role: account.role ?? "user", creation });
  if (created) return created;
  await assertUnique(deps, names);
  throw emailTaken();
};

export const findUser = async ({ db }: Pick<Deps, "db">, id: number): Promise<User | undefined> =>
  (await db.select().from(users).where(eq(users.id, id)))[0];

export const findUserByName = async ({ db }: Pick<Deps, "db">, username: string): Promise<User | undefined> =>
  (
    await db
      .select()
      .from(users)
      .where(eq(users.usernameKey, keyOf(username)))
  )[0];

/**
 * Sets a password, ends the user's sessions except `keep`, and returns the changed user. The token of the
 * kept session is refused until `renewSession` replaces it. With `replaces`, only while that is the hash of the password.
 * @throws {AppError} not_found, weak_password, rate_limited
 */
export const setPassword = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  id: number,
  password: string,
  { keep, replaces }: { keep?: string; replaces?: string } = {},
): Promise<User> => {
  const owner = await findUser(deps, id);
  if (!owner) throw notFound("User");
  assertPasswordAllowed(deps, password, owner);
  const place: Place = { priority: "known", share: `user ${id}` };
  const passwordHash = await inPasswordQueue(deps, place, () => hashPassword(password));
  const [updated] = await deps.db.atomically((tx) => [
    tx
      .update(users)
      .set({ passwordHash, tokenVersion: sql`${users.tokenVersion} + 1` })
      .where(and(eq(users.id, id), replaces === undefined ? undefined : eq(users.passwordHash, replaces)))
      .returning(),
    endSessionsOf(tx, id, keep),
  ]);
  const [user] = updated as User[];
  if (!user) throw notFound("User");
  return user;
};

/** Sets the language of a user's alerts. */
export const setLanguage = async ({ db }: Pick<Deps, "db">, user: User, language: Language): Promise<void> => {
  if (user.language !== language) await db.update(users).set({ language }).where(eq(users.id, user.id));
};

/** Stores a request's language for the user's alerts, unless they have a language already. Returns the language in use. */
export const adoptLanguage = async ({ db }: Pick<Deps, "db">, user: User, stated: Language | undefined) => {
  if (user.language !== null || !stated) return user.language;
  await db
    .update(users)
    .set({ language: stated })
    .where(and(eq(users.id, user.id), isNull(users.language)));
  return stated;
};

/** Sets the time zone of times in a user's alerts. Returns whether it is a known one. */
export const setTimeZone = async ({ db }: Pick<Deps, "db">, user: User, timeZone: string): Promise<boolean> => {
  if (!isTimeZone(timeZone)) return false;
  if (user.timeZone !== timeZone) await db.update(users).set({ timeZone }).where(eq(users.id, user.id));
  return true;
};
