import { and, eq, gt, lt } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { hashSecret } from "../../../core/secrets";
import { trustedClients } from "../../../db/schema";
import { DAY } from "../../../shared/limits";

type Store = Pick<Deps, "db" | "clock">;

const KNOWN_FOR = 90 * DAY;
const hashOf = (origin: string, usernameKey: string) => hashSecret(`known\n${origin}\n${usernameKey}`);

/** Whether a user with this name has signed in from this client recently. */
export const isTrustedClient = async ({ db, clock }: Store, origin: string, usernameKey: string): Promise<boolean> =>
  (await db.$count(
    trustedClients,
    and(eq(trustedClients.hash, hashOf(origin, usernameKey)), gt(trustedClients.seenAt, clock.now() - KNOWN_FOR)),
  )) > 0;

/** Records that a user has signed in from this client. */
export const rememberOrigin = async (
  { db, clock }: Store,
  origin: string,
  user: { id: number; usernameKey: string },
): Promise<void> => {
  const row = { hash: hashOf(origin, user.usernameKey), userId: user.id, seenAt: clock.now() };
  await db
    .insert(trustedClients)
    .values(row)
    .onConflictDoUpdate({
      target: trustedClients.hash,
      set: { userId: row.userId, seenAt: row.seenAt },
      setWhere: lt(trustedClients.seenAt, row.seenAt - DAY),
    });
};

export const deleteExpiredClients = async ({ db, clock }: Store): Promise<void> => {
  await db.delete(trustedClients).where(lt(trustedClients.seenAt, clock.now() - KNOWN_FOR));
};
