import { and, eq, gt, lt } from "drizzle-orm";
import { isExceeded, limitKey } from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { hashSecret } from "../../../core/secrets";
import { trustedClients } from "../../../db/schema";
import { deviceOf } from "../../../shared/device/device";
import { DAY } from "../../../shared/limits";
import type { User } from "../account/service";
import { neighbourhoodOf } from "../client-address";
import { queueMail } from "../mail/send";
import { KNOWN_FOR } from "./sign-in";

type Client = { address: string; userAgent: string };
type Store = Pick<Deps, "db" | "clock">;

/** Mails about new places that a user gets in a day. */
const MAILS_A_DAY = 5;

/** Remembers the network and the browser of a user, and returns whether they were known together. */
export const rememberPlace = async ({ db, clock }: Store, userId: number, { address, userAgent }: Client) => {
  const now = clock.now();
  const place = ["place", userId, neighbourhoodOf(address), deviceOf(userAgent)];
  const row = { hash: hashSecret(place.join("\n")), userId, seenAt: now };
  const known = await db.$count(
    trustedClients,
    and(eq(trustedClients.hash, row.hash), gt(trustedClients.seenAt, now - KNOWN_FOR)),
  );
  await db
    .insert(trustedClients)
    .values(row)
    .onConflictDoUpdate({
      target: trustedClients.hash,
      set: { seenAt: now },
      setWhere: lt(trustedClients.seenAt, now - DAY),
    });
  return known > 0;
};

/** Mails the user about a sign-in from a network with a browser that they have not used for 90 days. */
export const noticePlace = async (deps: Store & Pick<Deps, "config">, user: User, client: Client): Promise<void> => {
  if (await rememberPlace(deps, user.id, client)) return;
  if (!deps.config.mail || !user.email) return;
  const limit = { key: limitKey("new place", user.id), allowed: MAILS_A_DAY, window: DAY };
  if (!(await isExceeded(deps, limit))) await queueMail(deps, user, "new_place", client);
};
