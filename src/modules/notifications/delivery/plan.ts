import { asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { channels, deliveries, events, mutes, notificationRules, users } from "../../../db/schema";
import { isOneOf, lockAlerts, withValues } from "../../../db/sql";
import { SECOND } from "../../../shared/limits";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { applyMutes, deleteMutes } from "../mutes/apply";
import { channelsOf, effective } from "../rules/service";
import { pauseOf } from "./outcome";
import type { PlanContext, Suppressor } from "./suppressors";

/** Events planned in one transaction. */
const BATCH_SIZE = 500;

/** An event that is not planned yet, and the role of its owner. */
type PendingEvent = { event: typeof events.$inferSelect; role: "admin" | "user" };
/** An event with what suppressors read, for one of its channels. */
type Candidate = { event: typeof events.$inferSelect; context: PlanContext };

/** Reads the rules and channels of these events' owners. Returns a candidate for each event and channel. */
const readCandidates = async (
  { db, config, clock }: Deps,
  batch: PendingEvent[],
  muted: ReadonlySet<number>,
): Promise<Candidate[]> => {
  const owners = [...new Set(batch.map(({ event }) => event.userId))];
  const rules = await db.select().from(notificationRules).where(isOneOf(notificationRules.userId, owners));
  const owned = await db.select().from(channels).where(isOneOf(channels.userId, owners));
  const ruleByTarget = new Map(rules.map((rule) => [`${rule.userId} ${rule.targetType} ${rule.targetId}`, rule]));
  const channelById = new Map(owned.map((channel) => [`${channel.userId} ${channel.id}`, channel]));
  return batch.flatMap(({ event, role }) => {
    const ruleOf = (targetId: number) => ruleByTarget.get(`${event.userId} ${event.targetType} ${targetId}`);
    const rule = effective(ruleOf(0), ruleOf(event.targetId));
    return channelsOf(rule).map((id) => {
      const channel = id === BUILT_IN_ID ? builtInChannel(config, role) : channelById.get(`${event.userId} ${id}`);
      const context = { rule, channel: channel ?? null, muted: muted.has(event.id), now: clock.now() };
      return { event, context };
    });
  });
};

const COLUMNS = {
  event_id: "bigint",
  channel_id: "bigint",
  channel_name: "text",
  channel_type: "text",
  reason: "text",
} as const;

/** The delivery of an event to a channel, with the reason if it is suppressed; none where no reason is to be stored. */
const deliveryRow = ({ event, context }: Candidate, suppressors: readonly Suppressor[]): unknown[][] => {
  const suppressor = suppressors.find(({ reason }) => reason(event, context) !== null);
  const { channel } = context;
  if (!channel || (suppressor && !suppressor.stored)) return [];
  return [[event.id, channel.id, channel.name, channel.type, suppressor?.reason(event, context) ?? null]];
};

/** The statement that stores deliveries, except of events that were planned before. */
const insertDeliveries = (values: SQL, groupSeconds: number, now: number): SQL => {
  const dueAt = now + groupSeconds * SECOND;
  return sql`${values} insert into ${deliveries}
    (event_id, channel_id, channel_name, channel_type, state, attempts, error_code, next_attempt_at, ended_at, created_at, due_at,
      group_seconds)
    select d.event_id, d.channel_id, d.channel_name, d.channel_type,
      case when d.reason is null then 'pending' else 'withheld' end, 0, d.reason,
      case when d.reason is null then coalesce(${pauseOf(sql`d.channel_id`, dueAt)}, cast(${dueAt} as bigint)) end,
      case when d.reason is not null then cast(${now} as bigint) end, cast(${now} as bigint), cast(${dueAt} as bigint),
      cast(${groupSeconds} as integer)
    from d where exists (select 1 from ${events} as e where e.id = d.event_id and e.planned_at is null) on conflict do nothing`;
};

/** A new delivery waits for earlier ones of the same target and channel, so those are retried now. */
const retryPredecessors = (values: SQL, now: number): SQL =>
  sql`${values} update ${deliveries} set next_attempt_at = ${now} where ${deliveries.nextAttemptAt} > ${now}
    and ${pauseOf(deliveries.channelId, now)} is null and ${deliveries.id} in (
      select older.id from d join ${events} as e on e.id = d.event_id
      join ${events} as known on known.target_type = e.target_type and known.target_id = e.target_id
      join ${deliveries} as older on older.event_id = known.id and older.channel_id = d.channel_id
      where d.reason is null)`;

/**
 * Stores a delivery for each channel that a new event is to be sent to. Planning an event twice changes nothing. A
 * mute ends with the recovery of its target. Gives whether more events may be waiting.
 */
export const planDeliveries = async (deps: Deps, suppressors: readonly Suppressor[]): Promise<boolean> => {
  const { db, clock, config } = deps;
  const batch = await db
    .select({ event: events, role: users.role })
    .from(events)
    .innerJoin(users, eq(users.id, events.userId))
    .where(isNull(events.plannedAt))
    .orderBy(asc(events.id))
    .limit(BATCH_SIZE);
  if (batch.length === 0) return false;
  const { muted, ended } = await applyMutes(
    deps,
    batch.map(({ event }) => event),
  );
  const rows = (await readCandidates(deps, batch, muted)).flatMap((candidate) => deliveryRow(candidate, suppressors));
  const now = clock.now();
  const values = withValues("d", COLUMNS, rows);
  const ids = batch.map(({ event }) => event.id);
  const writes =
    rows.length > 0 ? [insertDeliveries(values, config.alertGroupSeconds, now), retryPredecessors(values, now)] : [];
  await db.atomically((tx) => [
    ...lockAlerts,
    ...writes,
    tx.update(events).set({ plannedAt: now }).where(isOneOf(events.id, ids)),
    ...(ended.length > 0 ? [deleteMutes(ended, eq(mutes.untilRecovery, true))] : []),
  ]);
  return batch.length === BATCH_SIZE;
};
