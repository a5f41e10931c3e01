/** Stores what next.ts decided. */
import { and, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import type { Database } from "../../../../db/database";
import { deliveries, escalations, events } from "../../../../db/schema";
import { isOneOf, withValues } from "../../../../db/sql";
import { SECOND } from "../../../../shared/limits";
import { pauseOf } from "../outcome";
import { storeFlapping } from "./flapping";
import { explainOutages } from "./holds";
import { GROUP_PAUSE } from "./next";
import type { Next, Planned, Subject } from "./state";

/** A subject with what was decided about it. */
type Decided = { subject: Subject; next: Next };

/** Withholds deliveries that no provider has got, by their ids. */
export const withhold = async (
  tx: Database,
  ids: readonly number[],
  reason: "recovered" | "superseded" | "acknowledged",
  now: number,
): Promise<void> => {
  if (ids.length === 0) return;
  const columns = { state: "withheld", errorCode: reason, nextAttemptAt: null, endedAt: now } as const;
  await tx.update(deliveries).set(columns).where(isOneOf(deliveries.id, ids));
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
} as const;

type Row = Omit<Planned, "channel"> & { eventId: number; channel: Pick<Planned["channel"], "id" | "name" | "type"> };

/** The deliveries as the table `d`. */
const valuesOf = (rows: readonly Row[]): SQL =>
  withValues(
    "d",
    COLUMNS,
    rows.map(({ eventId, channel, purpose, sequence, reason, heldBy, dueAt, groupSeconds }) => [
      eventId,
      channel.id,
      channel.name,
      channel.type,
      purpose,
      sequence,
      reason,
      heldBy,
      dueAt,
      groupSeconds,
    ]),
  );

/** The statement that stores deliveries. An event that is planned again keeps those that it has. */
export const insertDeliveries = (rows: readonly Row[], now: number): SQL =>
  sql`${valuesOf(rows)} insert into ${deliveries}
    (event_id, channel_id, channel_name, channel_type, purpose, sequence, state, attempts, error_code, next_attempt_at, ended_at,
      created_at, due_at, group_seconds)
    select d.event_id, d.channel_id, d.channel_name, d.channel_type, d.purpose, d.sequence,
      case when d.reason is null then 'pending' else 'withheld' end, 0, coalesce(d.reason, d.held_by),
      case when d.reason is null then coalesce(${pauseOf(sql`d.channel_id`, sql`d.due_at`)}, d.due_at) end,
      case when d.reason is not null then cast(${now} as bigint) end, cast(${now} as bigint), d.due_at, d.group_seconds
    from d where true on conflict do nothing`;

/** Alerts that wait for others of their channel and owner wait for two more seconds, at most for their grouping time. */
const extendWaiting = (values: SQL, now: number): SQL => {
  const { attempts, channelId, claimedBy, createdAt, errorCode, eventId, groupSeconds, nextAttemptAt } = deliveries;
  const [pause, most] = [sql`cast(${now + GROUP_PAUSE} as bigint)`, sql`${createdAt} + ${groupSeconds} * 1000`];
  const until = sql`(case when ${most} < ${pause} then ${most} else ${pause} end)`;
  return sql`${values} update ${deliveries} set next_attempt_at = ${until}
    where ${nextAttemptAt} > ${now} and ${nextAttemptAt} < ${until} and ${attempts} = 0 and ${errorCode} is null
      and ${claimedBy} is null and exists (select 1 from d join ${events} as e on e.id = d.event_id
        join ${events} as own on own.team_id = e.team_id
        where d.channel_id = ${channelId} and d.reason is null and own.id = ${eventId})`;
};

/** How long an alert waits at most for the other monitors of its host, which are being checked. */
const LONGEST_SWEEP = 30 * SECOND;

/**
 * Alerts of monitors that may be sent together with others wait for a second more while the other monitors of their hosts
 * are being checked. `followed` filters monitors to those.
 */
export const waitForHosts = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  followed: (monitorIds: readonly number[]) => Promise<readonly number[]>,
): Promise<void> => {
  const { attempts, claimedBy, createdAt, errorCode, eventId, groupSeconds, nextAttemptAt } = deliveries;
  const until = clock.now() + SECOND;
  const isWaiting = and(lt(nextAttemptAt, until), gt(groupSeconds, 0), eq(attempts, 0));
  const isFree = and(isNull(errorCode), isNull(claimedBy), gt(createdAt, until - LONGEST_SWEEP));
  const waiting = await db
    .select({ id: deliveries.id, monitorId: events.targetId })
    .from(deliveries)
    .innerJoin(events, and(eq(events.id, eventId), eq(events.targetType, "monitor")))
    .where(and(isWaiting, isFree));
  if (waiting.length === 0) return;
  const hosts = new Set(await followed([...new Set(waiting.map(({ monitorId }) => monitorId))]));
  const ids = waiting.flatMap(({ id, monitorId }) => (hosts.has(monitorId) ? [id] : []));
  if (ids.length === 0) return;
  await db
    .update(deliveries)
    .set({ nextAttemptAt: until })
    .where(and(isOneOf(deliveries.id, ids), isWaiting, isFree));
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

const PROGRESS = {
  outage_id: "bigint",
  event_id: "bigint",
  started_at: "bigint",
  next_step: "integer",
  reminders: "integer",
  reminded_at: "bigint",
  next_at: "bigint",
} as const;

/** Stores where steps and reminders stand, and withholds what is not sent any more. The number of reminders never falls, because deliveries are numbered by it. */
const storeProgress = async (tx: Database, decided: readonly Decided[], now: number): Promise<void> => {
  const rows = decided.flatMap(({ subject: { event, outage }, next: { progress, wakeAt } }) => {
    if (!progress || !outage || wakeAt === null) return [];
    const { startedAt, nextStep, reminders, remindedAt } = progress;
    return [[outage.id, event.id, startedAt, nextStep, reminders, remindedAt, wakeAt]];
  });
  const over = decided.flatMap(({ subject: { outage }, next: { isOver } }) => (outage && isOver ? [outage.id] : []));
  if (rows.length > 0)
    await tx.rows(sql`${withValues("s", PROGRESS, rows)} insert into ${escalations}
      (outage_id, event_id, started_at, next_step, round, reminders, reminded_at, next_at)
      select s.outage_id, s.event_id, s.started_at, s.next_step, 0, s.reminders, s.reminded_at, s.next_at from s where true
      on conflict (outage_id) do update set started_at = excluded.started_at, next_step = excluded.next_step,
        reminders = case when excluded.reminders > ${escalations.reminders} then excluded.reminders else ${escalations.reminders} end,
        reminded_at = excluded.reminded_at, next_at = excluded.next_at`);
  if (over.length > 0) await tx.delete(escalations).where(isOneOf(escalations.outageId, over));
  for (const reason of ["recovered", "superseded"] as const) {
    const ids = decided.flatMap(({ next: { withheld } }) => (withheld?.reason === reason ? withheld.ids : []));
    await withhold(tx, ids, reason, now);
  }
};

const rowsOf = (decided: readonly Decided[]): Row[] =>
  decided.flatMap(({ subject, next }) => next.deliveries.map((planned) => ({ ...planned, eventId: subject.event.id })));

/** Stores the steps and reminders that are due. */
export const storeSteps = async (tx: Database, decided: readonly Decided[], now: number): Promise<void> => {
  const rows = rowsOf(decided);
  if (rows.length > 0) await tx.rows(insertDeliveries(rows, now));
  await storeProgress(tx, decided, now);
};

const MARK = { id: "bigint", hold_until: "bigint", planned_at: "bigint", unsent_reason: "text" } as const;

/** Marks events as planned, with the reason where nothing is sent, or as held. */
const mark = (decided: readonly Decided[], now: number): SQL => {
  const rows = decided.map(({ subject: { event }, next: { isHeld, wakeAt, unsentReason = null } }) => [
    event.id,
    isHeld ? wakeAt : null,
    isHeld ? null : now,
    unsentReason,
  ]);
  return sql`${withValues("m", MARK, rows)} update ${events} set planned_at = m.planned_at, hold_until = m.hold_until,
      unsent_reason = m.unsent_reason
    from m where ${events.id} = m.id`;
};

/** Stores what is sent about events, which are planned or held then, and what changes with it. */
export const storeEvents = async (tx: Database, decided: readonly Decided[], now: number): Promise<void> => {
  const renewed = decided.flatMap(({ subject: { event }, next: { isRenewed } }) => (isRenewed ? [event.id] : []));
  if (renewed.length > 0)
    await tx.delete(deliveries).where(and(isOneOf(deliveries.eventId, renewed), eq(deliveries.state, "withheld")));
  await explainOutages(
    tx,
    decided.flatMap(({ subject: { outage }, next: { explainedBy } }) =>
      outage && explainedBy !== undefined ? [[outage.id, explainedBy] as const] : [],
    ),
  );
  await storeFlapping(
    tx,
    decided.flatMap(({ subject: { event, outage }, next: { flapping } }) =>
      flapping === undefined ? [] : [{ event, outage, flapping }],
    ),
  );
  const rows = rowsOf(decided);
  const values = valuesOf(rows);
  if (rows.length > 0)
    await tx.atomically(() => [
      insertDeliveries(rows, now),
      extendWaiting(values, now),
      retryPredecessors(values, now),
    ]);
  await storeProgress(tx, decided, now);
  await tx.rows(mark(decided, now));
};
