import type { Deps } from "../../deps";
import { assertNotRefused, claimAttempt, forgetFailures, pairLimit, strangerLimits } from "./attempts";
import { originOf } from "./client-address";
import { isKnown, rememberOrigin } from "./known-addresses";
import { inTurn, isPassword } from "./passwords";
import { findUserByName, keyOf, type User } from "./service";

type Attempt = { username: string; password: string; address: string };

/**
 * The user whose name and password these are, or null. What is refused is refused before any hash is made.
 * @throws {AppError} rate_limited
 */
export const signIn = async (deps: Deps, { username, password, address }: Attempt): Promise<User | null> => {
  const [origin, usernameKey] = [originOf(address), keyOf(username)];
  const known = await isKnown(deps, origin, usernameKey);
  const pair = pairLimit(origin, usernameKey);
  const others = known ? [] : strangerLimits(origin, usernameKey);
  assertNotRefused(deps, [pair, ...others]);
  return inTurn(deps, known ? "known" : "stranger", async () => {
    await claimAttempt(deps, [pair, ...others]);
    const user = await findUserByName(deps, username);
    if (!(await isPassword(password, user?.passwordHash)) || !user) return null;
    await forgetFailures(deps, pair, others);
    await rememberOrigin(deps, origin, user);
    return user;
  });
};

/**
 * Whether this is the password of somebody who is signed in. Failures count as those of signing in do.
 * @throws {AppError} rate_limited
 */
export const confirmPassword = async (deps: Deps, user: User, password: string, address: string): Promise<boolean> => {
  const pair = pairLimit(originOf(address), user.usernameKey);
  assertNotRefused(deps, [pair]);
  return inTurn(deps, "known", async () => {
    await claimAttempt(deps, [pair]);
    if (!(await isPassword(password, user.passwordHash))) return false;
    await forgetFailures(deps, pair, []);
    return true;
  });
};
