/**
 * The links of subscribers. Nothing is stored: a token is signed, and is void once its subscriber is deleted. The token of a
 * confirmation expires; the token in messages does not, because people unsubscribe years later.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Deps } from "../../../core/deps";
import type { subscribers } from "../../../db/schema";
import { DAY, SECOND } from "../../../shared/limits";

type Secrets = Pick<Deps, "jwtSecret" | "installationId">;
type Subscriber = Pick<typeof subscribers.$inferSelect, "id" | "nonce">;

/** How long the link of a confirmation works, in milliseconds. */
export const CONFIRM_AGE = DAY;

/** 128 bits, signed with a key of its own, so that no token of another purpose is accepted. */
const macOf = ({ jwtSecret, installationId }: Secrets, purpose: string, { id, nonce }: Subscriber): string => {
  const key = createHmac("sha256", jwtSecret).update("subscriber of a status page").digest();
  const text = [installationId, purpose, id, nonce].join("\n");
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 32);
};

/** The token that lets a subscriber change or end the subscription. */
export const manageToken = (secrets: Secrets, subscriber: Subscriber): string =>
  `${subscriber.id.toString(36)}-${macOf(secrets, "manage", subscriber)}`;

/** The token that confirms an address until a time in epoch milliseconds. */
export const confirmToken = (secrets: Secrets, subscriber: Subscriber, expiresAt: number): string => {
  const seconds = Math.floor(expiresAt / SECOND).toString(36);
  return `${subscriber.id.toString(36)}-${seconds}-${macOf(secrets, `confirm ${seconds}`, subscriber)}`;
};

/** The secret that signs the messages to a webhook. */
export const signingSecret = (secrets: Secrets, subscriber: Subscriber): string =>
  `whsec_${macOf(secrets, "webhook", subscriber)}`;

const TOKEN = /^([0-9a-z]{1,11})-(?:([0-9a-z]{1,8})-)?([0-9a-f]{32})$/;

/** The subscriber whom a token names, before it is verified; null for another text. */
export const subscriberIdOf = (token: string): number | null => {
  const [, id] = TOKEN.exec(token) ?? [];
  return id === undefined ? null : Number.parseInt(id, 36);
};

/** Verifies a token: returns when a confirmation expires, null for a token that manages, or undefined for a wrong token. */
export const verifyToken = (secrets: Secrets, token: string, subscriber: Subscriber): number | null | undefined => {
  const [, , seconds, given = ""] = TOKEN.exec(token) ?? [];
  const purpose = seconds === undefined ? "manage" : `confirm ${seconds}`;
  const [one, other] = [Buffer.from(given), Buffer.from(macOf(secrets, purpose, subscriber))];
  if (one.length !== other.length || !timingSafeEqual(one, other)) return undefined;
  return seconds === undefined ? null : Number.parseInt(seconds, 36) * SECOND;
};
