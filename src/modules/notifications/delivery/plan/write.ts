/** The last stage of planning: the statements that store what was decided, unless another instance has planned it. */
import { type SQL, sql } from "drizzle-orm";
import { deliveries, escalations, events, outages } from "../../../../db/schema";
import { withValues } from "../../../../db/sql";
import type { DeliveryErrorCode } from "../../../../shared/notifications";
import { pauseOf } from "../outcome";
import { GROUP_PAUSE } from "./address";
import type { PlannedEvent, Recipient } from "./batch";
import { endAlerts, isStillKnown, type Notified, reasonOfClosing } from "./recovery";
import type { Draft } from "./stage";

/** A delivery to store: withheld where there is a reason, else due at a time. */
export type Planned = Omit<Draft, "channel"> & {
  channel: Recipient;
  reason: DeliveryErrorCode | null;
  dueAt: number;
  /** Why it is due later than others. */
  heldBy: DeliveryErrorCode | null;
  /** How many seconds it may be sent early, together with others that are due. */
  groupSeconds: number;
  /** Of an escalation: when it was due as it was read. */
  seenAt?: number;
};

const COLUMNS = {
  event_id: "bigint",
  channel_id: "bigint",
  channel_name: "text",
  channel_type: "text",
  purpose: "text",
  sequence: "integer",
  reason: "text",
  held_by: "text",
  due_at: "bigint",
  group_seconds: "integer",
  opening_id: "bigint",
  last_id: "bigint",
  seen_at: "bigint",
} as const;

/** The deliveries as the table `d`. */
export const valuesOf = (rows: readonly Planned[]): SQL =>
  withValues(
    "d",
    COLUMNS,
    rows.map(({ planned, channel, purpose, sequence, reason, heldBy, dueAt, groupSeconds, notified, seenAt }) => [
      planned.event.id,
      channel.id,
      channel.name,
      channel.type,
      purpose,
      sequence,
      reason,
      heldBy,
      dueAt,
      groupSeconds,
      notified?.openingId ?? null,
      notified?.lastId ?? null,
      seenAt ?? null,
    ]),
  );

/** The statement that stores the deliveries of `d` that fulfil a condition. */
export const insertDeliveries = (values: SQL, isCurrent: SQL, now: number): SQL =>
  sql`${values} insert into ${deliveries}
    (event_id, channel_id, channel_name, channel_type, purpose, sequence, state, attempts, error_code, next_attempt_at, ended_at,
      created_at, due_at, group_seconds)
    select w.event_id, w.channel_id, w.channel_name, w.channel_type, w.purpose, w.sequence,
      case when w.withheld_by is null then 'pending' else 'withheld' end, 0, coalesce(w.withheld_by, w.held_by),
      case when w.withheld_by is null then coalesce(${pauseOf(sql`w.channel_id`, sql`w.due_at`)}, w.due_at) end,
      case when w.withheld_by is not null then cast(${now} as bigint) end, cast(${now} as bigint), w.due_at, w.group_seconds
    from (select d.*, coalesce(d.reason, case when d.opening_id is not null then ${reasonOfClosing} end) as withheld_by
      from d where ${isCurrent}) as w where true on conflict do nothing`;

/** Alerts that wait for others of their channel and owner wait for two more seconds, at most for their grouping time. */
const extendWaiting = (values: SQL, now: number): SQL => {
  const { attempts, channelId, claimedBy, createdAt, errorCode, eventId, groupSeconds, nextAttemptAt } = deliveries;
  const [pause, most] = [sql`cast(${now + GROUP_PAUSE} as bigint)`, sql`${createdAt} + ${groupSeconds} * 1000`];
  const until = sql`(case when ${most} < ${pause} then ${most} else ${pause} end)`;
  return sql`${values} update ${deliveries} set next_attempt_at = ${until}
    where ${nextAttemptAt} > ${now} and ${nextAttemptAt} < ${until} and ${attempts} = 0 and ${errorCode} is null
      and ${claimedBy} is null and exists (select 1 from d join ${events} as e on e.id = d.event_id
        join ${events} as own on own.user_id = e.user_id
        where d.channel_id = ${channelId} and d.reason is null and own.id = ${eventId})`;
};

/**
 * A new delivery waits for earlier ones of the same target and channel. Those that are retried are retried now, and those
 * that quiet hours hold are sent where the new one is not held: the target has become critical.
 */
