import { createHmac, timingSafeEqual } from "node:crypto";
import { isExceeded, limitKey } from "../../cluster/rate-limit";
import type { Deps } from "../../core/deps";

/*
 * Tickets are signed and not stored. A ticket has a purpose, a subject such as the id of a user, and an expiry. The signature also
 * covers values that end the ticket when they change, such as the hash of a password.
 */

type Purpose =
  | "password reset"
  | "second factor"
  | "authenticator app"
  | "passkey"
  | "email verification"
  | "sign-in at the issuer"
  | "status page";
type Bound = readonly (string | number | null)[];

const sign = (secret: string, purpose: Purpose, head: string, bound: Bound): string =>
  createHmac("sha256", secret)
    .update([purpose, head, ...bound].join("\n"))
    .digest("base64url");

/** Issues a ticket. Its subject consists of letters, digits, `-` and `_`. */
export const issueTicket = (
  { jwtSecret, clock }: Pick<Deps, "jwtSecret" | "clock">,
  purpose: Purpose,
  { subject, bound, lasts }: { subject: string | number; bound: Bound; lasts: number },
): string => {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");
  const head = [subject, clock.now() + lasts, nonce].join(".");
  return `${head}.${sign(jwtSecret, purpose, head, bound)}`;
};

/** The subject of a ticket before the ticket is verified; undefined when it has another form. */
export const subjectOf = (ticket: string): string | undefined =>
  /^([\w-]+)\.\d{1,15}\.[\w-]{22}\.[\w-]{43}$/.exec(ticket)?.[1];

/** The user whom a ticket names before it is verified; undefined when it has another form. */
export const userIdOf = (ticket: string): number | undefined => {
  const subject = subjectOf(ticket) ?? "";
  return /^[1-9]\d{0,14}$/.test(subject) ? Number(subject) : undefined;
};

/** Whether a ticket was issued for this purpose and these values, and has not expired. */
export const isValidTicket = (
  { jwtSecret, clock }: Pick<Deps, "jwtSecret" | "clock">,
  purpose: Purpose,
  ticket: string,
  bound: Bound,
): boolean => {
  const [, head = "", signature = ""] = /^(.*)\.([^.]*)$/s.exec(ticket) ?? [];
  const [, expiresAt] = head.split(".");
  // The encoded text is compared, because several texts decode to one signature and a ticket is spent by its text.
  const [expected, given] = [Buffer.from(sign(jwtSecret, purpose, head, bound)), Buffer.from(signature)];
  return Number(expiresAt) > clock.now() && given.length === expected.length && timingSafeEqual(given, expected);
};

/** Uses a ticket up, for all instances; false when it was used before. Its window is longer than any ticket lasts that is used once. */
export const spendTicket = async (store: Pick<Deps, "db" | "clock">, ticket: string): Promise<boolean> =>
  !(await isExceeded(store, { key: limitKey("ticket", ticket), allowed: 1 }));
