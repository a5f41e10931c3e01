import { createHmac, timingSafeEqual } from "node:crypto";
import type { Deps } from "../../../core/deps";
import { MINUTE } from "../../../shared/limits";
import type { User } from "../account/service";

/** How long a link to set a new password works. */
const LASTS = 30 * MINUTE;

type Owner = Pick<User, "id" | "passwordHash" | "emailKey">;

/**
 * The signature of a link. It covers the hash of the present password, so that a link works once, and the address that it was
 * sent to: nothing has to be stored, and a change of either ends it.
 */
const sign = (secret: string, { id, passwordHash, emailKey }: Owner, expiresAt: number): Buffer =>
  createHmac("sha256", secret).update(["password reset", id, passwordHash, emailKey, expiresAt].join("\n")).digest();

/** The address at which a user sets a new password. The token is its hash, which servers and proxies do not log. */
export const resetLink = (
  { config, clock, jwtSecret }: Pick<Deps, "config" | "clock" | "jwtSecret">,
  user: Owner,
): string => {
  const expiresAt = clock.now() + LASTS;
  const token = [user.id, expiresAt, sign(jwtSecret, user, expiresAt).toString("base64url")].join(".");
  return `${config.publicUrl}/reset#${token}`;
};

/** The id of the user whom a token is for, before it is verified; undefined when it has another form. */
export const userOfToken = (token: string): number | undefined => {
  const id = /^([1-9]\d{0,14})\.\d{1,15}\.[\w-]{43}$/.exec(token)?.[1];
  return id === undefined ? undefined : Number(id);
};

/** Whether a token was made for the present password and address of a user, and has not expired. */
export const isValidToken = (secret: string, token: string, user: Owner, now: number): boolean => {
  const [, expiry = "", signature = ""] = token.split(".");
  const [expected, given] = [sign(secret, user, Number(expiry)), Buffer.from(signature, "base64url")];
  return Number(expiry) > now && given.length === expected.length && timingSafeEqual(given, expected);
};
