import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { deliveries, events, instances } from "../../../db/schema";
import { isOneOf, lockAlerts, selectValues } from "../../../db/sql";
import { type Room, readRooms } from "./budgets";

/** A claimed delivery, and the user whose event it is of. */
export type Delivery = typeof deliveries.$inferSelect & { userId: number };

/** What is sent as one message: one delivery, or several of one channel and user. Its id is that of the first. */
export type Claimed = { id: number; deliveries: [Delivery, ...Delivery[]] };

/** Deliveries in one message at most, and how many are needed for one where the budget is enough for all. */
const DIGEST = { max: 200, min: 3 };

type ClaimOptions = {
  /** Instances last seen at this time or before are dead. */
  deadAt: number;
  /** The deliveries that this process has in flight. A claim of its own on any other is one whose answer was lost. */
  held: readonly number[];
  /** What this process sends now, and how many messages it may send: in all, of one user and to one channel. */
  inFlight: readonly Pick<Delivery, "channelId" | "userId">[];
  limit: number;
  limitPerUser: number;
  limitPerChannel: number;
};

/** The condition that a delivery is claimed by no living instance; a lost claim of this one counts as none. */
const isFree = (instance: string, { deadAt, held }: Pick<ClaimOptions, "deadAt" | "held">): SQL => {
  const alive = sql`select ${instances.id} from ${instances} where ${instances.seenAt} > ${deadAt}`;
  const lost = and(eq(deliveries.claimedBy, instance), sql`not ${isOneOf(deliveries.id, held)}`);
  return sql`(${deliveries.claimedBy} is null or ${deliveries.claimedBy} not in (${alive}) or ${lost})`;
};

const RUNNING = { channel_id: "bigint", user_id: "bigint" } as const;
const ROOMS = { channel_id: "bigint", places: "integer", messages: "integer", can_group: "integer" } as const;

/** Stands for any number of messages. */
const MANY = 1_000_000;

/** `places`: how many messages may be in flight to a channel, with those that are. */
const roomRows = (rooms: readonly Room[], { inFlight, limitPerChannel }: ClaimOptions): number[][] => {
  const running = Map.groupBy(inFlight, ({ channelId }) => channelId);
  return rooms.map(({ channelId, messages, grouped }) => {
    const places = Math.min(limitPerChannel, (running.get(channelId)?.length ?? 0) + messages);
    return [channelId, places, Math.min(messages, MANY), Number(grouped)];
  });
};

/**
 * What is not over of the channels with room. `due`: it has to be sent now. `ready`: it may be, because its grouping time has
 * begun, or because its provider asked for no pause before the retry. `can_group`: it may be in a digest, and `grouped`: it was
 * to wait for others. `again`: it was in a digest before, and `busy`: that is in flight.
 */
const waiting = (free: SQL, now: number): SQL => {
  const next = deliveries.nextAttemptAt;
  const grouping = sql`${deliveries.attempts} = 0 and ${deliveries.errorCode} is null
    and ${next} <= ${now} + ${deliveries.groupSeconds} * 1000`;
  const retried = sql`${deliveries.attempts} > 0 and ${deliveries.errorCode} <> 'rate_limited'`;
  return sql`select ${deliveries.id} as id, ${deliveries.channelId} as channel_id, ${events.userId} as user_id,
      ${events.targetType} as target_type, ${events.targetId} as target_id, places, messages,
      case when ${free} and ${next} <= ${now} then 1 else 0 end as due,
      case when ${free} and (${next} <= ${now} or (${grouping}) or (${retried})) then 1 else 0 end as ready,
      case when ${events.drill} or can_group = 0 then 0 else 1 end as can_group,
      case when ${deliveries.groupSeconds} > 0 then 1 else 0 end as grouped,
      case when ${deliveries.digestId} is not null then 1 else 0 end as again,
      case when ${deliveries.digestId} is not null and not ${free} then 1 else 0 end as busy
    from ${deliveries} join ${events} on ${events.id} = ${deliveries.eventId} join rooms on rooms.channel_id = ${deliveries.channelId}
    where ${next} is not null`;
};

/**
 * The common table expressions from `waiting` to `units`: the messages that may be sent now. Deliveries of one target to one
 * channel keep their order. A digest has `digest_id`, and `members` are the deliveries that it consists of.
 */
