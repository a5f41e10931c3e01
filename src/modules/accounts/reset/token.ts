import type { Deps } from "../../../core/deps";
import { MINUTE } from "../../../shared/limits";
import type { User } from "../account/service";
import { issueTicket, isValidTicket } from "../tickets";

/** How long a link to set a new password works. */
const LASTS = 30 * MINUTE;

type Owner = Pick<User, "id" | "passwordHash" | "emailKey">;

/**
 * A link is bound to the hash of the present password, so that it works once, and to the address that it was sent to: nothing
 * has to be stored, and a change of either ends it.
 */
const boundTo = ({ passwordHash, emailKey }: Owner) => [passwordHash, emailKey];

/** The address at which a user sets a new password. The token is its hash, which servers and proxies do not log. */
export const resetLink = (deps: Pick<Deps, "config" | "clock" | "jwtSecret">, user: Owner): string =>
  `${deps.config.publicUrl}/reset#${issueTicket(deps, "password reset", { subject: user.id, bound: boundTo(user), lasts: LASTS })}`;

/** Whether a token was made for the present password and address of a user, and has not expired. */
export const isValidToken = (deps: Pick<Deps, "clock" | "jwtSecret">, token: string, user: Owner): boolean =>
  isValidTicket(deps, "password reset", token, boundTo(user));
