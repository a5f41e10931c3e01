import type { Static } from "@sinclair/typebox";
import { and, desc, eq, lt } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { securityLog } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { component, id, integer, nullable, oneOf, text, time } from "../../../server/answers";
import { SECURITY_EVENTS, type SecurityEventKind } from "../../../shared/security-events";

type Filter = { before?: number; limit?: number; kind?: SecurityEventKind; user?: string };

const PAGE = 50;

export const SecurityLogEntry = component("SecurityLogEntry", {
  id: id("The entry's id.", 18),
  at: time("When it happened."),
  kind: oneOf("What happened.", SECURITY_EVENTS),
  user_id: nullable(integer("The user who acted; null for a caller without a session.", 1)),
  username: text("The user who acted, or the username that was tried.", "alice"),
  address: text("The caller's address.", "192.0.2.1"),
  detail: text(
    "What was acted on, such as another user's name; the number of rate-limited sign-ins or ended sessions.",
    "bob",
  ),
});
type Page = { entries: Static<typeof SecurityLogEntry>[]; next: number | null };

/** A page of the security log, the latest entry first. `next` is the `before` of the next page, null on the last one. */
export const readSecurityLog = async (
  { db }: Pick<Deps, "db">,
  { before, limit = PAGE, kind, user }: Filter,
): Promise<Page> => {
  const rows = await db
    .select()
    .from(securityLog)
    .where(
      and(
        before === undefined ? undefined : lt(securityLog.id, before),
        kind && eq(securityLog.kind, kind),
        user ? eq(securityLog.username, user) : undefined,
      ),
    )
    .orderBy(desc(securityLog.id))
    .limit(limit);
  const entries = rows.map(({ at, userId, ...row }) => ({
    id: row.id,
    at: isoTime(at),
    kind: row.kind as SecurityEventKind,
    user_id: userId,
    username: row.username,
    address: row.address,
    detail: row.detail,
  }));
  return { entries, next: entries.length === limit ? (entries.at(-1)?.id ?? null) : null };
};
