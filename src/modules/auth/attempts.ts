import { eq, lt, sql } from "drizzle-orm";
import { loginFailures } from "../../db/schema";
import type { Deps } from "../../deps";
import { keyOf } from "./service";

const WINDOW = 15 * 60_000;
const ALLOWED_FAILURES = 10;
const attemptKey = (address: string, username: string) =>
  new Bun.CryptoHasher("sha256").update(`${address}\n${keyOf(username)}`).digest("base64url");

/**
 * Counts an attempt and gives the seconds to wait before it may be made; 0 when it may be made now. It counts as failed
 * from the start, so that of many guesses made at once no more are looked at than of as many made one by one.
 */
export const claimAttempt = async ({ db, clock }: Deps, address: string, username: string): Promise<number> => {
  const now = clock.now();
  const fresh = sql`${loginFailures.since} <= ${now - WINDOW}`;
  const [row] = await db
    .insert(loginFailures)
    .values({ key: attemptKey(address, username), failures: 1, since: now })
    .onConflictDoUpdate({
      target: loginFailures.key,
      set: {
        failures: sql`case when ${fresh} then 1 else ${loginFailures.failures} + 1 end`,
        since: sql`case when ${fresh} then ${now} else ${loginFailures.since} end`,
      },
    })
    .returning();
  if (!row || row.failures <= ALLOWED_FAILURES) return 0;
  return Math.max(1, Math.ceil((row.since + WINDOW - now) / 1000));
};

export const forgetFailures = async ({ db }: Deps, address: string, username: string): Promise<void> => {
  await db.delete(loginFailures).where(eq(loginFailures.key, attemptKey(address, username)));
};

export const sweepFailures = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  await db.delete(loginFailures).where(lt(loginFailures.since, clock.now() - WINDOW));
};
