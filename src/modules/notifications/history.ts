import { and, asc, desc, eq, lt } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { deliveries, events } from "../../db/schema";
import { isOneOf, lockAlerts } from "../../db/sql";
import { isoTime } from "../../lib/time";
import { presentError, storedError } from "../../shared/check-error";
import { DAY } from "../../shared/limits";

const isoOrNull = (time: number | null) => (time === null ? null : isoTime(time));

const presentDelivery = (row: typeof deliveries.$inferSelect) => ({
  id: row.id,
  channel: { id: row.channelId, name: row.channelName, type: row.channelType },
  state: row.state,
  attempts: row.attempts,
  error: row.error,
  created_at: isoTime(row.createdAt),
  next_attempt_at: isoOrNull(row.nextAttemptAt),
  ended_at: isoOrNull(row.endedAt),
});

/** What happened to a user's monitors and agents, the newest first, and who was told of it. */
export const readEvents = async (
  { db }: Pick<Deps, "db">,
  userId: number,
  { before, limit = 50 }: { before?: number; limit?: number },
) => {
  const rows = await db
    .select()
    .from(events)
    .where(and(eq(events.userId, userId), before === undefined ? undefined : lt(events.id, before)))
    .orderBy(desc(events.id))
    .limit(limit);
  const told = await db
    .select()
    .from(deliveries)
    .where(
      isOneOf(
        deliveries.eventId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(deliveries.id));
  const byEvent = Map.groupBy(told, ({ eventId }) => eventId);
  return {
    events: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      target: { type: row.targetType, id: row.targetId, name: row.targetName },
      at: isoTime(row.at),
      since: isoOrNull(row.since),
      ...presentError(storedError(row)),
      figure: row.figure,
      threshold: row.threshold,
      mount: row.mount,
      deliveries: (byEvent.get(row.id) ?? []).map(presentDelivery),
    })),
    next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  };
};

/** Deletes events that are older than hourly sums are kept. */
export const deleteExpiredEvents = async ({
  db,
  clock,
  config,
}: Pick<Deps, "db" | "clock" | "config">): Promise<void> => {
  const before = clock.now() - config.retention.hourDays * DAY;
  await db.atomically((tx) => [...lockAlerts, tx.delete(events).where(lt(events.at, before))]);
};
