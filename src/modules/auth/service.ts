import { eq, sql } from "drizzle-orm";
import { settings, users } from "../../db/schema";
import { readSetting, writeSetting } from "../../db/settings";
import type { Deps } from "../../deps";
import { AppError, conflict, notFound } from "../../errors";
import type { Language } from "../../shared/alerts";

export type User = typeof users.$inferSelect;
export type NewAccount = { username: string; password: string; email?: string | null; role?: User["role"] };

/** A user as others may read it. */
export const presentUser = ({ id, username, email, role, createdAt }: User) => ({
  id,
  username,
  email,
  role,
  created_at: new Date(createdAt).toISOString(),
});

export const keyOf = (text: string) => text.trim().normalize("NFKC").toLowerCase();

export const registrationState = async ({ db, config }: Deps) => {
  const stored = await readSetting(db, "registration");
  const first = (await db.$count(users)) === 0;
  return { open: (stored ?? config.registration) === "open", first };
};

/**
 * Makes an account; the very first becomes the administrator.
 * @throws {AppError} username_taken, email_taken
 */
export const createAccount = async ({ db, clock }: Deps, account: NewAccount): Promise<User> => {
  const email = account.email?.trim() || null;
  const row = {
    username: account.username.trim(),
    usernameKey: keyOf(account.username),
    email,
    emailKey: email && keyOf(email),
    passwordHash: await Bun.password.hash(account.password),
    role: account.role ?? sql<User["role"]>`case when exists (select 1 from ${users}) then 'user' else 'admin' end`,
    createdAt: clock.now(),
  };
  const [, inserted] = await db.atomically((tx) => [
    // Holds a row, so that of two registrations at once only one can find the table empty and become administrator.
    tx
      .insert(settings)
      .values({ key: "last_registration", value: row.usernameKey })
      .onConflictDoUpdate({ target: settings.key, set: { value: row.usernameKey } }),
    tx.insert(users).values(row).onConflictDoNothing().returning(),
  ]);
  const [created] = inserted as User[];
  if (created) return created;
  const [taken] = await db.select().from(users).where(eq(users.usernameKey, row.usernameKey));
  throw taken ? conflict("username_taken", "Username already exists") : conflict("email_taken", "Email already exists");
};

/** @throws {AppError} registration_closed, username_taken, email_taken */
export const register = async (deps: Deps, account: NewAccount): Promise<User> => {
  const { open } = await registrationState(deps);
  if (!open)
    throw new AppError(
      403,
      "registration_closed",
      "Registration is closed here. Ask the administrator for an account.",
    );
  return createAccount(deps, account);
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

// A name that does not exist must cost what a wrong password costs: this is the hash of nothing anybody can type.
let decoy: Promise<string> | undefined;
const decoyHash = () => {
  decoy ??= Bun.password.hash(crypto.randomUUID());
  return decoy;
};

/** The user whose name and password these are, or null. */
export const authenticate = async (deps: Deps, username: string, password: string): Promise<User | null> => {
  const user = await findUserByName(deps, username);
  const right = await Bun.password.verify(password, user?.passwordHash ?? (await decoyHash()));
  return user && right ? user : null;
};

/**
 * Sets a password, ends all of the user's sessions, and gives the user as they are now.
 * @throws {AppError} not_found
 */
export const setPassword = async ({ db }: Pick<Deps, "db">, id: number, password: string): Promise<User> => {
  const passwordHash = await Bun.password.hash(password);
  const [user] = await db
    .update(users)
    .set({ passwordHash, tokenVersion: sql`${users.tokenVersion} + 1` })
    .where(eq(users.id, id))
    .returning();
  if (!user) throw notFound("User");
  return user;
};

/** Opens registration to everybody, or closes it, whatever REGISTRATION says. */
export const setRegistration = ({ db }: Pick<Deps, "db">, open: boolean): Promise<void> =>
  writeSetting(db, "registration", open ? "open" : "closed");

/** What a user's alerts are written in. */
export const setLanguage = async ({ db }: Pick<Deps, "db">, user: User, language: Language): Promise<void> => {
  if (user.language !== language) await db.update(users).set({ language }).where(eq(users.id, user.id));
};

/** Where an administrator reaches the console: links in alerts begin with it while PUBLIC_URL is not set. */
export const rememberAddress = async (
  { db, config }: Pick<Deps, "db" | "config">,
  origin: string | null,
): Promise<void> => {
  if (config.publicUrl || !origin || !/^https?:\/\/[^\s/]+$/.test(origin)) return;
  await writeSetting(db, "seen_url", origin + config.basePath.slice(0, -1));
};
