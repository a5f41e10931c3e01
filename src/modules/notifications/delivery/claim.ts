import { and, eq, getTableColumns, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { deliveries, events, instances } from "../../../db/schema";
import { isOneOf, lockAlerts, withValues } from "../../../db/sql";

/** A claimed delivery, and the user whose event it is of. */
export type Delivery = typeof deliveries.$inferSelect & { userId: number };

type ClaimOptions = {
  /** Instances last seen at this time or before are dead. */
  deadAt: number;
  /** The deliveries that this process has in flight. A claim of its own on any other is one whose answer was lost. */
  held: readonly number[];
  /** What this process sends now, and how much it may send: in all, of one user and to one channel. */
  inFlight: readonly Delivery[];
  limit: number;
  limitPerUser: number;
  limitPerChannel: number;
};

/** The condition that a delivery is due, and claimed by no living instance; a lost claim of this one counts as none. */
const isDue = (instance: string, { deadAt, held }: Pick<ClaimOptions, "deadAt" | "held">, now: number): SQL => {
  const alive = sql`select ${instances.id} from ${instances} where ${instances.seenAt} > ${deadAt}`;
  const lost = and(eq(deliveries.claimedBy, instance), sql`not ${isOneOf(deliveries.id, held)}`);
  return sql`(${deliveries.nextAttemptAt} <= ${now}
    and (${deliveries.claimedBy} is null or ${deliveries.claimedBy} not in (${alive}) or ${lost}))`;
};

/** The first delivery of each target and channel that is not over, as id, channel_id and user_id, where it is due. */
const firstDue = (due: SQL): SQL =>
  sql`select id, channel_id, user_id from (
      select ${deliveries.id} as id, ${deliveries.channelId} as channel_id, ${events.userId} as user_id, case when ${due} then 1 else 0 end as due,
        row_number() over (partition by ${deliveries.channelId}, ${events.targetType}, ${events.targetId} order by ${deliveries.id}) as nth
      from ${deliveries} join ${events} on ${events.id} = ${deliveries.eventId} where ${deliveries.nextAttemptAt} is not null
    ) as waiting where nth = 1 and due = 1`;

/** The ids to claim. What is in flight is ranked too, with the id 0, so that it takes the first places. */
const selectFairly = (due: SQL, { inFlight, limit, limitPerUser, limitPerChannel }: ClaimOptions): SQL => {
  const running = inFlight.map(({ channelId, userId }) => [channelId, userId]);
  return sql`${withValues("running", { channel_id: "bigint", user_id: "bigint" }, running)} select id from (
      select id, row_number() over (partition by user_id order by id > 0, channel_place, id) as user_place from (
        select id, user_id, row_number() over (partition by channel_id order by id) as channel_place
        from (select 0 as id, channel_id, user_id from running union all ${firstDue(due)}) as candidates
      ) as by_channel where id = 0 or channel_place <= ${limitPerChannel}
    ) as by_user where id > 0 and user_place <= ${limitPerUser} order by user_place, id limit ${limit - inFlight.length}`;
};

/**
 * Claims deliveries that are due. Those of one monitor or server to one channel are claimed in order: a recovery waits
 * for the alert that it ends. No user and no channel gets more than its limit. Every user gets one delivery before any
 * gets a second, counting those in flight, and so does every channel of a user.
 */
export const claimDeliveries = async (
  { db, clock, instance }: Pick<Deps, "db" | "clock" | "instance">,
  options: ClaimOptions,
): Promise<Delivery[]> => {
  const now = clock.now();
  const isAnyDue = lte(deliveries.nextAttemptAt, now);
  const some = await db.select({ id: deliveries.id }).from(deliveries).where(isAnyDue).limit(1);
  if (some.length === 0 || options.inFlight.length >= options.limit) return [];
  const due = isDue(instance, options, now);
  const userId = sql<number>`(select e.user_id from ${events} as e where e.id = ${deliveries.eventId})`.mapWith(Number);
  const results = await db.atomically((tx) => [
    ...lockAlerts,
    tx
      .update(deliveries)
      .set({ claimedBy: instance })
      .where(and(due, sql`${deliveries.id} in (${selectFairly(due, options)})`))
      .returning({ ...getTableColumns(deliveries), userId }),
  ]);
  return results.at(-1) as Delivery[];
};
