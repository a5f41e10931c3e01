import { and, eq, gt, lt } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { hashSecret } from "../../core/secrets";
import { knownAddresses } from "../../db/schema";
import { DAY } from "../../shared/limits";

type Store = Pick<Deps, "db" | "clock">;

const KNOWN_FOR = 90 * DAY;
const hashOf = (origin: string, usernameKey: string) => hashSecret(`known\n${origin}\n${usernameKey}`);

/** Whether somebody of this name has signed in from here of late. */
export const isKnown = async ({ db, clock }: Store, origin: string, usernameKey: string): Promise<boolean> =>
  (await db.$count(
    knownAddresses,
    and(eq(knownAddresses.hash, hashOf(origin, usernameKey)), gt(knownAddresses.seenAt, clock.now() - KNOWN_FOR)),
  )) > 0;

/** Remembers that a user has signed in from here. */
export const rememberOrigin = async (
  { db, clock }: Store,
  origin: string,
  user: { id: number; usernameKey: string },
): Promise<void> => {
  const row = { hash: hashOf(origin, user.usernameKey), userId: user.id, seenAt: clock.now() };
  await db
    .insert(knownAddresses)
    .values(row)
    .onConflictDoUpdate({
      target: knownAddresses.hash,
      set: { userId: row.userId, seenAt: row.seenAt },
      setWhere: lt(knownAddresses.seenAt, row.seenAt - DAY),
    });
};

export const sweepKnownAddresses = async ({ db, clock }: Store): Promise<void> => {
  await db.delete(knownAddresses).where(lt(knownAddresses.seenAt, clock.now() - KNOWN_FOR));
};
