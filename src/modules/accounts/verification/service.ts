import { and, eq, isNull } from "drizzle-orm";
import {
  assertNotRefused,
  claimAttempt,
  isExceeded,
  type Limit,
  limitKey,
  networkLimits,
} from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { users } from "../../../db/schema";
import { HOUR } from "../../../shared/limits";
import { findUser, type User } from "../account/service";
import { networksOf } from "../client-address";
import { mailsLinks, queueMail, sendDueMails } from "../mail/send";
import { userIdOf } from "../tickets";
import { isVerification } from "./link";

/** Mails to one user in an hour. */
const mailLimit = (userId: number): Limit => ({ key: limitKey("verification", userId), allowed: 3, window: HOUR });

/**
 * Mails a link to verify the address of a user.
 * @throws {AppError} mail_not_set_up, no_email, rate_limited
 */
export const sendVerification = async (deps: Deps, user: User): Promise<void> => {
  if (!mailsLinks(deps)) throw new AppError("mail_not_set_up");
  if (!user.email) throw new AppError("no_email");
  if (user.emailVerifiedAt !== null) return;
  const limits = [mailLimit(user.id)];
  assertNotRefused(deps, limits);
  await claimAttempt(deps, limits);
  await queueMail(deps, user, "email_verification");
  void sendDueMails(deps);
};

/** Mails that link after the address of a user has changed, where mails are sent. */
export const offerVerification = async (deps: Deps, user: User): Promise<void> => {
  if (!mailsLinks(deps) || !user.email || user.emailVerifiedAt !== null) return;
  if (!(await isExceeded(deps, mailLimit(user.id)))) await queueMail(deps, user, "email_verification");
};

/** Links that are not valid, from a network. */
const linkLimits = (networks: string[]): Limit[] =>
  networkLimits(networks, 30, (network) => limitKey("verify", network));

/**
 * Marks the address that a link was sent to as verified, and returns its user. A link may be used again, which changes nothing.
 * @throws {AppError} reset_link_invalid, rate_limited
 */
export const verifyEmail = async (deps: Deps, token: string, address: string): Promise<User> => {
  const limits = linkLimits(networksOf(address).all);
  assertNotRefused(deps, limits);
  const id = userIdOf(token);
  const user = id === undefined ? undefined : await findUser(deps, id);
  if (!user || !isVerification(deps, token, user)) {
    await claimAttempt(deps, limits);
    throw new AppError("reset_link_invalid");
  }
  // The address may have been changed at this moment.
  const unverified = and(eq(users.emailKey, user.emailKey ?? ""), isNull(users.emailVerifiedAt));
  await deps.db
    .update(users)
    .set({ emailVerifiedAt: deps.clock.now() })
    .where(and(eq(users.id, user.id), unverified));
  return user;
};
