import type { Deps } from "../../../core/deps";
import { DAY } from "../../../shared/limits";
import type { User } from "../account/service";
import { issueTicket, isValidTicket } from "../tickets";

const PURPOSE = "email verification";
const LASTS = DAY;

type Owner = Pick<User, "id" | "emailKey">;

/** The link that verifies the e-mail address of a user. The token is its hash, which servers and proxies do not log. */
export const verificationLink = (
  deps: Pick<Deps, "config" | "clock" | "jwtSecret">,
  { id, emailKey }: Owner,
): string => {
  const token = issueTicket(deps, PURPOSE, { subject: id, bound: [emailKey], lasts: LASTS });
  return `${deps.config.publicUrl}/verify#${token}`;
};

/** Whether a token was made for the present address of a user, and has not expired. */
export const isVerification = (
  deps: Pick<Deps, "clock" | "jwtSecret">,
  token: string,
  { emailKey }: Pick<User, "emailKey">,
): boolean => emailKey !== null && isValidTicket(deps, PURPOSE, token, [emailKey]);
