/** Limits of attempts that are counted in the database, for all instances and across restarts. */
import { eq, lt, sql } from "drizzle-orm";
import type { Deps } from "../core/deps";
import { rateLimited } from "../core/errors";
import { hashSecret } from "../core/secrets";
import { loginFailures } from "../db/schema";
import { isOneOf } from "../db/sql";
import { MINUTE } from "../shared/limits";

type Store = Pick<Deps, "db" | "clock">;
/** A counter, its maximum, and its window in milliseconds: 15 minutes by default. */
export type Limit = { key: string; allowed: number; window?: number };

const WINDOW = 15 * MINUTE;
/** Refused counters that are kept in memory, so that repeating a refused attempt costs no query. */
const REMEMBERED = 10_000;
const refusedUntil = new WeakMap<Deps["db"], Map<string, number>>();

/** The key of a counter, hashed because it holds names and addresses. */
export const limitKey = (...parts: (string | number)[]) => hashSecret(`${parts.join("\n")}\n`);

/** One limit for each network of a caller, from the narrowest to the widest; each wider one allows twice as much. */
export const networkLimits = (networks: string[], allowed: number, key: (network: string) => string): Limit[] =>
  networks.map((network, index) => ({ key: key(network), allowed: allowed * 2 ** index }));

const memoryOf = (db: Deps["db"]) => {
  const memory = refusedUntil.get(db) ?? new Map<string, number>();
  refusedUntil.set(db, memory);
  return memory;
};

const refuse = (until: number, now: number) => rateLimited(Math.max(1, Math.ceil((until - now) / 1000)));

/** @throws {AppError} rate_limited when this process knows that one of these limits is exceeded. Costs no query. */
export const assertNotRefused = ({ db, clock }: Store, limits: Limit[]): void => {
  const [memory, now] = [memoryOf(db), clock.now()];
  for (const { key, window = WINDOW } of limits) {
    const until = memory.get(key) ?? 0;
    if (until > now && until <= now + window) throw refuse(until, now);
  }
};

/**
 * Increments each counter, and returns the counters above `allowed` with the end of their windows.
 * Rows keep the start of a 15-minute window; a longer window is stored as a start in the future.
 */
const count = async ({ db, clock }: Store, limits: Limit[]) => {
  const now = clock.now();
  const fresh = sql`${loginFailures.since} <= ${now - WINDOW}`;
  // Sorted, so that two transactions never wait for each other's rows.
  const sorted = limits.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const started = sql`excluded.since`;
  const rows = await db
    .insert(loginFailures)
    .values(sorted.map(({ key, window = WINDOW }) => ({ key, failures: 1, since: now + window - WINDOW })))
    .onConflictDoUpdate({
      target: loginFailures.key,
      set: {
        failures: sql`case when ${fresh} then 1 else ${loginFailures.failures} + 1 end`,
        since: sql`case when ${fresh} then ${started} else ${loginFailures.since} end`,
      },
    })
    .returning();
  const allowed = new Map(limits.map((limit) => [limit.key, limit.allowed]));
  return rows.map(({ key, failures, since }) => ({
    key,
    failures,
    allowed: allowed.get(key) ?? 0,
    until: since + WINDOW,
  }));
};

const remember = (db: Deps["db"], exceeded: { key: string; until: number }[]): void => {
  const memory = memoryOf(db);
  if (memory.size > REMEMBERED) memory.clear();
  for (const { key, until } of exceeded) memory.set(key, until);
};

/** Counts an attempt, and returns whether its limit is exceeded. */
export const isExceeded = async (store: Store, limit: Limit): Promise<boolean> => {
  const [counted] = await count(store, [limit]);
  return counted !== undefined && counted.failures > counted.allowed;
};

/**
 * Counts an attempt as failed before it is made, so that concurrent attempts are limited like consecutive ones.
 * `releaseAttempt` undoes the count when it succeeds.
 * @throws {AppError} rate_limited when a limit is exceeded
 */
export const claimAttempt = async (store: Store, limits: Limit[]): Promise<void> => {
  const exceeded = (await count(store, limits)).filter(({ failures, allowed }) => failures > allowed);
  if (exceeded.length === 0) return;
  remember(store.db, exceeded);
  throw refuse(Math.max(...exceeded.map(({ until }) => until)), store.clock.now());
};

/** Undoes the count of an attempt that succeeded: `reset` is cleared, the others are decremented. */
export const releaseAttempt = async ({ db }: Store, reset: Limit, others: Limit[]): Promise<void> => {
  await db.delete(loginFailures).where(eq(loginFailures.key, reset.key));
  const keys = others.filter(({ key }) => key !== reset.key).map(({ key }) => key);
  if (keys.length === 0) return;
  await db
    .update(loginFailures)
    .set({ failures: sql`${loginFailures.failures} - 1` })
    .where(sql`${isOneOf(loginFailures.key, keys)} and ${loginFailures.failures} > 0`);
};

/** Counts a success; once a limit is reached, `assertNotRefused` refuses further attempts until its window ends. */
export const countSuccess = async (store: Store, limits: Limit[]): Promise<void> => {
  const reached = (await count(store, limits)).filter(({ failures, allowed }) => failures >= allowed);
  remember(store.db, reached);
};

/** Deletes counters whose window is over. */
export const purgeAttempts = async ({ db, clock }: Store): Promise<void> => {
  await db.delete(loginFailures).where(lt(loginFailures.since, clock.now() - WINDOW));
};