const UNITS = sql.raw(`
  placed as (
    select waiting.*, row_number() over (partition by channel_id, target_type, target_id order by id) as nth,
      max(busy) over (partition by channel_id) as channel_busy,
      case when sum(due) over (partition by channel_id) > messages then 1 else 0 end as over_budget
    from waiting),
  chained as (
    select placed.*, case when ready = 1 and can_group = 1 and (grouped = 1 or again = 1 or over_budget = 1) then 1 else 0 end as joins
    from placed where channel_busy = 0),
  unblocked as (
    select chained.*, min(case when joins = 0 then id end) over (partition by channel_id, target_type, target_id) as held_from
    from chained),
  members as (
    select id, channel_id, user_id, due, again, over_budget, places,
      row_number() over (partition by channel_id, user_id order by id) as place
    from unblocked where joins = 1 and (held_from is null or id < held_from)),
  digests as (
    select min(id) as digest_id, channel_id, user_id, min(places) as places from members where place <= ${DIGEST.max}
    group by channel_id, user_id
    having max(due) = 1 and count(*) >= case when max(again) = 1 or max(over_budget) = 1 then 2 else ${DIGEST.min} end),
  units as (
    select digest_id as id, channel_id, user_id, digest_id, places from digests
    union all
    select id, channel_id, user_id, null, places from placed where nth = 1 and due = 1 and channel_busy = 0 and not exists (
      select 1 from digests where digests.channel_id = placed.channel_id and digests.user_id = placed.user_id))`);

/**
 * The deliveries to claim, each with the first one of its message when that has several. What is in flight is ranked too,
 * with the id 0, so that it takes the first places.
 */
const selectFairly = (free: SQL, now: number, rooms: readonly Room[], options: ClaimOptions): SQL => {
  const { inFlight, limit, limitPerUser } = options;
  const running = inFlight.map(({ channelId, userId }) => [channelId, userId]);
  return sql`with running as (${selectValues(RUNNING, running)}), rooms as (${selectValues(ROOMS, roomRows(rooms, options))}),
    waiting as (${waiting(free, now)}), ${UNITS},
    chosen as (select id, channel_id, user_id, digest_id from (
      select *, row_number() over (partition by user_id order by id > 0, channel_place, id) as user_place from (
        select *, row_number() over (partition by channel_id order by id) as channel_place from (
          select 0 as id, channel_id, user_id, cast(null as bigint) as digest_id, 0 as places from running
          union all select id, channel_id, user_id, digest_id, places from units) as candidates
      ) as by_channel where id = 0 or channel_place <= places
    ) as by_user where id > 0 and user_place <= ${limitPerUser} order by user_place, id limit ${limit - inFlight.length})
    select id as delivery_id, null as message_id from chosen where digest_id is null
    union all
    select members.id, chosen.digest_id from chosen join members
      on members.channel_id = chosen.channel_id and members.user_id = chosen.user_id and members.place <= ${DIGEST.max}
    where chosen.digest_id is not null`;
};

/**
 * Claims deliveries that are due, and those that are sent in one message with them: where three or more of a channel wait
 * for others, or more than its budget allows. While such a message is in flight, nothing else of its channel is claimed.
 *
 * Those of one monitor or server to one channel are claimed in order: a recovery waits for the alert that it ends. No
 * user and no channel gets more than its limit. Every user gets one message before any gets a second, counting those in
 * flight, and so does every channel of a user.
 */
export const claimDeliveries = async (
  deps: Pick<Deps, "db" | "clock" | "instance" | "sentMessages">,
  options: ClaimOptions,
): Promise<Claimed[]> => {
  const { db, clock, instance, sentMessages } = deps;
  if (options.inFlight.length >= options.limit) return [];
  const rooms = (await readRooms(deps, options.deadAt)).filter(({ messages }) => messages > 0);
  if (rooms.length === 0) return [];
  const free = isFree(instance, options);
  const userId = sql<number>`(select e.user_id from ${events} as e where e.id = ${deliveries.eventId})`.mapWith(Number);
  const results = await db.atomically((tx) => [
    ...lockAlerts,
    tx
      .update(deliveries)
      .set({ claimedBy: instance, digestId: sql`picked.message_id` })
      .from(sql`(${selectFairly(free, clock.now(), rooms, options)}) as picked`)
      .where(and(free, sql`${deliveries.id} = picked.delivery_id`))
      .returning({ ...getTableColumns(deliveries), userId }),
  ]);
  const claimed = (results.at(-1) as Delivery[]).toSorted((one, other) => one.id - other.id);
  const messages = Map.groupBy(claimed, ({ id, digestId }) => digestId ?? id);
  const budgets = new Map(rooms.map(({ channelId, budget }) => [channelId, budget]));
  return [...messages].map(([id, list]) => {
    const [{ channelId }] = list as Claimed["deliveries"];
    sentMessages.count(channelId, budgets.get(channelId) ?? []);
    return { id, deliveries: list as Claimed["deliveries"] };
  });
};
