/** Accounts of users who sign in at an issuer or a proxy. */
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { EMAIL, LIMITS } from "../../../shared/limits";
import { changeUser } from "../users/service";
import { isUsernameAllowed } from "./account-rules";
import { assertUnique, byThemselves, keyOf, NO_PASSWORD, storeAccount, type User } from "./service";

/** A user as an issuer or a proxy describes them. */
type Person = { username: string; email: string | null; isEmailVerified: boolean };

/** Names that are tried with a number, when others have the name. */
const MAX_SUFFIX = 99;

/** The first part of a name that leaves room for a suffix; a name that is not allowed here becomes `user`. */
const usernameOf = (name: string): string => {
  const start = name
    .trim()
    .slice(0, LIMITS.username - `-${MAX_SUFFIX}`.length)
    .toWellFormed();
  return isUsernameAllowed(start) ? start : "user";
};

const emailOf = (email: string | null): string | null =>
  email !== null && email.length <= LIMITS.email && EMAIL.test(email) ? email : null;

/** The code of a name or address that another user has, or null. */
const takenBy = (deps: Pick<Deps, "db">, names: Pick<User, "usernameKey" | "emailKey">) =>
  assertUnique(deps, names).then(
    () => null,
    (error) => {
      if (error instanceof AppError) return error.code;
      throw error;
    },
  );

type Store = Pick<Deps, "db" | "clock" | "log">;
/** The role of a new account, the caller's address, and what is written in the same transaction. */
type Creating = Pick<Parameters<typeof storeAccount>[2], "role" | "also"> & { address: string };

/**
 * Creates an account without a password under a name; undefined when another user has the name. An e-mail address that
 * another user has is left out.
 */
export const storeExternal = async (
  deps: Store,
  { username, email, isEmailVerified }: Person,
  { address, ...storing }: Creating,
): Promise<User | undefined> => {
  const [usernameKey, createdAt] = [keyOf(username), deps.clock.now()];
  const wanted = emailOf(email);
  const taken = await takenBy(deps, { usernameKey, emailKey: wanted && keyOf(wanted) });
  if (taken === "username_taken") return undefined;
  const own = taken ? null : wanted;
  const row = {
    ...{ username, usernameKey, email: own, emailKey: own && keyOf(own), passwordHash: NO_PASSWORD, createdAt },
    emailVerifiedAt: own && isEmailVerified ? createdAt : null,
  };
  return storeAccount(deps, row, { ...storing, creation: byThemselves(address) });
};

/**
 * Creates an account without a password. A name that another user has gets a number.
 * @throws {AppError} username_taken
 */
export const createExternal = async (deps: Store, person: Person, creating: Creating): Promise<User> => {
  const start = usernameOf(person.username);
  for (let number = 1; number <= MAX_SUFFIX; number++) {
    const username = number === 1 ? start : `${start}-${number}`;
    const user = await storeExternal(deps, { ...person, username }, creating);
    if (user) return user;
  }
  throw new AppError("username_taken");
};

/** The role that groups give a user; undefined where they change none. */
export const roleOf = (groups: readonly string[], adminGroup: string): User["role"] | undefined =>
  adminGroup === "" ? undefined : groups.includes(adminGroup) ? "admin" : "user";

/**
 * Gives a user the role that their groups say, which ends their sessions. The last administrator remains one. `by` is the issuer
 * or the proxy.
 */
export const applyRole = async (
  deps: Store,
  user: User,
  role: User["role"] | undefined,
  { by, address }: { by: string; address: string },
): Promise<User> => {
  if (role === undefined || role === user.role) return user;
  const viewer = { id: null, role: "admin", origin: { username: by, key: null, address } } as const;
  try {
    return await changeUser(deps, { viewer, keep: "" }, user, { role });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "last_admin") throw error;
    const { username } = user;
    deps.log.warn("the last administrator remains one, although their groups say otherwise", { username });
    return user;
  }
};
