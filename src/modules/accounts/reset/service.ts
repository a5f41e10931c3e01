import { eq } from "drizzle-orm";
import { assertNotRefused, claimAttempt, type Limit, limitKey, networkLimits } from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { AppError, describeError } from "../../../core/errors";
import { users } from "../../../db/schema";
import { HOUR } from "../../../shared/limits";
import { findUser, keyOf, NO_PASSWORD, setPassword, type User } from "../account/service";
import { networksOf } from "../client-address";
import { mailsLinks, queueMail, sendDueMails } from "../mail/send";
import { userIdOf } from "../tickets";
import { isValidToken } from "./token";

/** Whether a forgotten password can be reset by mail. */
export const canReset = (deps: Pick<Deps, "config">): boolean =>
  mailsLinks(deps) && deps.config.passwordLogin !== "off";

/** A user without a password does not get one by mail: the issuer or the proxy decides whether they may sign in. */
const mayReset = ({ config }: Pick<Deps, "config">, { passwordHash, role }: User): boolean =>
  passwordHash !== NO_PASSWORD && (config.passwordLogin === "on" || role === "admin");

/** Requests of links from a network, and for an address. */
const requestLimits = (networks: string[], emailKey: string): Limit[] => [
  ...networkLimits(networks, 20, (network) => limitKey("forgot", network)),
  { key: limitKey("forgot address", emailKey), allowed: 3, window: HOUR },
];

/** Links that are not valid, from a network. */
const linkLimits = (networks: string[]): Limit[] =>
  networkLimits(networks, 30, (network) => limitKey("reset", network));

const queueLink = async (deps: Deps, emailKey: string): Promise<void> => {
  const [user] = await deps.db.select().from(users).where(eq(users.emailKey, emailKey));
  if (!user || !mayReset(deps, user)) return;
  await queueMail(deps, user, "password_reset");
  await sendDueMails(deps);
};

/**
 * Mails a link to set a new password to the user with an e-mail address. The caller learns neither by the answer nor by its
 * time whether there is one.
 * @throws {AppError} mail_not_set_up, rate_limited
 */
export const requestReset = async (deps: Deps, email: string, address: string): Promise<void> => {
  if (!canReset(deps)) throw new AppError("mail_not_set_up");
  const emailKey = keyOf(email);
  const limits = requestLimits(networksOf(address).all, emailKey);
  assertNotRefused(deps, limits);
  await claimAttempt(deps, limits);
  void queueLink(deps, emailKey).catch((error) =>
    deps.log.warn("a link to reset a password was not queued", { error: describeError(error) }),
  );
};

/**
 * Sets the password of the user whom a link was sent to, and ends all their sessions.
 * @throws {AppError} reset_link_invalid, weak_password, rate_limited
 */
export const resetPassword = async (
  deps: Deps,
  { token, password }: { token: string; password: string },
  address: string,
): Promise<User> => {
  const limits = linkLimits(networksOf(address).all);
  assertNotRefused(deps, limits);
  const id = userIdOf(token);
  const user = id === undefined ? undefined : await findUser(deps, id);
  if (!user || !isValidToken(deps, token, user)) {
    await claimAttempt(deps, limits);
    throw new AppError("reset_link_invalid");
  }
  const changed = await setPassword(deps, user.id, password, { replaces: user.passwordHash }).catch((error) => {
    // The same link was used at the same moment.
    throw error instanceof AppError && error.code === "not_found" ? new AppError("reset_link_invalid") : error;
  });
  await queueMail(deps, changed, "password_changed");
  return changed;
};
