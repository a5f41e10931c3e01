import type { Static } from "@sinclair/typebox";
import { and, eq, isNotNull } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { ofUser } from "../../../db/owner";
import { identities, users } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { component, time } from "../../../server/answers";
import { applyRole, createExternal, roleOf } from "../account/external";
import { hasUsers, keyOf, NO_PASSWORD, type User } from "../account/service";
import { applyTeams } from "../teams/groups";
import type { IssuerUser } from "./issuer";

type Store = Pick<Deps, "db" | "clock" | "config" | "log">;
type Identified = Pick<IssuerUser, "issuer" | "subject">;

export const Identity = component("Identity", {
  linked_at: time("When the account was linked to the issuer, or created by it."),
  last_sign_in_at: time("When the user last signed in there."),
});

const ofSubject = ({ issuer, subject }: Identified) =>
  and(eq(identities.issuer, issuer), eq(identities.subject, subject));

const findBySubject = async (db: Database, identified: Identified): Promise<User | undefined> => {
  const rows = await db
    .select({ user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(ofSubject(identified));
  return rows[0]?.user;
};

/** The account whose owner has verified the address that the issuer has verified, too. */
const findByEmail = async (db: Database, { email, isEmailVerified }: IssuerUser): Promise<User | undefined> => {
  if (!email || !isEmailVerified) return undefined;
  const verified = and(eq(users.emailKey, keyOf(email)), isNotNull(users.emailVerifiedAt));
  return (await db.select().from(users).where(verified))[0];
};

const insertIdentity = async (tx: Database, { issuer, subject }: Identified, userId: number, now: number) => {
  const row = { issuer, subject, userId, createdAt: now, lastSignInAt: now };
  return (await tx.insert(identities).values(row).onConflictDoNothing().returning()).length > 0;
};

/** Another request linked or created the account at the same moment. */
class Linked extends Error {}

/** @throws {AppError} no_account, setup_code_required */
const createUser = async (deps: Store, person: IssuerUser, address: string): Promise<User> => {
  const { autoCreate, adminGroup } = deps.config.oidc;
  if (!autoCreate) throw new AppError("no_account");
  const role = roleOf(person.groups, adminGroup) ?? "user";
  // Anyone may have an account at a public issuer: that alone makes no administrator.
  if (role === "user" && !(await hasUsers(deps))) throw new AppError("setup_code_required");
  const also = async (tx: Database, { id }: User) => {
    if (!(await insertIdentity(tx, person, id, deps.clock.now()))) throw new Linked();
  };
  return createExternal(deps, person, { role, address, also });
};

const findOrCreate = async (deps: Store, person: IssuerUser, address: string): Promise<User> => {
  const { db, clock, config } = deps;
  const known = await findBySubject(db, person);
  if (known) return known;
  const owner = config.oidc.linkEmail ? await findByEmail(db, person) : undefined;
  if (owner && (await insertIdentity(db, person, owner.id, clock.now()))) return owner;
  try {
    return await createUser(deps, person, address);
  } catch (error) {
    const other = error instanceof Linked ? await findBySubject(db, person) : undefined;
    if (other) return other;
    throw error;
  }
};

/**
 * The account of a user whom the issuer signed in, with the roles that their groups say. Creates it where that is allowed.
 * @throws {AppError} no_account, setup_code_required
 */
export const accountOf = async (deps: Store, person: IssuerUser, address: string): Promise<User> => {
  const user = await findOrCreate(deps, person, address);
  await deps.db.update(identities).set({ lastSignInAt: deps.clock.now() }).where(ofSubject(person));
  const { adminGroup, teams, name: by } = deps.config.oidc;
  const changed = await applyRole(deps, user, roleOf(person.groups, adminGroup), { by, address });
  await applyTeams(deps, changed, person.groups, { teams, by, address });
  return changed;
};

/**
 * Links a signed-in user to a user of the issuer, in place of the one they were linked to.
 * @throws {AppError} identity_taken
 */
export const linkIdentity = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  userId: number,
  person: Identified,
): Promise<void> =>
  db.transact(async (tx) => {
    const owner = await findBySubject(tx, person);
    if (owner?.id === userId) return;
    await tx.delete(identities).where(and(ofUser(identities, userId), eq(identities.issuer, person.issuer)));
    if (!(await insertIdentity(tx, person, userId, clock.now()))) throw new AppError("identity_taken");
  });

/** The user's identity at an issuer, or null. */
export const readIdentity = async (
  { db }: Pick<Deps, "db">,
  userId: number,
): Promise<Static<typeof Identity> | null> => {
  const [row] = await db.select().from(identities).where(ofUser(identities, userId)).limit(1);
  return row ? { linked_at: isoTime(row.createdAt), last_sign_in_at: isoTime(row.lastSignInAt) } : null;
};

/**
 * Removes the identities of a user, who signs in with a password from now on.
 * @throws {AppError} password_required
 */
export const removeIdentities = async ({ db }: Pick<Deps, "db">, user: User): Promise<boolean> => {
  if (user.passwordHash === NO_PASSWORD) throw new AppError("password_required");
  return (await db.delete(identities).where(ofUser(identities, user.id)).returning()).length > 0;
};
