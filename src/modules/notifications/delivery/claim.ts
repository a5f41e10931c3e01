import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { deliveries, events, instances } from "../../../db/schema";
import { isOneOf, lockAlerts } from "../../../db/sql";

export type Delivery = typeof deliveries.$inferSelect;

type ClaimOptions = {
  /** Instances last seen at this time or before are dead. */
  deadAt: number;
  /** The deliveries that this process has in flight. A claim of its own on any other is one whose answer was lost. */
  held: readonly number[];
  /** What is being sent now, and how much may be, in all and to one channel. */
  inFlight: readonly Delivery[];
  limit: number;
  limitPerChannel: number;
};

/** How many requests of a row's channel are in flight, as an SQL expression over `channel_id`. */
const inFlightByChannel = (inFlight: readonly Delivery[]): SQL => {
  const byChannel = Map.groupBy(inFlight, ({ channelId }) => channelId);
  const cases = [...byChannel].map(([id, { length }]) => sql`when ${sql.raw(`${id} then ${length}`)}`);
  return cases.length > 0 ? sql`case channel_id ${sql.join(cases, sql` `)} else 0 end` : sql`0`;
};

/**
 * Claims deliveries that are due. Those of one monitor or server to one channel are claimed in order: a recovery waits
 * for the alert that it ends. No channel gets more than its limit, and every channel gets one before any gets a second.
 */
export const claimDeliveries = async (
  { db, clock, instance }: Pick<Deps, "db" | "clock" | "instance">,
  { deadAt, held, inFlight, limit, limitPerChannel }: ClaimOptions,
): Promise<Delivery[]> => {
  const now = clock.now();
  const room = limit - inFlight.length;
  const some = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(lte(deliveries.nextAttemptAt, now))
    .limit(1);
  if (some.length === 0 || room <= 0) return [];
  const alive = sql`select ${instances.id} from ${instances} where ${instances.seenAt} > ${deadAt}`;
  const lost = and(eq(deliveries.claimedBy, instance), sql`not ${isOneOf(deliveries.id, held)}`);
  const due = sql`(${deliveries.nextAttemptAt} <= ${now}
    and (${deliveries.claimedBy} is null or ${deliveries.claimedBy} not in (${alive}) or ${lost}))`;
  const first = sql`select ${deliveries.id} as id, ${deliveries.channelId} as channel_id, case when ${due} then 1 else 0 end as due,
      row_number() over (partition by ${deliveries.channelId}, ${events.targetType}, ${events.targetId} order by ${deliveries.id}) as nth
    from ${deliveries} join ${events} on ${events.id} = ${deliveries.eventId} where ${deliveries.nextAttemptAt} is not null`;
  const ranked = sql`select id from (select id, ${inFlightByChannel(inFlight)} + row_number() over (partition by channel_id order by id) as place
      from (${first}) as waiting where nth = 1 and due = 1) as ranked
    where place <= ${limitPerChannel} order by place, id limit ${room}`;
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
