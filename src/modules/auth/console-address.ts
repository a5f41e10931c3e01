import type { Deps } from "../../core/deps";
import { writeSetting } from "../../db/app-settings";
import { hostnameOf, isAddressOrLocalhost, isLocalName } from "../../lib/host";

/**
 * Whether links in alerts may lead to an origin. A name that anybody could register counts only over https: a page that
 * points its own name at this hub cannot present a certificate for it there.
 */
const isTrusted = (origin: string): boolean => {
  const { protocol = "", host = "" } = URL.parse(origin) ?? {};
  const hostname = hostnameOf(host);
  if (hostname === null || !/^https?:$/.test(protocol) || `${protocol}//${host}` !== origin) return false;
  return protocol === "https:" || isAddressOrLocalhost(hostname) || isLocalName(hostname);
};

/** Remembers where an administrator signed in: links in alerts begin with it while PUBLIC_URL is not set. */
export const rememberAddress = async (
  { db, config }: Pick<Deps, "db" | "config">,
  origin: string | null,
): Promise<void> => {
  if (config.publicUrl || !origin || !isTrusted(origin)) return;
  await writeSetting(db, "seen_url", origin + config.basePath.slice(0, -1));
};
