/**
 * The links in messages of open outages. Each has a token that is good for the outages of one message and names the channel
 * that got it. Nothing is stored: the token is useless once its outages have ended, its channel is gone, or a week is over.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Deps } from "../../../../core/deps";
import { DAY, SECOND } from "../../../../shared/limits";

/** How long a link is valid, in milliseconds, counted from when its message was due. */
export const LINK_AGE = 7 * DAY;

/** Characters of a token at most. */
export const MAX_TOKEN = 60;

/** Outages of one link. */
export const MAX_LINKED = 100;

type Secrets = Pick<Deps, "jwtSecret" | "installationId">;
/** The signed content of a token. `expiresAt` is in epoch milliseconds. */
type Grant = { outageIds: readonly number[]; channelId: number; expiresAt: number };

/** The outages of a link: the first, and the distances of the ids of others as digits of base 36, joined by hyphens. */
export type LinkedIds = { id: number; more?: string };

const toLinkedIds = (outageIds: readonly number[]): LinkedIds => {
  const [id = 0, ...others] = outageIds.toSorted((a, b) => a - b);
  const more = others.map((other, place) => (other - (others[place - 1] ?? id)).toString(36)).join("-");
  return { id, ...(more && { more }) };
};

/** The ids of the outages of a link, in ascending order. */
export const outageIdsOf = ({ id, more }: LinkedIds): number[] => {
  const ids = [id];
  for (const distance of more?.split("-") ?? []) ids.push((ids.at(-1) ?? 0) + Number.parseInt(distance, 36));
  return ids;
};

/**
 * 128 bits, signed with a key of its own, so that no token of another purpose is accepted. As digits of base 16: chats read
 * some other characters in an address as markup.
 */
const macOf = ({ jwtSecret, installationId }: Secrets, { outageIds, channelId, expiresAt }: Grant): string => {
  const key = createHmac("sha256", jwtSecret).update("acknowledge link").digest();
  const ids = outageIds.toSorted((a, b) => a - b).join();
  const text = [installationId, ids, channelId, expiresAt].join("\n");
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 32);
};

/** Signs a grant: its channel and its end in seconds as base 36, and the signature. */
export const signLink = (secrets: Secrets, grant: Grant): string => {
  const seconds = Math.floor(grant.expiresAt / SECOND);
  const mac = macOf(secrets, { ...grant, expiresAt: seconds * SECOND });
  return `${grant.channelId.toString(36)}.${seconds.toString(36)}.${mac}`;
};

/** The grant of a token for outages, also an expired one; null unless it was signed for exactly these. */
export const verifyLink = (secrets: Secrets, outageIds: readonly number[], token: string): Grant | null => {
  const [, channel, seconds, given] = /^([0-9a-z]{1,11})\.([0-9a-z]{1,8})\.([0-9a-f]{32})$/.exec(token) ?? [];
  if (channel === undefined || seconds === undefined || given === undefined) return null;
  const grant = {
    outageIds,
    channelId: Number.parseInt(channel, 36),
    expiresAt: Number.parseInt(seconds, 36) * SECOND,
  };
  return timingSafeEqual(Buffer.from(given), Buffer.from(macOf(secrets, grant))) ? grant : null;
};

/** The address of the page that acknowledges outages. `base` is the address of the hub's pages, or empty. */
export const linkOf = (secrets: Secrets, base: string, grant: Grant): string | null => {
  const { id, more } = toLinkedIds(grant.outageIds);
  return base ? `${base}/acknowledge/${id}?t=${signLink(secrets, grant)}${more ? `&more=${more}` : ""}` : null;
};
