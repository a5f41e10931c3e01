/** The filters of the history: by what became of messages, and by channel. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { deliveries, events } from "../../../db/schema";
import type { Outcome } from "../../../shared/notifications";

export type DeliveryFilter = { outcome?: Outcome | undefined; channel?: number | undefined };

/** How many events a filtered call looks at: the history of a team may have any number without a match. */
export const EXAMINED = 2000;

type EventColumns = { id: SQLWrapper; plannedAt: SQLWrapper };

/** The condition that an event has a matching delivery. */
const hasSuch = ({ outcome, channel }: DeliveryFilter, { id, plannedAt }: EventColumns): SQL => {
  const ofEvent = sql`select 1 from ${deliveries} as sent where sent.event_id = ${id}`;
  const ofChannel = channel === undefined ? sql`` : sql` and sent.channel_id = ${channel}`;
  const ofOutcome = outcome === undefined ? sql`` : sql` and sent.state = ${outcome}`;
  const found = sql`exists (${ofEvent}${ofChannel}${ofOutcome})`;
  if (channel !== undefined) return found;
  if (outcome === "pending") return sql`(${found} or ${plannedAt} is null)`;
  if (outcome === "withheld") return sql`(${found} or (${plannedAt} is not null and not exists (${ofEvent})))`;
  return found;
};

/** The condition that an event, or by outage any event of its outage, has a matching delivery; undefined without a filter. */
export const hasDelivery = (filter: DeliveryFilter, by: "event" | "outage"): SQL | undefined => {
  if (filter.outcome === undefined && filter.channel === undefined) return undefined;
  const own = hasSuch(filter, events);
  if (by === "event") return own;
  const part = { id: sql`part.id`, plannedAt: sql`part.planned_at` };
  return sql`(${own} or exists (select 1 from ${events} as part
    where part.outage_id = ${events.outageId} and part.id <> ${events.id} and ${hasSuch(filter, part)}))`;
};