const retryPredecessors = (values: SQL, now: number): SQL =>
  sql`${values} update ${deliveries} set next_attempt_at = ${now} where ${deliveries.nextAttemptAt} > ${now}
    and ${pauseOf(deliveries.channelId, sql`${now}`)} is null and ${deliveries.id} in (
      select older.id from d join ${events} as e on e.id = d.event_id
      join ${events} as known on known.target_type = e.target_type and known.target_id = e.target_id
      join ${deliveries} as older on older.event_id = known.id and older.channel_id = d.channel_id
      where d.reason is null and (older.attempts > 0 or (older.error_code = 'quiet_hours' and older.next_attempt_at > d.due_at and not e.drill)))`;

const MARK = {
  id: "bigint",
  outage_id: "bigint",
  hold_until: "bigint",
  opening_id: "bigint",
  last_id: "bigint",
} as const;

/** The statement that marks events as planned. It comes last, because the others change nothing for a planned event. */
const markPlanned = (planned: readonly PlannedEvent[], notified: ReadonlyMap<number, Notified>, now: number): SQL => {
  const rows = planned.map(({ event, outage }) => {
    const known = notified.get(event.id);
    return [event.id, outage?.id ?? null, null, known?.openingId ?? null, known?.lastId ?? null];
  });
  return sql`${withValues("m", MARK, rows)} update ${events} set planned_at = ${now}, outage_id = m.outage_id, hold_until = null
    from m where ${events.id} = m.id and ${isStillKnown(sql.raw("m"))}`;
};

/** The statement that holds events until a time, by their ids. */
const holdEvents = (held: readonly PlannedEvent[], holds: ReadonlyMap<number, number>): SQL => {
  const rows = held.map(({ event, outage }) => [event.id, outage?.id ?? null, holds.get(event.id), null, null]);
  return sql`${withValues("m", MARK, rows)} update ${events} set outage_id = m.outage_id, hold_until = m.hold_until
    from m where ${events.id} = m.id and ${events.plannedAt} is null`;
};

/** An outage with more to send than the first step of its policy: the event that opened it, and when the first message is due. */
export type Started = { planned: PlannedEvent; firstAt: number; nextAt: number };

const STARTED = {
  outage_id: "bigint",
  event_id: "bigint",
  started_at: "bigint",
  reminded_at: "bigint",
  next_at: "bigint",
} as const;

/** The statement that starts escalations with the second step, for outages that are open. */
const startEscalations = (started: readonly Started[]): SQL => {
  const rows = started.map(({ planned: { event, outage }, firstAt, nextAt }) => [
    outage?.id,
    event.id,
    event.at,
    firstAt,
    nextAt,
  ]);
  return sql`${withValues("s", STARTED, rows)} insert into ${escalations}
    (outage_id, event_id, started_at, next_step, round, reminders, reminded_at, next_at)
    select s.outage_id, s.event_id, s.started_at, 1, 0, 0, s.reminded_at, s.next_at from s
    where exists (select 1 from ${outages} as o where o.id = s.outage_id and o.ended_at is null)
      and exists (select 1 from ${events} as e where e.id = s.event_id and e.planned_at is null)
    on conflict (outage_id) do update set started_at = excluded.started_at, next_step = excluded.next_step,
      reminded_at = excluded.reminded_at, next_at = excluded.next_at`;
};

type Plan = {
  batch: readonly PlannedEvent[];
  rows: readonly Planned[];
  started: readonly Started[];
  /** Until when events are held, by their ids. */
  holds: ReadonlyMap<number, number>;
  notified: ReadonlyMap<number, Notified>;
};

/** The statements that store a plan of a batch. */
export const writePlan = ({ batch, rows, started, holds, notified }: Plan, now: number): SQL[] => {
  const held = batch.filter(({ event }) => holds.has(event.id));
  const planned = batch.filter(({ event }) => !holds.has(event.id));
  const values = valuesOf(rows);
  const isCurrent = sql`exists (select 1 from ${events} as e where e.id = d.event_id and e.planned_at is null)
    and ${isStillKnown(sql.raw("d"))}`;
  return [
    ...(rows.length > 0
      ? [insertDeliveries(values, isCurrent, now), extendWaiting(values, now), retryPredecessors(values, now)]
      : []),
    ...(started.length > 0 ? [startEscalations(started)] : []),
    ...endAlerts(planned, notified, now),
    ...(held.length > 0 ? [holdEvents(held, holds)] : []),
    ...(planned.length > 0 ? [markPlanned(planned, notified, now)] : []),
  ];
};
