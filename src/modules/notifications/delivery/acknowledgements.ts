/**
 * What acknowledging an outage does to its alerts: steps and reminders rest, and channels that were notified get one line.
 * The statements run in the transaction that acknowledges.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy } from "../../../db/owner";
import { channels, deliveries, escalations, events, outages, users } from "../../../db/schema";
import type { AcknowledgedVia } from "../../../shared/notifications";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { pauseOf } from "./outcome";
import { isOpeningEvent, isUntried } from "./plan/conditions";
import { restartEscalations } from "./plan/escalate";

/** Acknowledgements of one outage that channels are notified of. */
const MAX_NOTICES = 20;

/** The event that opened an outage. */
const openingEvent = (outageId: number): SQL =>
  sql`select min(e.id) from ${events} as e where e.outage_id = ${outageId} and ${isOpeningEvent("e")}`;

/** The deliveries of an outage. */
const deliveriesOf = (outageId: number): SQL =>
  sql`${deliveries} as known join ${events} as e on e.id = known.event_id and e.outage_id = ${outageId}`;

/** The condition that a delivery was sent, or that its provider may have got it. */
const isNotified = sql`(known.state = 'sent' or (known.state = 'pending' and (known.attempts > 0 or known.claimed_by is not null)))`;

/** The statement that withholds messages about an open outage which no provider has got. */
const withhold = (
  { outageId, now }: { outageId: number; now: number },
  purposes: SQL,
  reason: "acknowledged" | "superseded",
  condition = sql`true`,
): SQL =>
  sql`update ${deliveries} set state = 'withheld', error_code = ${reason}, error_detail = null, next_attempt_at = null,
      ended_at = ${now}
    where ${isUntried("deliveries")} and purpose in (${purposes})
      and event_id in (select e.id from ${events} as e where e.outage_id = ${outageId})
      and exists (select 1 from ${outages} as o where o.id = ${outageId} and o.ended_at is null) and ${condition}`;

/** The statement that goes on with the first step of the policy at a time, for an outage that is acknowledged. */
const escalateFrom = (outageId: number, at: number): SQL =>
  restartEscalations(
    sql`select o.id as outage_id, opening.id as event_id
      from ${outages} as o join ${events} as opening on opening.id = (${openingEvent(outageId)})
      where o.id = ${outageId} and o.ended_at is null and o.acknowledged_at is not null`,
    at,
  );

/**
 * The statements that follow the acknowledgement of an open outage at `now`: until it recovers, or until a time. They do
 * nothing when it has ended.
 */
export const acknowledgementStatements = (outageId: number, until: number | null, now: number): SQL[] => {
  const isAcknowledged = sql`exists (select 1 from ${outages} as o
    where o.id = ${outageId} and o.ended_at is null and o.acknowledged_at = ${now})`;
  const noticed = sql`select known.sequence from ${deliveries} as known
    where known.event_id = opening.id and known.purpose = 'acknowledged'`;
  return [
    until === null
      ? sql`delete from ${escalations} where outage_id = ${outageId} and ${isAcknowledged}`
      : escalateFrom(outageId, until),
    sql`insert into ${deliveries} (event_id, channel_id, channel_name, channel_type, purpose, sequence, state, attempts,
        next_attempt_at, created_at, due_at)
      select opening.id, known.channel_id, max(known.channel_name), max(known.channel_type), 'acknowledged',
        coalesce((select max(n.sequence) + 1 from (${noticed}) as n), 0), 'pending', 0,
        coalesce(${pauseOf(sql`known.channel_id`, sql`${now}`)}, cast(${now} as bigint)), cast(${now} as bigint), cast(${now} as bigint)
      from ${deliveriesOf(outageId)} join ${events} as opening on opening.id = (${openingEvent(outageId)})
      where ${isNotified} and ${isAcknowledged} and (select count(distinct n.sequence) from (${noticed}) as n) < ${MAX_NOTICES}
        and not exists (select 1 from ${deliveries} as same where same.event_id = opening.id
          and same.purpose = 'acknowledged' and same.created_at = ${now})
      group by opening.id, known.channel_id on conflict do nothing`,
    withhold({ outageId, now }, sql`'alert', 'reminder'`, "acknowledged", isAcknowledged),
  ];
};

/**
 * The statements before the withdrawal of an acknowledgement at `now`: alerts go on with the first step. They do nothing
 * when another call has withdrawn it.
 */
export const withdrawalStatements = (outageId: number, now: number): SQL[] => [
  withhold({ outageId, now }, sql`'acknowledged'`, "superseded"),
  escalateFrom(outageId, now),
];

/** The channel whose message has a link, if the owner of the outage may still use it. */
export const readLinkChannel = async (
  { db, config }: Pick<Deps, "db" | "config">,
  channelId: number,
  ownerId: number,
): Promise<AcknowledgedVia | null> => {
  const [owner] = await db.select({ role: users.role }).from(users).where(eq(users.id, ownerId));
  if (channelId === BUILT_IN_ID) return owner ? builtInChannel(config, owner.role) : null;
  const usable = and(eq(channels.id, channelId), ownedBy(channels, ownerId), eq(channels.enabled, true));
  const [row] = await db.select({ type: channels.type, name: channels.name }).from(channels).where(usable);
  return row ?? null;
};
