import { asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { channels, deliveries, events, notificationRules, users } from "../../../db/schema";
import { isOneOf, lockAlerts, withValues } from "../../../db/sql";
import { BUILT_IN_ID, builtInChannel } from "../channels/built-in";
import { channelsFor, effective } from "../rules/effective";
import { pauseOf } from "./outcome";

const EVENTS_AT_ONCE = 500;

const DELIVERY = { event_id: "bigint", channel_id: "bigint", channel_name: "text", channel_type: "text" } as const;

/** What is new waits for what is older of the same monitor or agent, so that is tried again now. */
const hastenEarlier = (rows: SQL, now: number): SQL =>
  sql`${rows} update ${deliveries} set next_attempt_at = ${now} where ${deliveries.nextAttemptAt} > ${now}
    and ${pauseOf(deliveries.channelId, now)} is null and ${deliveries.id} in (
      select older.id from d join ${events} as e on e.id = d.event_id
      join ${events} as known on known.target_type = e.target_type and known.target_id = e.target_id
      join ${deliveries} as older on older.event_id = known.id and older.channel_id = d.channel_id)`;

/**
 * Decides for each new event who is told of it, and leaves a delivery for each. Deciding twice changes nothing. Gives
 * whether more is left.
 */
export const planDeliveries = async ({ db, clock, config }: Deps): Promise<boolean> => {
  const fresh = await db
    .select()
    .from(events)
    .where(isNull(events.plannedAt))
    .orderBy(asc(events.id))
    .limit(EVENTS_AT_ONCE);
  if (fresh.length === 0) return false;
  const owners = [...new Set(fresh.map(({ userId }) => userId))];
  const settings = await db.select().from(notificationRules).where(isOneOf(notificationRules.userId, owners));
  const settingOf = new Map(settings.map((row) => [`${row.userId} ${row.targetType} ${row.targetId}`, row]));
  const known = await db.select().from(channels).where(isOneOf(channels.userId, owners));
  const channelOf = new Map(known.filter(({ enabled }) => enabled).map((channel) => [channel.id, channel]));
  const administrators = await db.select({ id: users.id }).from(users).where(eq(users.role, "admin"));
  const builtIn = builtInChannel(config);

  const wanted = fresh.flatMap(({ id, userId, kind, targetType, targetId }) => {
    const global = settingOf.get(`${userId} ${targetType} 0`);
    const specific = settingOf.get(`${userId} ${targetType} ${targetId}`);
    return channelsFor(kind, effective(global, specific)).flatMap((channelId) => {
      const mayUseBuiltIn = channelId === BUILT_IN_ID && administrators.some((one) => one.id === userId);
      const channel = mayUseBuiltIn ? builtIn : channelOf.get(channelId);
      // A channel of somebody else's is nobody's to use, whatever a setting says.
      if (!channel || (channel.id !== BUILT_IN_ID && channelOf.get(channelId)?.userId !== userId)) return [];
      return [[id, channel.id, channel.name, channel.type]];
    });
  });
  const now = clock.now();
  const rows = withValues("d", DELIVERY, wanted);
  await db.atomically((tx) => [
    ...lockAlerts,
    ...(wanted.length > 0
      ? [
          sql`${rows} insert into ${deliveries}
            (event_id, channel_id, channel_name, channel_type, state, attempts, next_attempt_at, created_at)
            select d.event_id, d.channel_id, d.channel_name, d.channel_type, 'pending', 0,
              coalesce(${pauseOf(sql`d.channel_id`, now)}, cast(${now} as bigint)), cast(${now} as bigint)
            from d where exists (select 1 from ${events} as e where e.id = d.event_id and e.planned_at is null) on conflict do nothing`,
          hastenEarlier(rows, now),
        ]
      : []),
    tx
      .update(events)
      .set({ plannedAt: now })
      .where(
        inArray(
          events.id,
          fresh.map(({ id }) => id),
        ),
      ),
  ]);
  return fresh.length === EVENTS_AT_ONCE;
};
