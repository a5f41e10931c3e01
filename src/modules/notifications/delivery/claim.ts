import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { deliveries, events, instances } from "../../../db/schema";
import { isOneOf, lockAlerts } from "../../../db/sql";

export type Delivery = typeof deliveries.$inferSelect;

type Wanted = {
  /** What heartbeats judge by. */
  deadAt: number;
  /** The claims that this process knows of. Any other of its own is one whose answer was lost. */
  held: readonly number[];
  /** Requests under way, by channel, and how many a channel may have. */
  underWay: ReadonlyMap<number, number>;
  perChannel: number;
  /** Requests that may be begun in all. */
  seats: number;
};

const placesTaken = (underWay: ReadonlyMap<number, number>): SQL => {
  const cases = [...underWay].map(([channelId, count]) => sql`when ${sql.raw(`${channelId} then ${count}`)}`);
  return cases.length > 0 ? sql`case channel_id ${sql.join(cases, sql` `)} else 0 end` : sql`0`;
};

/**
 * Takes deliveries that are due. A channel is told of one monitor or agent in order: a recovery waits for its alert.
 * No channel gets more than its places, and all of them get one before any gets a second.
 */
export const claimDeliveries = async (
  { db, clock, instance }: Pick<Deps, "db" | "clock" | "instance">,
  { deadAt, held, underWay, perChannel, seats }: Wanted,
): Promise<Delivery[]> => {
  const now = clock.now();
  const some = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(lte(deliveries.nextAttemptAt, now))
    .limit(1);
  if (some.length === 0 || seats <= 0) return [];
  const alive = sql`select ${instances.id} from ${instances} where ${instances.seenAt} > ${deadAt}`;
  const lost = and(eq(deliveries.claimedBy, instance), sql`not ${isOneOf(deliveries.id, held)}`);
  const due = sql`(${deliveries.nextAttemptAt} <= ${now}
    and (${deliveries.claimedBy} is null or ${deliveries.claimedBy} not in (${alive}) or ${lost}))`;
  const first = sql`select ${deliveries.id} as id, ${deliveries.channelId} as channel_id, case when ${due} then 1 else 0 end as due,
      row_number() over (partition by ${deliveries.channelId}, ${events.targetType}, ${events.targetId} order by ${deliveries.id}) as turn
    from ${deliveries} join ${events} on ${events.id} = ${deliveries.eventId} where ${deliveries.nextAttemptAt} is not null`;
  const ranked = sql`select id from (select id, ${placesTaken(underWay)} + row_number() over (partition by channel_id order by id) as place
      from (${first}) as waiting where turn = 1 and due = 1) as ranked
    where place <= ${perChannel} order by place, id limit ${seats}`;
  const results = await db.atomically((tx) => [
    ...lockAlerts,
    tx
      .update(deliveries)
      .set({ claimedBy: instance })
      .where(and(due, sql`${deliveries.id} in (${ranked})`))
      .returning(),
  ]);
  return results.at(-1) as Delivery[];
};
