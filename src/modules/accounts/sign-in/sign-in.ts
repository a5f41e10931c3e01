import { and, eq, gt, lt } from "drizzle-orm";
import { assertNotRefused, claimAttempt, countSuccess, type Limit, releaseAttempt } from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { hashSecret } from "../../../core/secrets";
import { writeSetting } from "../../../db/app-settings";
import { trustedClients } from "../../../db/schema";
import { hostnameOf, isAddressOrLocalhost, isLocalName } from "../../../lib/host";
import { DAY } from "../../../shared/limits";
import { findUserByName, keyOf, type User } from "../account/service";
import { networksOf } from "../client-address";
import {
  claimNameAttempt,
  confirmationLimits,
  loginLimit,
  nameLimit,
  successLimits,
  unknownClientLimits,
} from "./limits";
import { inPasswordQueue, isPassword, type Place } from "./password-queue";

type Store = Pick<Deps, "db" | "clock">;

/** How long a client is trusted after its last sign-in. */
export const KNOWN_FOR = 90 * DAY;
const hashOf = (origin: string, usernameKey: string) => hashSecret(`known\n${origin}\n${usernameKey}`);

/** Whether a user with this name has signed in from this client recently. */
export const isTrustedClient = async ({ db, clock }: Store, origin: string, usernameKey: string): Promise<boolean> =>
  (await db.$count(
    trustedClients,
    and(eq(trustedClients.hash, hashOf(origin, usernameKey)), gt(trustedClients.seenAt, clock.now() - KNOWN_FOR)),
  )) > 0;

/** Records that a user has signed in from this client. */
export const rememberOrigin = async (
  { db, clock }: Store,
  origin: string,
  user: { id: number; usernameKey: string },
): Promise<void> => {
  const row = { hash: hashOf(origin, user.usernameKey), userId: user.id, seenAt: clock.now() };
  await db
    .insert(trustedClients)
    .values(row)
    .onConflictDoUpdate({
      target: trustedClients.hash,
      set: { userId: row.userId, seenAt: row.seenAt },
      setWhere: lt(trustedClients.seenAt, row.seenAt - DAY),
    });
};

type Attempt = { username: string; password: string; address: string };

/**
 * The user with this name and password, or null. The sign-in is complete only with a second factor, if the user has one. Refused attempts are refused before any hash is computed.
 * @throws {AppError} rate_limited
 */
export const signIn = async (deps: Deps, { username, password, address }: Attempt): Promise<User | null> => {
  const [networks, usernameKey] = [networksOf(address), keyOf(username)];
  const { narrowest, widest } = networks;
  const hasSignedIn = await isTrustedClient(deps, narrowest, usernameKey);
  const pair = loginLimit(narrowest, usernameKey);
  const limits = hasSignedIn ? [pair] : unknownClientLimits(networks.all, usernameKey);
  const successes = successLimits(narrowest, usernameKey);
  assertNotRefused(deps, [...limits, ...successes]);
  const place: Place = hasSignedIn ? { priority: "known", share: usernameKey } : { priority: "unknown", share: widest };
  return inPasswordQueue(deps, place, async () => {
    await claimAttempt(deps, limits);
    if (!hasSignedIn) await claimNameAttempt(deps, widest, usernameKey);
    const user = await findUserByName(deps, username);
    if (!(await isPassword(password, user?.passwordHash)) || !user) return null;
    await releaseAttempt(deps, pair, hasSignedIn ? [] : [...limits, nameLimit(usernameKey)]);
    await countSuccess(deps, successes);
    return user;
  });
};

/**
 * Whether this is the current password of a user who is signed in. Guesses are counted by the user's id, so that a new
 * name does not reset them, and as failed sign-ins with the current name.
 * @throws {AppError} rate_limited
 */
export const confirmPassword = async (deps: Deps, user: User, password: string, address: string): Promise<boolean> => {
  const { narrowest } = networksOf(address);
  const [pair, account] = confirmationLimits(narrowest, user.id) as [Limit, Limit];
  const limits = [pair, account, loginLimit(narrowest, user.usernameKey)];
  const successes = successLimits(narrowest, `user ${user.id}`);
  assertNotRefused(deps, [...limits, ...successes]);
  return inPasswordQueue(deps, { priority: "known", share: user.usernameKey }, async () => {
    await claimAttempt(deps, limits);
    if (!(await isPassword(password, user.passwordHash))) return false;
    await releaseAttempt(deps, pair, limits);
    await countSuccess(deps, successes);
    return true;
  });
};

/**
 * Whether links in alerts may lead to an origin. A name that anybody could register counts only over https: a page that
 * points its own name at this hub cannot present a certificate for it there.
 */
const isTrusted = (origin: string): boolean => {
  const { protocol = "", host = "" } = URL.parse(origin) ?? {};
  const hostname = hostnameOf(host);
  if (hostname === null || !/^https?:$/.test(protocol) || `${protocol}//${host}` !== origin) return false;
  return protocol === "https:" || isAddressOrLocalhost(hostname) || isLocalName(hostname);
};

/** Remembers where an administrator signed in: links in alerts begin with it while PUBLIC_URL is not set. */
export const rememberAddress = async (
  { db, config }: Pick<Deps, "db" | "config">,
  origin: string | null,
): Promise<void> => {
  if (config.publicUrl || !origin || !isTrusted(origin)) return;
  await writeSetting(db, "seen_url", origin + config.basePath.slice(0, -1));
};

/** Deletes clients that are no longer trusted. */
export const deleteExpiredClients = async ({ db, clock }: Store): Promise<void> => {
  await db.delete(trustedClients).where(lt(trustedClients.seenAt, clock.now() - KNOWN_FOR));
};
