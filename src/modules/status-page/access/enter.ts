/** How visitors get access to a private page: with its password, or with a session of a member of its team. */
import { assertNotRefused, claimAttempt, limitKey, networkLimits, releaseAttempt } from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { notFound } from "../../../core/errors";
import { can, type Viewer } from "../../../db/owner";
import { DAY, SECOND } from "../../../shared/limits";
import { PAGE_PASSWORD } from "../../../shared/status/access";
import { networksOf } from "../../accounts/client-address";
import { inPasswordQueue, isPassword } from "../../accounts/sign-in/password-queue";
import { cookieName, type Gated, issueProof } from "./gate";

/** How long a visitor stays admitted: with the password, and with a session, which may end before. */
const LASTS = { password: 30 * DAY, members: 7 * DAY };
/** Wrong passwords of a page from one network in 15 minutes. */
const TRIES = 10;

type Options = {
  /** The path of the page with BASE_PATH: other pages do not get the cookie. */
  path: string;
  /** Whether the client uses https. */
  isSecure: boolean;
};

/** A `Set-Cookie` that admits a visitor to a page. */
const cookieOf = (page: Gated, proof: string, lasts: number, { path, isSecure }: Options): string =>
  [
    `${cookieName(page)}=${proof}`,
    `Path=${path}`,
    `Max-Age=${lasts / SECOND}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure ? ["Secure"] : []),
  ].join("; ");

/**
 * The cookie of a visitor with the password of a page; null if it is wrong.
 * @throws {AppError} rate_limited
 */
export const enterByPassword = async (
  deps: Deps,
  page: Gated,
  { password, address, ...options }: Options & { password: string; address: string },
): Promise<string | null> => {
  const { all, widest, narrowest } = networksOf(address);
  const keyOf = (network: string) => limitKey("status page", page.key, network);
  const limits = networkLimits(all, TRIES, keyOf);
  assertNotRefused(deps, limits);
  return inPasswordQueue(deps, { priority: "unknown", share: widest }, async () => {
    await claimAttempt(deps, limits);
    const isPossible = page.access === "password" && password.length <= PAGE_PASSWORD.max;
    if (!isPossible || !(await isPassword(password, page.passwordHash ?? undefined))) return null;
    await releaseAttempt(deps, { key: keyOf(narrowest), allowed: TRIES }, limits);
    return cookieOf(page, issueProof(deps, page, null, LASTS.password), LASTS.password, options);
  });
};

/**
 * The cookie of a member of the team of a page, which is valid as long as the session.
 * @throws {AppError} not_found for other users, and for pages that are not for members
 */
export const enterBySession = (
  deps: Deps,
  page: Gated,
  { user, sessionId, ...options }: Options & { user: Viewer; sessionId: string },
): string => {
  if (page.access !== "members" || !can(user, "read", page)) throw notFound("Status page");
  return cookieOf(page, issueProof(deps, page, sessionId, LASTS.members), LASTS.members, options);
};
