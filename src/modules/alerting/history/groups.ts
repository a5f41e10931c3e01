/**
 * Deliveries that ended alike, as one: all reminders of an outage to a channel with the same outcome. An outage of weeks
 * then has as many as one of a day.
 */
import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { deliveries, events, outageEventColumns } from "../../../db/schema";

/** Groups that one call reads at most. */
const MAX_GROUPS = 10_000;

/** The latest delivery of each group, of the events that satisfy a condition, in the order of planning. */
export const readGroups = ({ db }: Pick<Deps, "db">, condition: SQL | undefined) => {
  const at = sql`coalesce(${deliveries.endedAt}, ${deliveries.nextAttemptAt}, ${deliveries.dueAt})`;
  const step = sql`case when ${deliveries.purpose} = 'reminder' then 0 else ${deliveries.sequence} end`;
  const groups = db
    .select({
      lastId: sql<number>`max(${deliveries.id})`.mapWith(Number).as("last_id"),
      count: sql<number>`count(*)`.mapWith(Number).as("count"),
      from: sql<number>`min(${at})`.mapWith(Number).as("first_at"),
      until: sql<number>`max(${at})`.mapWith(Number).as("last_at"),
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(condition)
    .groupBy(deliveries.eventId, deliveries.channelId, deliveries.purpose, step, deliveries.state, deliveries.errorCode)
    .as("delivery_groups");
  return db
    .select({
      delivery: deliveries,
      outageId: events.outageId,
      kind: outageEventColumns.kind,
      count: groups.count,
      from: groups.from,
      until: groups.until,
    })
    .from(groups)
    .innerJoin(deliveries, eq(deliveries.id, groups.lastId))
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .orderBy(asc(deliveries.id))
    .limit(MAX_GROUPS);
};

/** Deliveries of one message to one channel that ended alike. */
export type DeliveryGroup = Awaited<ReturnType<typeof readGroups>>[number];
