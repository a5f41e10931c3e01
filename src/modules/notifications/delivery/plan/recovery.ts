/**
 * Closing events: they go to exactly the channels that were notified of the outage, and what was not sent by then is
 * withdrawn. Both are decided in the transaction that plans the event, by what is stored then.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { deliveries, escalations, events, outages } from "../../../../db/schema";
import { lockAlerts, withValues } from "../../../../db/sql";
import { eventKindsOf, isClosing, outageKindOf } from "../../../../shared/notifications";
import type { PlannedEvent } from "./batch";
import { isOpeningEvent, isUntried } from "./conditions";

/** The messages about the outage that a closing event ends. */
export type Notified = {
  /** The event that opened it. */
  openingId: number;
  /** The last delivery that was read: with a later one, the event is planned again. */
  lastId: number;
  /** The channels with a delivery, whatever became of it. */
  channelIds: number[];
};

const CLOSING = {
  event_id: "bigint",
  target_type: "text",
  target_id: "bigint",
  kind: "text",
  subject: "text",
} as const;

/** Of closing events by their id: what was planned for the last event before that opened such an outage. */
export const readNotified = async (
  { db }: Pick<Deps, "db">,
  batch: readonly PlannedEvent[],
): Promise<Map<number, Notified>> => {
  const closing = batch.filter(({ event }) => !event.drill && isClosing(event.kind));
  if (closing.length === 0) return new Map();
  const values = withValues(
    "v",
    CLOSING,
    closing.map(({ event }) => [
      event.id,
      event.targetType,
      event.targetId,
      eventKindsOf(outageKindOf(event.kind)).opening,
      event.subject,
    ]),
  );
  const rows = await db.rows(sql`${values} select c.event_id, c.opening_id, d.channel_id, max(d.id) as last_id
    from (select v.event_id, (select max(e.id) from ${events} as e where e.target_type = v.target_type
      and e.target_id = v.target_id and e.kind = v.kind and e.subject = v.subject and e.id < v.event_id and not e.drill) as opening_id from v) as c
    left join ${deliveries} as d on d.event_id = c.opening_id where c.opening_id is not null
    group by c.event_id, c.opening_id, d.channel_id order by c.event_id, last_id`);
  const known = new Map<number, Notified>();
  for (const { event_id, opening_id, channel_id, last_id } of rows) {
    const one = known.get(Number(event_id)) ?? { openingId: Number(opening_id), lastId: 0, channelIds: [] };
    if (channel_id !== null) one.channelIds.push(Number(channel_id));
    one.lastId = Math.max(one.lastId, Number(last_id ?? 0));
    known.set(Number(event_id), one);
  }
  return known;
};

/** The condition that nothing was planned for the opening event since it was read, of rows with opening_id and last_id. */
export const isStillKnown = (
  row: SQL,
): SQL => sql`(${row}.opening_id is null or not exists (select 1 from ${deliveries} as later
  where later.event_id = ${row}.opening_id and later.id > ${row}.last_id))`;

/**
 * Why the closing event of `d` is not sent to its channel, which has a delivery of the opening event; null where it is: the
 * channel was notified, or will be; or it was muted then, and the mute decides; or the alert was held by quiet hours,
 * after which the recovery says all there is to say.
 */
export const reasonOfClosing: SQL = sql`(case
  when exists (select 1 from ${deliveries} as prior where prior.event_id = d.opening_id and prior.channel_id = d.channel_id
    and (prior.state = 'sent' or (prior.state = 'withheld' and prior.error_code = 'muted') or (prior.state = 'pending'
      and (not ${isUntried("prior")} or prior.purpose = 'flapping' or prior.error_code = 'quiet_hours')))) then null
  when exists (select 1 from ${deliveries} as prior where prior.event_id = d.opening_id and prior.channel_id = d.channel_id
    and ${isUntried("prior")}) then 'recovered'
  else coalesce((select prior.error_code from ${deliveries} as prior where prior.event_id = d.opening_id
    and prior.channel_id = d.channel_id and prior.state = 'withheld' order by prior.id desc limit 1), 'not_notified') end)`;

/** Withdraws deliveries that no provider has got. A message that the target changes too often is true all the same. */
const withdraw = (condition: SQL, now: number): SQL =>
  sql`update ${deliveries} set state = 'withheld', error_code = 'recovered', next_attempt_at = null, ended_at = cast(${now} as bigint)
    where ${isUntried("deliveries")} and purpose <> 'flapping' and ${condition}`;

const ENDED = { event_id: "bigint", outage_id: "bigint", opening_id: "bigint", last_id: "bigint" } as const;

/** The statements that end what was still to be sent about the outages which these closing events end. */
export const endAlerts = (
  batch: readonly PlannedEvent[],
  notified: ReadonlyMap<number, Notified>,
  now: number,
): SQL[] => {
  const ended = batch.flatMap(({ event, outage }) => {
    const known = notified.get(event.id);
    return known ? [[event.id, outage?.id ?? null, known.openingId, known.lastId]] : [];
  });
  if (ended.length === 0) return [];
  const values = withValues("c", ENDED, ended);
  const isUnplanned = sql`exists (select 1 from ${events} as e where e.id = c.event_id and e.planned_at is null)`;
  return [
    sql`${values} ${withdraw(sql`event_id in (select c.opening_id from c where ${isUnplanned} and ${isStillKnown(sql.raw("c"))})`, now)}`,
    sql`${values} delete from ${escalations} where outage_id in (select c.outage_id from c where ${isUnplanned})`,
  ];
};

/**
 * Withdraws what quiet hours hold of outages that have ended without an event, because the monitor was paused or the
 * threshold switched off.
 */
export const withdrawEnded = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  const now = clock.now();
  const isOver = sql`next_attempt_at <= ${now} and error_code = 'quiet_hours'`;
  const [due] = await db.rows(sql`select 1 from ${deliveries} where ${isOver} limit 1`);
  if (!due) return false;
  const hasEnded = sql`exists (select 1 from ${events} as e join ${outages} as o on o.id = e.outage_id
    where e.id = ${deliveries.eventId} and ${isOpeningEvent("e")} and o.ended_at is not null)`;
  await db.atomically(() => [...lockAlerts, withdraw(sql`${isOver} and ${hasEnded}`, now)]);
  return false;
};
