/** Where status pages are. */
import { asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { readSetting } from "../../../db/app-settings";
import { pageDomains } from "../../../db/schema";

/** The path of a page below the address of the hub; without a slug, of the first administrator's page. */
export const pathOf = (slug: string | undefined): string => (slug ? `/status/${encodeURIComponent(slug)}` : "/status");

/** The address of the hub without a slash at the end; empty where none is known. */
export const hubAddress = async ({ db, config }: Pick<Deps, "db" | "config">): Promise<string> =>
  config.publicUrl || ((await readSetting(db, "seen_url")) ?? "");

/** The domains of a page. Links use the first one. */
export const readDomains = async ({ db }: Pick<Deps, "db">, pageId: number): Promise<string[]> =>
  (
    await db
      .select({ domain: pageDomains.domain })
      .from(pageDomains)
      .where(eq(pageDomains.pageId, pageId))
      .orderBy(asc(pageDomains.id))
  ).map(({ domain }) => domain);

/** The address of a domain: it is opened by the protocol and at the port of the hub. */
const addressAt = (domain: string, hub: string): string => {
  const url = URL.parse(hub);
  return `${url?.protocol ?? "https:"}//${domain}${url?.port ? `:${url.port}` : ""}`;
};

/**
 * The public address of a page, without a slash at the end: at its first domain, or else below the address of the hub. Empty where
 * neither is known. `slug` is the name in its address, undefined for the first administrator's page.
 */
export const addressOf = async (
  store: Pick<Deps, "db" | "config">,
  { id, slug }: { id: number; slug: string | undefined },
): Promise<string> => {
  const hub = await hubAddress(store);
  const [domain] = await readDomains(store, id);
  return domain ? addressAt(domain, hub) : hub && hub + pathOf(slug);
};
