/**
 * Escalations: what is sent about an open outage after its first message. Each outage with more to send has a row that says
 * when it is looked at next. Steps follow the policy as it is then.
 */
import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { deliveries, escalations, events, flappingTargets, mutes, outages, users } from "../../../../db/schema";
import { isOneOf, lockAlerts, withValues } from "../../../../db/sql";
import { type AlertPolicy, POLICY_LIMITS, sequenceOfStep } from "../../../../shared/alert-policy";
import { MINUTE } from "../../../../shared/limits";
import { type Suppressor, selects } from "../suppressors";
import { suppress } from "./address";
import { type PlannedEvent, readAddressing } from "./batch";
import { isUntried } from "./conditions";
import { quietEnd } from "./quiet";
import type { Draft } from "./stage";
import { insertDeliveries, type Planned, valuesOf } from "./write";

/** Escalations taken in one transaction. */
const BATCH_SIZE = 200;
/** How long a row rests at most while its target is muted or in quiet hours, which may end early. */
const RECHECK = 5 * MINUTE;

type Row = typeof escalations.$inferSelect;
/** Where the alerts of an outage stand. */
type Progress = Pick<Row, "startedAt" | "nextStep" | "reminders" | "remindedAt">;

/** What the alerts of an outage depend on besides its policy. */
type Situation = {
  /** Whether nothing more is to be sent: it has ended or is explained, its target changes too often, or its rule is off. */
  over: boolean;
  /** Whether it is acknowledged, and until when; null for until it recovers. */
  acknowledged: { until: number | null } | null;
  muted: boolean;
  critical: boolean;
};

/** What is sent now, where the alerts stand then, and when they are looked at next; null when nothing more is to be sent. */
type Move = { steps: number[]; reminder: boolean; dropped: boolean; progress: Progress; nextAt: number | null };

const stepTime = ({ startedAt }: Progress, { steps }: AlertPolicy, step: number): number =>
  startedAt + (steps[step]?.afterMinutes ?? 0) * MINUTE;

const reminderTime = ({ reminders, remindedAt }: Progress, { repeatMinutes, repeatMax }: AlertPolicy): number | null =>
  repeatMinutes > 0 && reminders < (repeatMax || POLICY_LIMITS.repeatMax) ? remindedAt + repeatMinutes * MINUTE : null;

/** When the next step or reminder is due; null when there is none. */
export const nextTime = (progress: Progress, policy: AlertPolicy): number | null => {
  const reminder = reminderTime(progress, policy);
  if (progress.nextStep >= policy.steps.length) return reminder;
  return Math.min(stepTime(progress, policy, progress.nextStep), reminder ?? Number.POSITIVE_INFINITY);
};

/** What is to be sent about an outage at `now`. */
const nextMove = (progress: Progress, policy: AlertPolicy, situation: Situation, now: number): Move => {
  const rest = (nextAt: number | null): Move => ({ steps: [], reminder: false, dropped: false, progress, nextAt });
  const { acknowledged } = situation;
  if (situation.over || acknowledged?.until === null) return rest(null);
  if (acknowledged && acknowledged.until !== null && acknowledged.until > now) return rest(acknowledged.until);
  const due = policy.steps.flatMap((_, step) =>
    step >= progress.nextStep && stepTime(progress, policy, step) <= now ? [step] : [],
  );
  const reminderAt = reminderTime(progress, policy);
  const isReminderDue = reminderAt !== null && reminderAt <= now;
  if (due.length === 0 && !isReminderDue) return rest(nextTime(progress, policy));
  if (situation.muted) return rest(now + RECHECK);
  const end = situation.critical || !policy.quiet ? null : quietEnd(policy.quiet, now);
  if (end !== null && policy.quiet?.mode === "hold") return rest(Math.min(end, now + RECHECK));
  const dropped = end !== null;
  const next = {
    ...progress,
    nextStep: Math.max(progress.nextStep, (due.at(-1) ?? -1) + 1),
    reminders: progress.reminders + (isReminderDue && !dropped ? 1 : 0),
    remindedAt: isReminderDue ? now : progress.remindedAt,
  };
  return {
    steps: due,
    reminder: isReminderDue && !dropped,
    dropped,
    progress: next,
    nextAt: nextTime(next, policy),
  };
};

