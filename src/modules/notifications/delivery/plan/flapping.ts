/**
 * Targets that change too often. The change that makes a target unstable is announced; further ones are withheld, each of
 * which moves the time when it counts as stable. Then its last event is planned again, and reports the state that it is in.
 * A target that does not work counts as stable after three checks in a row that failed, and three minutes: a lasting
 * outage is never withheld.
 * A state and each figure of a server are unstable by themselves. All of it is derived from rows, in conditional statements:
 * a restart and another instance change nothing.
 */
import { and, eq, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import type { Statement } from "../../../../db/database";
import { deliveries, events, flappingTargets, monitorStates, monitors, outages } from "../../../../db/schema";
import { isOneOf, lockAlerts, withValues } from "../../../../db/sql";
import { SECOND } from "../../../../shared/limits";
import { PASSIVE_KINDS } from "../../../../shared/monitor";
import {
  EVENT_KINDS,
  type EventKind,
  eventKindsOf,
  FLAPPING,
  isBroken,
  isClosing,
  mayFlap,
  type OutageKind,
  outageKindOf,
  type TargetType,
} from "../../../../shared/notifications";
import { selects } from "../suppressors";
import type { PlannedEvent } from "./batch";
import { type Decision, type Stage, UNDECIDED } from "./stage";

type Row = typeof flappingTargets.$inferSelect;

/** Unstable targets that are taken in one transaction. */
const BATCH_SIZE = 200;

/** The time of a row whose last event is planned again. */
const SETTLING = 0;

const keyOf = (type: TargetType, id: number, kind: OutageKind) => `${type} ${id} ${kind}`;
const keyOfEvent = ({ event }: PlannedEvent) => keyOf(event.targetType, event.targetId, outageKindOf(event.kind));

/** The condition that a row is that of an event's target and kind. */
const isRowOf = ({ event }: PlannedEvent) =>
  and(
    eq(flappingTargets.targetType, event.targetType),
    eq(flappingTargets.targetId, event.targetId),
    eq(flappingTargets.kind, outageKindOf(event.kind)),
  );

/** The condition that an event is not planned yet. */
const isUnplanned = (id: number): SQL =>
  sql`exists (select 1 from ${events} as e where e.id = ${id} and e.planned_at is null)`;

const isLastingKind = (kind: EventKind): boolean => !isClosing(kind) && isBroken(outageKindOf(kind));

/** For how many milliseconds the target of each of these events has to stay as it is to count as stable, by the event's id. */
const readQuiet = async (
  { db }: Pick<Deps, "db">,
  batch: readonly PlannedEvent[],
): Promise<(planned: PlannedEvent) => number> => {
  const down = batch.filter(({ event }) => event.kind === "down").map(({ event }) => event.targetId);
  const rows =
    down.length === 0
      ? []
      : await db
          .select({ id: monitors.id, kind: monitors.kind, interval: monitors.interval })
          .from(monitors)
          .where(isOneOf(monitors.id, down));
  // The first of the checks that fail is at the time of the event.
  const checks = new Map(
    rows.map(({ id, kind, interval }) => [
      id,
      PASSIVE_KINDS.includes(kind) ? 0 : (FLAPPING.checks - 1) * interval * SECOND,
    ]),
  );
  return ({ event: { kind, targetType, targetId } }) => {
    if (!isLastingKind(kind)) return FLAPPING.quiet;
    const needed = targetType === "monitor" ? (checks.get(targetId) ?? 0) : 0;
    return Math.min(FLAPPING.quiet, Math.max(FLAPPING.lasting, needed));
  };
};

/** When a target counts as stable after an event: an event that is planned late was the last for a while already. */
const settlesAfter = ({ event }: PlannedEvent, quiet: number, now: number): number =>
  Math.max(event.at + quiet, now + 1);

/** The rows of the targets of these events, by target and kind. */
const readRows = async ({ db }: Pick<Deps, "db">, batch: readonly PlannedEvent[]): Promise<Map<string, Row>> => {
  const ids = [...new Set(batch.map(({ event }) => event.targetId))];
  const rows = await db.select().from(flappingTargets).where(isOneOf(flappingTargets.targetId, ids));
  return new Map(rows.map((row) => [keyOf(row.targetType, row.targetId, row.kind), row]));
};

const SUBJECT = {
  event_id: "bigint",
  target_type: "text",
  target_id: "bigint",
  opening: "text",
  closing: "text",
  subject: "text",
  at: "bigint",
} as const;

const subjectsOf = (batch: readonly PlannedEvent[]): SQL =>
  withValues(
    "v",
    SUBJECT,
    batch.map(({ event: { id, targetType, targetId, kind, subject, at } }) => {
      const { opening, closing } = eventKindsOf(outageKindOf(kind));
      return [id, targetType, targetId, opening, closing, subject, at];
    }),
  );

/** The kinds of events whose target is stable without being well: their recoveries go on counting. */
const LASTING = sql.raw(
  `(${EVENT_KINDS.filter(isLastingKind)
    .map((kind) => `'${kind}'`)
    .join(", ")})`,
);

/** The events of the target, kind and subject of `v` up to its own, since the last message that it is stable and well. */
const changesSoFar = sql`${events} as e where e.target_type = v.target_type and e.target_id = v.target_id
  and e.kind in (v.opening, v.closing) and e.subject = v.subject and e.id <= v.event_id and not e.drill and e.id > coalesce((
    select max(s.id) from ${events} as s join ${deliveries} as settled on settled.event_id = s.id and settled.purpose = 'settled'
    where s.target_type = v.target_type and s.target_id = v.target_id and s.kind in (v.opening, v.closing) and s.kind not in ${LASTING}
      and s.at > v.at - ${FLAPPING.window} and s.id < v.event_id), 0)`;

/** The channels that were notified that these targets are unstable, by the id of the event. */
const readAnnounced = async (
  { db }: Pick<Deps, "db">,
  batch: readonly PlannedEvent[],
): Promise<Map<number, number[]>> => {
  if (batch.length === 0) return new Map();
  const rows = await db.rows(sql`${subjectsOf(batch)} select distinct v.event_id, d.channel_id from v
    join ${deliveries} as d on d.purpose = 'flapping' and d.event_id in (select e.id from ${changesSoFar})`);
  const channels = new Map<number, number[]>();
  for (const { event_id, channel_id } of rows)
    channels.set(Number(event_id), [...(channels.get(Number(event_id)) ?? []), Number(channel_id)]);
  return channels;
};

/** The statements that count one more change of an unstable target. */
const countChange = (planned: PlannedEvent, settlesAt: number): Statement[] => {
  const { event, outage } = planned;
  const isNew = sql`${flappingTargets.eventId} < ${event.id} and ${isUnplanned(event.id)}`;
  return [
    sql`update ${flappingTargets} set changes = changes + 1, settles_at = ${settlesAt}, event_id = ${event.id}
      where ${isRowOf(planned)} and ${isNew}`,
    ...markOutage(outage?.id, true),
  ];
};

const markOutage = (id: number | undefined, flapping: boolean): SQL[] =>
  id === undefined
    ? []
    : [sql`update ${outages} set flapping = ${sql.raw(String(flapping))} where id = ${id} and ended_at is null`];

/**
 * Withholds the changes of targets that are unstable already. The last event of one that is stable again is planned once
 * more: it goes to the channels that were notified that the target is unstable.
 */
export const continueFlapping: Stage = async (deps, batch) => {
  const now = deps.clock.now();
  const rows = await readRows(deps, batch);
  const affected = batch.flatMap((planned) => {
    const row = rows.get(keyOfEvent(planned));
    return row ? [{ planned, row }] : [];
  });
  if (affected.length === 0) return UNDECIDED;
  const quietOf = await readQuiet(deps, batch);
  const isStable = (row: Row, id: number) => row.eventId === id && row.settlesAt <= now;
  const stable = affected.filter(({ planned, row }) => isStable(row, planned.event.id));
  const announced = await readAnnounced(
    deps,
    stable.map(({ planned }) => planned),
  );
  const decisions = new Map<number, Decision>();
  for (const { planned, row } of affected) {
    const { id } = planned.event;
    const channels = announced.get(id);
    if (isStable(row, id))
      decisions.set(id, { purpose: "settled", sequence: row.changes, ...(channels && { channels }) });
    else decisions.set(id, { withheld: "flapping" });
  }
  return {
    decisions,
    statements: () =>
      affected.flatMap(({ planned, row }): Statement[] => {
        const { event, outage } = planned;
        if (!isStable(row, event.id)) return countChange(planned, settlesAfter(planned, quietOf(planned), now));
        return [
          sql`delete from ${flappingTargets} where ${isRowOf(planned)} and event_id = ${event.id} and ${isUnplanned(event.id)}`,
          ...markOutage(outage?.id, false),
        ];
      }),
  };
};

/** How often the targets of these events have changed in the last half hour, by the id of the event. */
const readChanges = async ({ db }: Pick<Deps, "db">, batch: readonly PlannedEvent[]): Promise<Map<number, number>> => {
  if (batch.length === 0) return new Map();
  const rows = await db.rows(sql`${subjectsOf(batch)} select v.event_id, (select count(*) from ${changesSoFar}
      and e.at > v.at - ${FLAPPING.window} and e.at <= v.at) as changes from v`);
  return new Map(rows.map(({ event_id, changes }) => [Number(event_id), Number(changes)]));
};

/** Announces targets that have become unstable, by a change that is sent. */
export const announceFlapping: Stage = async (deps, batch) => {
  const { alertFlapChanges: enough } = deps.config;
  if (enough === 0) return UNDECIDED;
  const now = deps.clock.now();
  const quietOf = await readQuiet(deps, batch);
  const candidates = batch.filter(
    (planned) =>
      mayFlap(outageKindOf(planned.event.kind)) &&
      planned.rule.enabled &&
      selects(planned.rule, planned.event) &&
      planned.event.at + quietOf(planned) > now,
  );
  const changes = await readChanges(deps, candidates);
  const unstable = candidates.filter(({ event }) => (changes.get(event.id) ?? 0) >= enough);
  if (unstable.length === 0) return UNDECIDED;
  const decisions = new Map<number, Decision>(
    unstable.map(({ event }) => [event.id, { purpose: "flapping", sequence: changes.get(event.id) ?? 0 }]),
  );
  return {
    decisions,
    statements: () =>
      unstable.flatMap((planned): Statement[] => {
        const { id, kind } = planned.event;
        return [
          sql`insert into ${flappingTargets} (target_type, target_id, kind, user_id, event_id, changes, settles_at)
            select e.target_type, e.target_id, cast(${outageKindOf(kind)} as text), e.user_id, e.id, cast(${changes.get(id) ?? 0} as integer),
              cast(${settlesAfter(planned, quietOf(planned), now)} as bigint)
            from ${events} as e where e.id = ${id} and e.planned_at is null on conflict do nothing`,
          ...markOutage(planned.outage?.id, true),
        ];
      }),
  };
};

/** The condition that an open outage of a monitor is younger than `quiet`, and that its third check has not been made yet. */
const awaitsChecks = (now: number): SQL => sql`(${outages.endedAt} is null and ${events.kind} = 'down'
  and ${events.at} > ${now - FLAPPING.quiet} and exists (select 1 from ${monitors} as m
    join ${monitorStates} as s on s.monitor_id = m.id where m.id = ${events.targetId} and not ${isOneOf(sql`m.kind`, PASSIVE_KINDS)}
      and s.last_checked_at < ${events.at} + m.interval * ${(FLAPPING.checks - 1.5) * SECOND}))`;

/** The last events of unstable targets that have not changed for a while. */
const readStable = async ({ db, clock }: Pick<Deps, "db" | "clock">) => {
  const now = clock.now();
  return db
    .select({ row: flappingTargets, event: events, outage: outages })
    .from(flappingTargets)
    .leftJoin(events, eq(events.id, flappingTargets.eventId))
    .leftJoin(outages, eq(outages.id, events.outageId))
    .where(and(lte(flappingTargets.settlesAt, now), or(isNull(events.id), not(awaitsChecks(now)))))
    .limit(BATCH_SIZE);
};

/**
 * Plans the last events of targets again that are stable now. A target without an event, one whose outage has ended
 * without one, as that of a paused monitor, and one whose last event was planned again already are stable without a word.
 */
export const settleFlapping = async (deps: Pick<Deps, "db" | "clock">): Promise<boolean> => {
  const found = await readStable(deps);
  const waiting = found.filter(({ event }) => event !== null && event.plannedAt === null);
  const silent = found.filter(({ row, event, outage }) => {
    if (!event) return true;
    if (event.plannedAt === null) return false;
    const isOver = !isClosing(event.kind) && outage?.endedAt !== null;
    return isOver || row.settlesAt === SETTLING;
  });
  const announced = found.filter((one) => !waiting.includes(one) && !silent.includes(one));
  if (silent.length + announced.length === 0) return false;
  await deps.db.atomically((tx) => [
    ...lockAlerts,
    ...silent.map(({ row }) =>
      tx
        .delete(flappingTargets)
        .where(
          and(
            eq(flappingTargets.targetType, row.targetType),
            eq(flappingTargets.targetId, row.targetId),
            eq(flappingTargets.kind, row.kind),
            eq(flappingTargets.eventId, row.eventId),
          ),
        ),
    ),
    ...announced.flatMap(({ row }) => [
      sql`update ${events} set planned_at = null where id = ${row.eventId} and exists (select 1 from ${flappingTargets} as f
        where f.event_id = ${row.eventId} and f.settles_at = ${row.settlesAt})`,
      sql`update ${flappingTargets} set settles_at = ${SETTLING}
        where event_id = ${row.eventId} and settles_at = ${row.settlesAt}`,
    ]),
  ]);
  return announced.length > 0 || found.length === BATCH_SIZE;
};
