/**
 * The links in messages of open outages. Each has a token that is good for one outage and names the channel whose message
 * it is in. Nothing is stored: the token is useless once its outage has ended, its channel is gone, or a week is over.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Deps } from "../../../../core/deps";
import { DAY, SECOND } from "../../../../shared/limits";

/** How long a link is valid, in milliseconds, counted from when its message was due. */
export const LINK_AGE = 7 * DAY;

/** Characters of a token at most. */
export const MAX_TOKEN = 60;

type Secrets = Pick<Deps, "jwtSecret" | "installationId">;
/** The signed content of a token. `expiresAt` is in epoch milliseconds. */
type Grant = { outageId: number; channelId: number; expiresAt: number };

/**
 * 128 bits, signed with a key of its own, so that no token of another purpose is accepted. As digits of base 16: chats read
 * some other characters in an address as markup.
 */
const macOf = ({ jwtSecret, installationId }: Secrets, { outageId, channelId, expiresAt }: Grant): string => {
  const key = createHmac("sha256", jwtSecret).update("acknowledge link").digest();
  const text = [installationId, outageId, channelId, expiresAt].join("\n");
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 32);
};

/** Signs a grant: its channel and its end in seconds as base 36, and the signature. */
export const signLink = (secrets: Secrets, grant: Grant): string => {
  const seconds = Math.floor(grant.expiresAt / SECOND);
  const mac = macOf(secrets, { ...grant, expiresAt: seconds * SECOND });
  return `${grant.channelId.toString(36)}.${seconds.toString(36)}.${mac}`;
};

/** The grant of a token for an outage, also an expired one; null unless it was signed for it. */
export const verifyLink = (secrets: Secrets, outageId: number, token: string): Grant | null => {
  const [, channel, seconds, given] = /^([0-9a-z]{1,11})\.([0-9a-z]{1,8})\.([0-9a-f]{32})$/.exec(token) ?? [];
  if (channel === undefined || seconds === undefined || given === undefined) return null;
  const grant = { outageId, channelId: Number.parseInt(channel, 36), expiresAt: Number.parseInt(seconds, 36) * SECOND };
  return timingSafeEqual(Buffer.from(given), Buffer.from(macOf(secrets, grant))) ? grant : null;
};

/** The address of the page that acknowledges an outage. `base` is the address of the hub's pages, or empty. */
export const linkOf = (secrets: Secrets, base: string, grant: Grant): string | null =>
  base ? `${base}/acknowledge/${grant.outageId}?t=${signLink(secrets, grant)}` : null;
