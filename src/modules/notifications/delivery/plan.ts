import { asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Statement } from "../../../db/database";
import { channels, deliveries, events, notificationRules, users } from "../../../db/schema";
import { isOneOf, lockAlerts, withValues } from "../../../db/sql";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { channelsOf, effective } from "../rules/service";
import { pauseOf } from "./outcome";
import type { PlanContext, Suppressor } from "./suppressors";

/** Events planned in one transaction. */
const BATCH_SIZE = 500;

type Event = typeof events.$inferSelect;

/** Reads the rules and channels of these events' owners. Returns the contexts of an event, one for each of its channels. */
const readContexts = async ({ db, config, clock }: Deps, batch: Event[]) => {
  const owners = [...new Set(batch.map(({ userId }) => userId))];
  const rules = await db.select().from(notificationRules).where(isOneOf(notificationRules.userId, owners));
  const ruleOf = new Map(rules.map((rule) => [`${rule.userId} ${rule.targetType} ${rule.targetId}`, rule]));
  const owned = await db.select().from(channels).where(isOneOf(channels.userId, owners));
  const channelOf = new Map(owned.map((channel) => [`${channel.userId} ${channel.id}`, channel]));
  const administrators = await db.select({ id: users.id }).from(users).where(eq(users.role, "admin"));
  const isAdministrator = new Set(administrators.map(({ id }) => id));
  const builtIn = builtInChannel(config);
  const now = clock.now();
  return ({ userId, targetType, targetId }: Event): PlanContext[] => {
    const global = ruleOf.get(`${userId} ${targetType} 0`);
    const rule = effective(global, ruleOf.get(`${userId} ${targetType} ${targetId}`));
    return channelsOf(rule).map((id) => {
      if (id !== BUILT_IN_ID) return { rule, channel: channelOf.get(`${userId} ${id}`) ?? null, now };
      return { rule, channel: isAdministrator.has(userId) ? builtIn : null, now };
    });
  };
};

const COLUMNS = {
  event_id: "bigint",
  channel_id: "bigint",
  channel_name: "text",
  channel_type: "text",
  reason: "text",
} as const;

/** The delivery of an event to a channel, with the reason if it is suppressed; none where no reason is to be stored. */
const deliveryRow = (event: Event, context: PlanContext, suppressors: readonly Suppressor[]): unknown[][] => {
  const suppressor = suppressors.find(({ reason }) => reason(event, context) !== null);
  const { channel } = context;
  if (!channel || (suppressor && !suppressor.stored)) return [];
  return [[event.id, channel.id, channel.name, channel.type, suppressor?.reason(event, context) ?? null]];
};

const insertDeliveries = (values: SQL, now: number): SQL =>
  sql`${values} insert into ${deliveries}
    (event_id, channel_id, channel_name, channel_type, state, attempts, error_code, next_attempt_at, ended_at, created_at)
    select d.event_id, d.channel_id, d.channel_name, d.channel_type,
      case when d.reason is null then 'pending' else 'failed' end, 0, d.reason,
      case when d.reason is null then coalesce(${pauseOf(sql`d.channel_id`, now)}, cast(${now} as bigint)) end,
      case when d.reason is not null then cast(${now} as bigint) end, cast(${now} as bigint)
    from d where exists (select 1 from ${events} as e where e.id = d.event_id and e.planned_at is null) on conflict do nothing`;

/** A new delivery waits for earlier ones of the same target and channel, so those are retried now. */
const retryPredecessors = (values: SQL, now: number): SQL =>
  sql`${values} update ${deliveries} set next_attempt_at = ${now} where ${deliveries.nextAttemptAt} > ${now}
    and ${pauseOf(deliveries.channelId, now)} is null and ${deliveries.id} in (
      select older.id from d join ${events} as e on e.id = d.event_id
      join ${events} as known on known.target_type = e.target_type and known.target_id = e.target_id
      join ${deliveries} as older on older.event_id = known.id and older.channel_id = d.channel_id
      where d.reason is null)`;

/**
 * Stores a delivery for each channel that a new event is to be sent to. Planning an event twice changes nothing. Gives
 * whether more events may be waiting.
 */
export const planDeliveries = async (deps: Deps, suppressors: readonly Suppressor[]): Promise<boolean> => {
  const { db, clock } = deps;
  const batch = await db
    .select()
    .from(events)
    .where(isNull(events.plannedAt))
    .orderBy(asc(events.id))
    .limit(BATCH_SIZE);
  if (batch.length === 0) return false;
  const contextsOf = await readContexts(deps, batch);
  const rows = batch.flatMap((event) =>
    contextsOf(event).flatMap((context) => deliveryRow(event, context, suppressors)),
  );
  const now = clock.now();
  const values = withValues("d", COLUMNS, rows);
  const ids = batch.map(({ id }) => id);
  const writes: Statement[] = rows.length > 0 ? [insertDeliveries(values, now), retryPredecessors(values, now)] : [];
  await db.atomically((tx) => [
    ...lockAlerts,
    ...writes,
    tx.update(events).set({ plannedAt: now }).where(isOneOf(events.id, ids)),
  ]);
  return batch.length === BATCH_SIZE;
};
