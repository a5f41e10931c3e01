import type { Deps } from "../../core/deps";
import { unavailable } from "../../core/errors";
import { createExpiringMap } from "../../lib/expiring-map";
import { SECOND } from "../../shared/limits";

/** The maximum age of a cached answer. */
const KEEP = 5 * SECOND;
/** The limit for all cached answers together, in bytes: visitors choose what is requested. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Pages that are built at the same time; others wait, up to WAITING_BUILDS, and further ones are refused. */
const BUILDS = 2;
const WAITING_BUILDS = 100;

type Cache = {
  kept: ReturnType<typeof createExpiringMap<string, unknown>>;
  /** By key, so that concurrent requests for one page share its build. */
  builds: Map<string, Promise<unknown>>;
};
type Queue = { running: number; waiting: (() => void)[] };

const caches = new WeakMap<Deps["db"], Cache>();
const queues = new WeakMap<Deps["db"], Queue>();

const invalidations = new WeakMap<Deps["db"], number>();

/** Invalidates every page of this database. Call it after a change of anything that a page shows. */
export const invalidatePages = (db: Deps["db"]): void => {
  caches.delete(db);
  invalidations.set(db, invalidationsOf(db) + 1);
};

/** How often the pages of a database were invalidated. */
export const invalidationsOf = (db: Deps["db"]): number => invalidations.get(db) ?? 0;

const buildWithinLimit = async <T>(db: Deps["db"], build: () => Promise<T>): Promise<T> => {
  const queue = queues.get(db) ?? { running: 0, waiting: [] };
  queues.set(db, queue);
  if (queue.running >= BUILDS) {
    if (queue.waiting.length >= WAITING_BUILDS) throw unavailable("Too many status pages are being built.");
    await new Promise<void>((resolve) => queue.waiting.push(resolve));
  } else queue.running++;
  try {
    return await build();
  } finally {
    // The next build takes over this place, so that no later request gets it first.
    const next = queue.waiting.shift();
    if (next) next();
    else queue.running--;
  }
};

/**
 * The page under a key, built by `make` and kept for 5 s or until pages are invalidated. The caller gives the canonical
 * key of a page: every spelling of its address shares one entry. `bytes` returns how much memory a page takes. Missing
 * pages (null) and failures are not cached.
 * @throws {AppError} unavailable, when too many pages are being built
 */
export const cachePage = <T>(
  { db, clock }: Pick<Deps, "db" | "clock">,
  key: string,
  make: () => Promise<T | null>,
  bytes: (made: T) => number,
): Promise<T | null> => {
  const cache = caches.get(db) ?? { kept: createExpiringMap(MAX_BYTES), builds: new Map() };
  caches.set(db, cache);
  const now = clock.now();
  const entry = cache.kept.get(key, now) as T | undefined;
  if (entry) return Promise.resolve(entry);
  const joined = cache.builds.get(key) as Promise<T | null> | undefined;
  if (joined) return joined;
  const build = buildWithinLimit(db, make)
    .then((made) => {
      if (made) cache.kept.set(key, made, now, { lifetime: KEEP, weight: bytes(made) });
      return made;
    })
    .finally(() => cache.builds.delete(key));
  cache.builds.set(key, build);
  return build;
};