type Open = { row: Row; planned: PlannedEvent; situation: Situation; notified: number[] };

/** The channels that have got a message about each of these events. */
const readNotifiedChannels = async ({ db }: Pick<Deps, "db">, eventIds: number[]): Promise<Map<number, number[]>> => {
  const rows = await db
    .select({ eventId: deliveries.eventId, channelId: deliveries.channelId })
    .from(deliveries)
    .where(and(isOneOf(deliveries.eventId, eventIds), eq(deliveries.state, "sent")))
    .groupBy(deliveries.eventId, deliveries.channelId);
  const channels = new Map<number, number[]>();
  for (const { eventId, channelId } of rows) channels.set(eventId, [...(channels.get(eventId) ?? []), channelId]);
  return channels;
};

/** Reads the escalations that are due, with all that decides what is sent. */
const readDue = async (deps: Pick<Deps, "db" | "config">, now: number): Promise<Open[]> => {
  const sameTarget = (table: typeof mutes | typeof flappingTargets) =>
    and(eq(table.targetType, events.targetType), eq(table.targetId, events.targetId));
  const isUnstable = and(sameTarget(flappingTargets), eq(flappingTargets.kind, outages.kind));
  const found = await deps.db
    .select({
      row: escalations,
      event: events,
      outage: outages,
      role: users.role,
      mute: mutes,
      flapping: flappingTargets,
    })
    .from(escalations)
    .innerJoin(outages, eq(outages.id, escalations.outageId))
    .innerJoin(events, eq(events.id, escalations.eventId))
    .innerJoin(users, eq(users.id, events.userId))
    .leftJoin(mutes, sameTarget(mutes))
    .leftJoin(flappingTargets, isUnstable)
    .where(lte(escalations.nextAt, now))
    .orderBy(asc(escalations.nextAt), asc(escalations.outageId))
    .limit(BATCH_SIZE);
  if (found.length === 0) return [];
  const addressing = await readAddressing(
    deps,
    found.map(({ event, role }) => ({ target: event, role })),
  );
  const notified = await readNotifiedChannels(
    deps,
    found.map(({ event }) => event.id),
  );
  return found.flatMap(({ row, event, outage, mute, flapping }, index) => {
    const addressed = addressing[index];
    if (!addressed) return [];
    const { rule, critical } = addressed;
    const situation = {
      over:
        outage.endedAt !== null ||
        outage.explainedBy !== null ||
        flapping !== null ||
        !rule.enabled ||
        !selects(rule, event),
      acknowledged: outage.acknowledgedAt === null ? null : { until: outage.acknowledgedUntil },
      muted: mute !== null && (mute.endsAt === null || mute.endsAt > now),
      critical,
    };
    return [{ row, planned: { ...addressed, event, outage }, situation, notified: notified.get(event.id) ?? [] }];
  });
};

/** The messages of a move. A channel gets one, although several steps name it. */
const draftMove = ({ row, planned, notified }: Open, { steps, reminder, progress }: Move): Draft[] => {
  const drafted = new Set<number>();
  const draft = (ids: number[], purpose: Draft["purpose"], sequence: number): Draft[] =>
    ids.flatMap((id) => {
      if (drafted.has(id)) return [];
      drafted.add(id);
      return [{ planned, channel: planned.channelOf(id), purpose, sequence }];
    });
  const alerts = steps.flatMap((step) =>
    draft(planned.policy.steps[step]?.channels ?? [], "alert", sequenceOfStep(row.round, step)),
  );
  return [...alerts, ...(reminder ? draft(notified, "reminder", progress.reminders) : [])];
};

const MOVED = {
  outage_id: "bigint",
  seen_at: "bigint",
  next_step: "integer",
  reminders: "integer",
  reminded_at: "bigint",
  next_at: "bigint",
} as const;

const movedRows = (moved: readonly { open: Open; move: Move }[]): unknown[][] =>
  moved.map(({ open: { row }, move: { progress, nextAt } }) => [
    row.outageId,
    row.nextAt,
    progress.nextStep,
    progress.reminders,
    progress.remindedAt,
    nextAt,
  ]);

