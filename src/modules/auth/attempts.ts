import { eq, lt, sql } from "drizzle-orm";
import { loginFailures } from "../../db/schema";
import { isOneOf } from "../../db/values";
import type { Deps } from "../../deps";
import { rateLimited } from "../../errors";
import { hashSecret } from "../../secrets";
import { MINUTE } from "../../shared/limits";

type Store = Pick<Deps, "db" | "clock">;
/** Something that is counted, and how often it may fail in a quarter of an hour. */
export type Limit = { key: string; allowed: number };

const WINDOW = 15 * MINUTE;
/** Refusals that are remembered, so that repeating a refused attempt costs nothing. */
const REMEMBERED = 10_000;
const refusedUntil = new WeakMap<Deps["db"], Map<string, number>>();

/** One origin's guesses at one name, known there or not. */
export const pairLimit = (origin: string, usernameKey: string): Limit => ({
  key: hashSecret(`${origin}\n${usernameKey}`),
  allowed: 10,
});

/**
 * What counts for a stranger besides: all names together from one origin, and all origins together for one name. The
 * last keeps many machines from guessing one password for days, and it keeps nobody out where they are known.
 */
export const strangerLimits = (origin: string, usernameKey: string): Limit[] => [
  { key: hashSecret(`origin\n${origin}\n`), allowed: 60 },
  { key: hashSecret(`name\n${usernameKey}\n`), allowed: 100 },
];

/** Accounts that one origin may ask for. */
export const registrationLimit = (origin: string): Limit => ({ key: hashSecret(`register\n${origin}\n`), allowed: 30 });

const memoryOf = (db: Deps["db"]) => {
  const memory = refusedUntil.get(db) ?? new Map<string, number>();
  refusedUntil.set(db, memory);
  return memory;
};

const refuse = (until: number, now: number) => rateLimited(Math.max(1, Math.ceil((until - now) / 1000)));

/** @throws {AppError} rate_limited, when one of these was refused and its time is not over. Costs no query. */
export const assertNotRefused = ({ db, clock }: Store, limits: Limit[]): void => {
  const [memory, now] = [memoryOf(db), clock.now()];
  for (const { key } of limits) {
    const until = memory.get(key) ?? 0;
    if (until > now && until <= now + WINDOW) throw refuse(until, now);
  }
};

/**
 * Counts an attempt. It counts as failed from the start, so that of many guesses made at once no more are looked at
 * than of as many made one by one.
 * @throws {AppError} rate_limited, when one of the limits is reached
 */
export const claimAttempt = async ({ db, clock }: Store, limits: Limit[]): Promise<void> => {
  const now = clock.now();
  const fresh = sql`${loginFailures.since} <= ${now - WINDOW}`;
  // In one order, so that no two claims wait for each other.
  const sorted = limits.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rows = await db
    .insert(loginFailures)
    .values(sorted.map(({ key }) => ({ key, failures: 1, since: now })))
    .onConflictDoUpdate({
      target: loginFailures.key,
      set: {
        failures: sql`case when ${fresh} then 1 else ${loginFailures.failures} + 1 end`,
        since: sql`case when ${fresh} then ${now} else ${loginFailures.since} end`,
      },
    })
    .returning();
  const allowed = new Map(limits.map((limit) => [limit.key, limit.allowed]));
  const exceeded = rows.filter(({ key, failures }) => failures > (allowed.get(key) ?? 0));
  if (exceeded.length === 0) return;
  const memory = memoryOf(db);
  if (memory.size > REMEMBERED) memory.clear();
  for (const { key, since } of exceeded) memory.set(key, since + WINDOW);
  throw refuse(Math.max(...exceeded.map(({ since }) => since + WINDOW)), now);
};

/** Takes an attempt back that succeeded; of the pair's nothing remains. */
export const forgetFailures = async ({ db }: Store, pair: Limit, others: Limit[]): Promise<void> => {
  await db.delete(loginFailures).where(eq(loginFailures.key, pair.key));
  if (others.length === 0) return;
  const keys = others.map(({ key }) => key);
  await db
    .update(loginFailures)
    .set({ failures: sql`${loginFailures.failures} - 1` })
    .where(sql`${isOneOf(loginFailures.key, keys)} and ${loginFailures.failures} > 0`);
};

export const sweepFailures = async ({ db, clock }: Store): Promise<void> => {
  await db.delete(loginFailures).where(lt(loginFailures.since, clock.now() - WINDOW));
};
