/** The own domains of status pages: stored, and found by the Host header of a request. */
import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { pageDomains, statusPages } from "../../../db/schema";
import { SECOND } from "../../../shared/limits";
import { DOMAIN_LIMITS, DOMAIN_PROBLEMS, parseDomain } from "../../../shared/status/domains";
import { invalidationsOf } from "../cache";
import { hubAddress, readDomains } from "../pages/address";

type Store = Pick<Deps, "db" | "config">;
/** `host` is the host name of the hub in the caller's request. */
type Caller = { role: "admin" | "user"; host?: string };

/** The canonical forms of domains that a request names. @throws {AppError} domain_invalid */
const parseDomains = (sent: readonly string[]): string[] => {
  const domains = sent.map((text) => {
    const parsed = parseDomain(text);
    if ("domain" in parsed) return parsed.domain;
    throw new AppError("domain_invalid", { domain: text.slice(0, 100), problem: DOMAIN_PROBLEMS[parsed.problem] });
  });
  return [...new Set(domains)];
};

/** The host names of the hub itself: a page there would hide it. */
const ownHosts = async (store: Store, requestHost: string): Promise<Set<string>> => {
  const base = await hubAddress(store);
  return new Set([URL.parse(base)?.hostname ?? "", requestHost].map((host) => host.replace(/\.$/, "")));
};

/** Adds a domain to a page, and returns whether it was free. */
const claim = async ({ db }: Pick<Store, "db">, pageId: number, domain: string): Promise<boolean> =>
  (await db.insert(pageDomains).values({ pageId, domain }).onConflictDoNothing().returning()).length > 0;

/** Whether a caller may add domains. Without PUBLIC_URL, the hub does not know all its own names. */
const mayAdd = ({ config }: Pick<Store, "config">, { role }: Caller): boolean =>
  config.publicUrl !== "" || role === "admin";

/**
 * Replaces the domains of a page within a transaction.
 * @throws {AppError} domain_invalid, domain_own for a name of the hub, domain_taken when any other page has one of them,
 * domain_without_public_url
 */
export const writeDomains = async (
  store: Store,
  caller: Caller,
  pageId: number,
  sent: readonly string[],
): Promise<void> => {
  const domains = parseDomains(sent);
  const before = await readDomains(store, pageId);
  if (Bun.deepEquals(domains, before)) return;
  const isAdding = domains.some((domain) => !before.includes(domain));
  if (isAdding && !mayAdd(store, caller)) throw new AppError("domain_without_public_url");
  const own = await ownHosts(store, caller.host ?? "");
  await store.db.delete(pageDomains).where(eq(pageDomains.pageId, pageId));
  for (const domain of domains) {
    if (own.has(domain)) throw new AppError("domain_own", { domain });
    if (!(await claim(store, pageId, domain))) throw new AppError("domain_taken", { domain });
  }
};

/** Adds the domains of a page from a file, and returns those that it can't have here. */
export const importDomains = async (
  store: Store,
  caller: Caller,
  pageId: number,
  sent: readonly string[],
): Promise<string[]> => {
  const own = await ownHosts(store, "");
  const present = await readDomains(store, pageId);
  const refused: string[] = [];
  for (const domain of parseDomains(sent).filter((one) => !present.includes(one))) {
    const isPossible = mayAdd(store, caller) && present.length < DOMAIN_LIMITS.perPage && !own.has(domain);
    (isPossible && (await claim(store, pageId, domain)) ? present : refused).push(domain);
  }
  return refused;
};

/** How long another instance may answer at a domain that was removed here. */
const KEEP = 5 * SECOND;

/** All domains with the slugs of their pages. */
type Known = { slugs: ReadonlyMap<string, string>; invalidations: number; at: number };
type Cache = { known?: Known; loading?: { invalidations: number; done: Promise<Known> } };
const caches = new WeakMap<Deps["db"], Cache>();

const load = async ({ db, clock }: Pick<Deps, "db" | "clock">, invalidations: number): Promise<Known> => {
  const at = clock.now();
  const rows = await db
    .select({ domain: pageDomains.domain, slug: statusPages.slug })
    .from(pageDomains)
    .innerJoin(statusPages, eq(statusPages.id, pageDomains.pageId));
  return { slugs: new Map(rows.map(({ domain, slug }) => [domain, slug])), invalidations, at };
};

/**
 * The slug of the page that has a domain; null for other names. All domains are in memory, and are read again after
 * 5 s, so that unknown names take neither queries nor memory. While the database is unavailable, the last ones count.
 */
export const slugOfDomain = async (store: Pick<Deps, "db" | "clock">, domain: string): Promise<string | null> => {
  const cache = caches.get(store.db) ?? {};
  caches.set(store.db, cache);
  const invalidations = invalidationsOf(store.db);
  const { known, loading } = cache;
  const age = store.clock.now() - (known?.at ?? 0);
  if (known?.invalidations === invalidations && age >= 0 && age < KEEP) return known.slugs.get(domain) ?? null;
  // What began before an invalidation may not have the change.
  let current = loading?.invalidations === invalidations ? loading : undefined;
  if (!current) {
    const done = load(store, invalidations)
      .catch((error: unknown) => {
        if (!known) throw error;
        return { ...known, invalidations, at: store.clock.now() };
      })
      .then((loaded) => {
        if (cache.loading === started) cache.known = loaded;
        return loaded;
      })
      .finally(() => {
        if (cache.loading === started) delete cache.loading;
      });
    const started = { invalidations, done };
    current = started;
    cache.loading = started;
  }
  return (await current.done).slugs.get(domain) ?? null;
};