/** The statement that withholds reminders that were not tried before the next one. */
const supersede = (values: SQL, now: number): SQL =>
  sql`${values} update ${deliveries} set state = 'withheld', error_code = 'superseded', next_attempt_at = null, ended_at = cast(${now} as bigint)
    where purpose = 'reminder' and ${isUntried("deliveries")} and exists (select 1 from d
      where d.event_id = ${deliveries.eventId} and d.channel_id = ${deliveries.channelId} and d.purpose = 'reminder'
        and d.sequence > ${deliveries.sequence})`;

/** The deliveries of what is due about an outage. A reminder that no channel gets has no number. */
const planMove = (open: Open, suppressors: readonly Suppressor[], now: number) => {
  const { row, planned, situation } = open;
  const move = nextMove(row, planned.policy, situation, now);
  const rows = draftMove(open, move).flatMap((draft): Planned[] => {
    const kept = suppress(draft, suppressors, { muted: false, withheld: move.dropped ? "quiet_hours" : null, now });
    const { groupSeconds } = planned.policy;
    return kept ? [{ ...kept, dueAt: now, heldBy: null, groupSeconds, seenAt: row.nextAt }] : [];
  });
  if (!move.reminder || rows.some(({ purpose }) => purpose === "reminder")) return { open, move, rows };
  const progress = { ...move.progress, reminders: row.reminders };
  return { open, move: { ...move, progress, nextAt: nextTime(progress, planned.policy) }, rows };
};

/** Plans the steps and reminders that are due. Gives whether more may be due. */
export const escalate = async (deps: Deps, suppressors: readonly Suppressor[]): Promise<boolean> => {
  const now = deps.clock.now();
  const due = await readDue(deps, now);
  if (due.length === 0) return false;
  const moved = due.map((open) => planMove(open, suppressors, now));
  const rows = moved.flatMap((one) => one.rows);
  const moves = withValues("m", MOVED, movedRows(moved));
  // Another instance that has taken the same step has changed the time.
  const isUnmoved = sql`m.outage_id = ${escalations.outageId} and m.seen_at = ${escalations.nextAt}`;
  const isCurrent = sql`exists (select 1 from ${escalations} as x join ${outages} as o on o.id = x.outage_id
    where x.event_id = d.event_id and x.next_at = d.seen_at and o.ended_at is null)`;
  const values = valuesOf(rows);
  await deps.db.atomically(() => [
    ...lockAlerts,
    ...(rows.length > 0 ? [insertDeliveries(values, isCurrent, now), supersede(values, now)] : []),
    sql`${moves} delete from ${escalations} where exists (select 1 from m where ${isUnmoved} and m.next_at is null)`,
    sql`${moves} update ${escalations} set next_step = m.next_step, reminders = m.reminders, reminded_at = m.reminded_at, next_at = m.next_at
      from m where ${isUnmoved} and m.next_at is not null`,
  ]);
  return due.length === BATCH_SIZE;
};

/**
 * The statement that begins with the first step of the policy at a time, for outages of a selection of `outage_id` and
 * `event_id`, the event that opened it.
 */
export const restartEscalations = (selection: SQL, at: number): SQL => {
  const last = (purpose: string) =>
    sql`(select max(k.sequence) from ${deliveries} as k where k.event_id = begun.event_id and k.purpose = ${purpose})`;
  const time = sql`cast(${at} as bigint)`;
  return sql`insert into ${escalations} (outage_id, event_id, started_at, next_step, round, reminders, reminded_at, next_at)
    select begun.outage_id, begun.event_id, ${time}, 0, coalesce(${last("alert")} / ${sql.raw(String(POLICY_LIMITS.steps))} + 1, 0),
      coalesce(${last("reminder")}, 0), ${time}, ${time} from (${selection}) as begun where true
    on conflict (outage_id) do update set started_at = excluded.started_at, next_step = 0, round = excluded.round,
      reminders = excluded.reminders, reminded_at = excluded.reminded_at, next_at = excluded.next_at`;
};
