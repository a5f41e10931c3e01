import { and, desc, eq, lt } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { securityLog } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import type { SecurityEventKind } from "../../../shared/security-events";

type Filter = { before?: number; limit?: number; kind?: SecurityEventKind; user?: string };

const PAGE = 50;

/** A page of the security log, the latest entry first. `next` is the `before` of the next page, null on the last one. */
export const readSecurityLog = async ({ db }: Pick<Deps, "db">, { before, limit = PAGE, kind, user }: Filter) => {
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
