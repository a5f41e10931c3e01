/** The last stage of planning: the statements that store what was decided, unless another instance has planned it. */
import { type SQL, sql } from "drizzle-orm";
import { deliveries, events } from "../../../../db/schema";
import { withValues } from "../../../../db/sql";
import type { DeliveryErrorCode } from "../../../../shared/notifications";
import { pauseOf } from "../outcome";
import type { PlannedEvent, Recipient } from "./batch";
import type { Draft } from "./stage";

/** A delivery to store: withheld where there is a reason, else due at a time. */
export type Planned = Omit<Draft, "channel"> & {
  channel: Recipient;
  reason: DeliveryErrorCode | null;
  dueAt: number;
  /** How many seconds it may be sent early, together with others that are due. */
  groupSeconds: number;
};

const COLUMNS = {
  event_id: "bigint",
  channel_id: "bigint",
  channel_name: "text",
  channel_type: "text",
  purpose: "text",
  sequence: "integer",
  reason: "text",
  due_at: "bigint",
  group_seconds: "integer",
} as const;

const valuesOf = (rows: readonly Planned[]): SQL =>
  withValues(
    "d",
    COLUMNS,
    rows.map(({ planned, channel, purpose, sequence, reason, dueAt, groupSeconds }) => [
      planned.event.id,
      channel.id,
      channel.name,
      channel.type,
      purpose,
      sequence,
      reason,
      dueAt,
      groupSeconds,
    ]),
  );

/** The statement that stores deliveries, except of events that were planned before. */
const insertDeliveries = (values: SQL, now: number): SQL =>
  sql`${values} insert into ${deliveries}
    (event_id, channel_id, channel_name, channel_type, purpose, sequence, state, attempts, error_code, next_attempt_at, ended_at, created_at, due_at,
      group_seconds)
    select d.event_id, d.channel_id, d.channel_name, d.channel_type, d.purpose, d.sequence,
      case when d.reason is null then 'pending' else 'withheld' end, 0, d.reason,
      case when d.reason is null then coalesce(${pauseOf(sql`d.channel_id`, sql`d.due_at`)}, d.due_at) end,
      case when d.reason is not null then cast(${now} as bigint) end, cast(${now} as bigint), d.due_at,
      d.group_seconds
    from d where exists (select 1 from ${events} as e where e.id = d.event_id and e.planned_at is null) on conflict do nothing`;

/** A new delivery waits for earlier ones of the same target and channel, so those that are retried are retried now. */
const retryPredecessors = (values: SQL, now: number): SQL =>
  sql`${values} update ${deliveries} set next_attempt_at = ${now} where ${deliveries.nextAttemptAt} > ${now} and ${deliveries.attempts} > 0
    and ${pauseOf(deliveries.channelId, sql`${now}`)} is null and ${deliveries.id} in (
      select older.id from d join ${events} as e on e.id = d.event_id
      join ${events} as known on known.target_type = e.target_type and known.target_id = e.target_id
      join ${deliveries} as older on older.event_id = known.id and older.channel_id = d.channel_id
      where d.reason is null)`;

const OUTCOME = { id: "bigint", outage_id: "bigint", hold_until: "bigint" } as const;

const outcomes = (planned: readonly PlannedEvent[], holds: ReadonlyMap<number, number> = new Map()): SQL =>
  withValues(
    "o",
    OUTCOME,
    planned.map(({ event, outage }) => [event.id, outage?.id ?? null, holds.get(event.id) ?? null]),
  );

/** The statement that marks events as planned. It comes last, because the others change nothing for a planned event. */
const markPlanned = (planned: readonly PlannedEvent[], now: number): SQL =>
  sql`${outcomes(planned)} update ${events} set planned_at = ${now}, outage_id = o.outage_id, hold_until = null
    from o where ${events.id} = o.id`;

/** The statement that holds events, by their ids. */
const holdEvents = (planned: readonly PlannedEvent[], holds: ReadonlyMap<number, number>): SQL =>
  sql`${outcomes(planned, holds)} update ${events} set outage_id = o.outage_id, hold_until = o.hold_until
    from o where ${events.id} = o.id and ${events.plannedAt} is null`;

/** The statements that store the deliveries of a batch, and which of its events are planned or held, until when. */
export const writePlan = (
  batch: readonly PlannedEvent[],
  rows: readonly Planned[],
  holds: ReadonlyMap<number, number>,
  now: number,
): SQL[] => {
  const [held, planned] = [
    batch.filter(({ event }) => holds.has(event.id)),
    batch.filter(({ event }) => !holds.has(event.id)),
  ];
  const values = valuesOf(rows);
  return [
    ...(rows.length > 0 ? [insertDeliveries(values, now), retryPredecessors(values, now)] : []),
    ...(held.length > 0 ? [holdEvents(held, holds)] : []),
    ...(planned.length > 0 ? [markPlanned(planned, now)] : []),
  ];
};
