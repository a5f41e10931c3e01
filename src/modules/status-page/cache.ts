import type { Deps } from "../../deps";
import { SECOND } from "../../shared/limits";

type Entry<T> = { until: number; made: Promise<T | null> };

/** How old an answer may be at most. */
const KEEP = 5 * SECOND;
const caches = new WeakMap<Deps["db"], Map<string, Entry<unknown>>>();

/** Has every page of this database made anew: something may have changed that is on it. */
export const forgetPages = (db: Deps["db"]): void => void caches.delete(db);

/**
 * What `make` gives, kept under a key for 5 s or until pages are forgotten. Whoever asks meanwhile shares it; what is
 * not there (null) and failures are not kept.
 */
export const keepPage = <T>(
  { db, clock }: Pick<Deps, "db" | "clock">,
  key: string,
  make: () => Promise<T | null>,
): Promise<T | null> => {
  const cache = caches.get(db) ?? new Map<string, Entry<unknown>>();
  caches.set(db, cache);
  const now = clock.now();
  const kept = cache.get(key) as Entry<T> | undefined;
  if (kept && kept.until > now && kept.until <= now + KEEP) return kept.made;
  const entry: Entry<T> = { until: now + KEEP, made: make() };
  cache.set(key, entry);
  const drop = () => {
    if (cache.get(key) === entry) cache.delete(key);
  };
  entry.made.then((made) => made ?? drop(), drop);
  return entry.made;
};
