/**
 * What mutes do to events: which ones they withhold, and what is sent when they end. Both are derived from what is stored, so
 * that a restart and another instance change nothing.
 */
import { and, eq, isNull, min, notInArray, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { deliveries, events, type maintenanceHolds, mutes, type OutageEvent, outages } from "../../../db/schema";
import { isOneOf, withValues } from "../../../db/sql";
import { type EventKind, isClosing, LASTING_KINDS, type TargetType } from "../../../shared/notifications";
import { type EventsSinceMute, missedEvents, unannouncedEvents } from "../delivery/plan/decide";

type Event = OutageEvent;
type MuteRow = typeof mutes.$inferSelect;
type Key = Pick<MuteRow, "targetType" | "targetId">;

/** Mutes ended in one transaction. */
const BATCH_SIZE = 200;

const keyOf = ({ targetType, targetId }: Key) => `${targetType} ${targetId}`;

/** The targets of these events with an open outage, except expiring certificates and plans, which last for weeks. */
const readUnwell = async ({ db }: Pick<Deps, "db">, batch: readonly Event[]): Promise<Set<string>> => {
  if (batch.length === 0) return new Set();
  const ids = [...new Set(batch.map(({ targetId }) => targetId))];
  const rows = await db
    .select({ targetType: outages.targetType, targetId: outages.targetId })
    .from(outages)
    .where(and(isOneOf(outages.targetId, ids), isNull(outages.endedAt), notInArray(outages.kind, [...LASTING_KINDS])));
  return new Set(rows.map(keyOf));
};

const KEY = { target_type: "text", target_id: "bigint" } as const;

/** Deletes the mutes, or the holds of maintenance, of these targets. */
export const deleteSilences = async (
  db: Deps["db"],
  table: typeof mutes | typeof maintenanceHolds,
  ended: readonly Key[],
): Promise<void> => {
  if (ended.length === 0) return;
  const rows = ended.map(({ targetType, targetId }) => [targetType, targetId]);
  await db.rows(sql`${withValues("ended", KEY, rows)} delete from ${table} where exists (select 1 from ended
    where ended.target_type = ${table.targetType} and ended.target_id = ${table.targetId})`);
};

/**
 * Returns the ids of the muted events of a batch, and deletes the mutes that a recovery ends by leaving its target without an
 * outage. That recovery is not muted, so that its owner learns that alerts are sent again.
 */
export const findMutedEvents = async (
  { db }: Pick<Deps, "db">,
  batch: readonly Event[],
): Promise<ReadonlySet<number>> => {
  const ids = [...new Set(batch.map(({ targetId }) => targetId))];
  const active = new Map(
    (await db.select().from(mutes).where(isOneOf(mutes.targetId, ids))).map((row) => [keyOf(row), row]),
  );
  const muteOf = (event: Event): MuteRow | undefined => {
    const mute = active.get(keyOf(event));
    return mute && (mute.endsAt === null || event.at < mute.endsAt) ? mute : undefined;
  };
  const mayEnd = (event: Event): boolean => isClosing(event.kind) && muteOf(event)?.untilRecovery === true;
  const unwell = await readUnwell({ db }, batch.filter(mayEnd));
  const muted = new Set<number>();
  const ended: Key[] = [];
  for (const event of batch) {
    const mute = muteOf(event);
    if (!mute) continue;
    if (mayEnd(event) && !unwell.has(keyOf(event))) {
      active.delete(keyOf(event));
      ended.push(mute);
    } else muted.add(event.id);
  }
  await deleteSilences(db, mutes, ended);
  return muted;
};

/** The end of the next mute with a fixed end, or null. */
export const readNextEnd = async ({ db }: Pick<Deps, "db">): Promise<number | null> => {
  const [next] = await db.select({ at: min(mutes.endsAt) }).from(mutes);
  return next?.at ?? null;
};

type EndedRow = Key & EventsSinceMute;

const readEnded = async ({ db }: Pick<Deps, "db">, ended: SQL): Promise<EndedRow[]> => {
  const isMuted = sql`e.planned_at >= m.muted_at and e.at < m.ends_at`;
  const rows = await db.rows(sql`select m.target_type, m.target_id, m.muted_at, e.kind, e.subject, max(e.id) as last,
      min(case when ${isMuted} then e.id end) as first_muted, max(case when ${isMuted} then e.id end) as last_muted,
      sum(case when e.planned_at is null and e.at < m.ends_at then 1 else 0 end) as unplanned
    from (${ended}) as m
    left join ${events} as e on e.target_type = m.target_type and e.target_id = m.target_id
      and not e.drill and (e.planned_at >= m.muted_at or e.planned_at is null)
    group by m.target_type, m.target_id, m.muted_at, e.kind, e.subject`);
  const idOf = (value: unknown) => (value === null ? null : Number(value));
  return rows.map((row) => ({
    targetType: row.target_type as TargetType,
    targetId: Number(row.target_id),
    mutedAt: Number(row.muted_at),
    kind: row.kind as EventKind | null,
    subject: row.subject as string | null,
    last: idOf(row.last),
    firstMuted: idOf(row.first_muted),
    lastMuted: idOf(row.last_muted),
    unplanned: Number(row.unplanned),
  }));
};

/**
 * Resets the events that delivery/plan/decide.ts reports at the end of mutes, or of holds of maintenance, to plan them again.
 * `ended` selects their `target_type`, `target_id`, `muted_at` and `ends_at`. Returns those that can be deleted, how many
 * events wait to be planned, and those that unannouncedEvents finds.
 */
export const reportMissed = async (
  { db }: Pick<Deps, "db">,
  ended: SQL,
): Promise<{ over: Key[]; missed: number; unannounced: number[] }> => {
  const targets = [...Map.groupBy(await readEnded({ db }, ended), keyOf).values()];
  const over = targets.flatMap((kinds) => {
    const missed = missedEvents(kinds);
    return missed && kinds[0] ? [{ key: kinds[0], missed, unannounced: unannouncedEvents(kinds) }] : [];
  });
  const missed = over.flatMap((one) => one.missed);
  if (missed.length > 0) {
    await db.delete(deliveries).where(and(isOneOf(deliveries.eventId, missed), eq(deliveries.state, "withheld")));
    await db.update(events).set({ plannedAt: null }).where(isOneOf(events.id, missed));
  }
  const unannounced = over.flatMap((one) => one.unannounced);
  return { over: over.map(({ key }) => key), missed: missed.length, unannounced };
};

/** Deletes mutes whose time is over. Returns whether events wait to be planned. */
export const endExpiredMutes = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  const { over, missed } = await reportMissed(
    { db },
    sql`select target_type, target_id, muted_at, ends_at from ${mutes} where ${mutes.endsAt} <= ${clock.now()}
      order by ends_at limit ${BATCH_SIZE}`,
  );
  await deleteSilences(db, mutes, over);
  return missed > 0 || over.length === BATCH_SIZE;
};
