/**
 * Targets that change too often. The change that makes a target unstable is announced; further ones are withheld, and each extends the time until it counts as stable. Then its last event is planned again, and reports the state that it is in.
 * A target that does not work counts as stable after three checks in a row that failed, and three minutes: a lasting
 * outage is never withheld. A state and each figure of a server are unstable by themselves. decide.ts decides.
 */
import { and, eq, isNotNull, lte, not, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { deliveries, events, flappingTargets, outages } from "../../../../db/schema";
import { isOneOf, withValues } from "../../../../db/sql";
import {
  EVENT_KINDS,
  type EventKind,
  eventKindsOf,
  FLAPPING,
  isBroken,
  isClosing,
  mayFlap,
  outageKindOf,
} from "../../../../shared/notifications";
import { viewOf } from "../../targets";
import { selects } from "./decide";
import type { Event, Flapping, FlappingRow, Next, Subject } from "./state";

/** Unstable targets that are taken in one transaction. */
const BATCH_SIZE = 200;

const keyOf = ({ targetType, targetId, kind }: Pick<FlappingRow, "targetType" | "targetId" | "kind">) =>
  `${targetType} ${targetId} ${kind}`;

const isLastingKind = (kind: EventKind): boolean => !isClosing(kind) && isBroken(outageKindOf(kind));

/** For how many milliseconds the target of an event has to stay as it is to count as stable. */
const quietOf = ({ kind }: Event): number => (isLastingKind(kind) ? FLAPPING.lasting : FLAPPING.quiet);

/** The rows of the targets of these events, by target and kind. */
const readRows = async ({ db }: Pick<Deps, "db">, batch: readonly Event[]): Promise<Map<string, FlappingRow>> => {
  const ids = [...new Set(batch.map(({ targetId }) => targetId))];
  const rows = await db.select().from(flappingTargets).where(isOneOf(flappingTargets.targetId, ids));
  return new Map(rows.map((row) => [keyOf(row), row]));
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

const subjectsOf = (batch: readonly Event[]): SQL =>
  withValues(
    "v",
    SUBJECT,
    batch.map(({ id, targetType, targetId, kind, subject, at }) => {
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

/** The channels that were notified that the targets of these events are unstable, by the id of the event. */
const readInformed = async ({ db }: Pick<Deps, "db">, batch: readonly Event[]): Promise<Map<number, number[]>> => {
  if (batch.length === 0) return new Map();
  const rows = await db.rows(sql`${subjectsOf(batch)} select distinct v.event_id, d.channel_id from v
    join ${deliveries} as d on d.purpose = 'flapping' and d.event_id in (select e.id from ${changesSoFar})`);
  const byEvent = Map.groupBy(rows, ({ event_id }) => Number(event_id));
  return new Map([...byEvent].map(([id, list]) => [id, list.map(({ channel_id }) => Number(channel_id))]));
};

/** How often the targets of these events have changed in the last half hour, by the id of the event. */
const readChanges = async ({ db }: Pick<Deps, "db">, batch: readonly Event[]): Promise<Map<number, number>> => {
  if (batch.length === 0) return new Map();
  const rows = await db.rows(sql`${subjectsOf(batch)} select v.event_id, (select count(*) from ${changesSoFar}
      and e.at > v.at - ${FLAPPING.window} and e.at <= v.at) as changes from v`);
  return new Map(rows.map(({ event_id, changes }) => [Number(event_id), Number(changes)]));
};

/** What decides whether the targets of a batch are unstable. Changes are counted of events that would be sent now. */
export const readFlapping = async (
  deps: Pick<Deps, "db" | "config" | "clock">,
  batch: readonly Subject[],
): Promise<(event: Event) => Flapping> => {
  const now = deps.clock.now();
  const { alertFlapChanges: limit } = deps.config;
  const real = batch.filter(({ event }) => !event.drill);
  const all = real.map(({ event }) => event);
  const rows = await readRows(deps, all);
  const rowOf = (event: Event) => rows.get(keyOf({ ...event, kind: outageKindOf(event.kind) })) ?? null;
  const candidates = real.flatMap(({ event, rule }) =>
    limit > 0 &&
    mayFlap(outageKindOf(event.kind)) &&
    rowOf(event) === null &&
    rule.enabled &&
    selects(rule, event) &&
    event.at + quietOf(event) > now
      ? [event]
      : [],
  );
  const changes = await readChanges(deps, candidates);
  const stable = all.filter((event) => {
    const row = rowOf(event);
    return row !== null && row.eventId === event.id && row.settlesAt <= now;
  });
  const informed = await readInformed(deps, stable);
  return (event) => ({
    row: event.drill ? null : rowOf(event),
    changes: changes.get(event.id) ?? 0,
    limit,
    quiet: quietOf(event),
    informed: informed.get(event.id) ?? null,
  });
};

/** The condition that an open outage of a monitor is younger than `quiet`, and has fewer failed checks than it takes to last. */
const awaitsChecks = (now: number): SQL => sql`(${outages.endedAt} is null and ${events.kind} = 'down'
  and ${events.at} > ${now - FLAPPING.quiet} and coalesce(${outages.checksFailed}, 0) < ${FLAPPING.checks}
  and ${viewOf("monitor").isChecked(events.targetId)})`;

/** The last events of unstable targets that have not changed for a while, by their ids. */
export const readStable = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number[]> => {
  const now = clock.now();
  const rows = await db
    .select({ id: events.id })
    .from(flappingTargets)
    .innerJoin(events, eq(events.id, flappingTargets.eventId))
    .leftJoin(outages, eq(outages.id, events.outageId))
    .where(and(lte(flappingTargets.settlesAt, now), isNotNull(events.plannedAt), not(awaitsChecks(now))))
    .limit(BATCH_SIZE);
  return rows.map(({ id }) => id);
};

/** Deletes unstable targets whose last event was deleted: there is nothing to announce. */
export const deleteWithoutEvent = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  const hasEvent = sql`exists (select 1 from ${events} as e where e.id = ${flappingTargets.eventId})`;
  await db.delete(flappingTargets).where(and(lte(flappingTargets.settlesAt, clock.now()), not(hasEvent)));
};

const ROW = {
  target_type: "text",
  target_id: "bigint",
  kind: "text",
  user_id: "bigint",
  team_id: "bigint",
  event_id: "bigint",
  changes: "integer",
  settles_at: "bigint",
} as const;

type FlappingChange = Exclude<Next["flapping"], undefined>;

/** Stores unstable targets; `flapping` is null for a target that is stable again. */
export const storeFlapping = async (
  db: Deps["db"],
  changed: readonly { event: Event; outage: Subject["outage"]; flapping: FlappingChange }[],
): Promise<void> => {
  if (changed.length === 0) return;
  const stable = changed.flatMap(({ event, flapping }) => (flapping ? [] : [event.id]));
  const unstable = changed.flatMap(({ event: { targetType, targetId, kind, userId, teamId }, flapping }) =>
    flapping
      ? [
          [
            targetType,
            targetId,
            outageKindOf(kind),
            userId,
            teamId,
            flapping.eventId,
            flapping.changes,
            flapping.settlesAt,
          ],
        ]
      : [],
  );
  await db.delete(flappingTargets).where(isOneOf(flappingTargets.eventId, stable));
  if (unstable.length > 0)
    await db.rows(sql`${withValues("v", ROW, unstable)} insert into ${flappingTargets} (target_type, target_id, kind, user_id, team_id, event_id, changes, settles_at)
      select v.target_type, v.target_id, v.kind, v.user_id, v.team_id, v.event_id, v.changes, v.settles_at from v where true
      on conflict (target_type, target_id, kind) do update set event_id = excluded.event_id, changes = excluded.changes,
        settles_at = excluded.settles_at`);
  for (const isUnstable of [true, false]) {
    const ids = changed.flatMap(({ outage, flapping }) =>
      outage?.endedAt === null && (flapping !== null) === isUnstable ? [outage.id] : [],
    );
    if (ids.length > 0) await db.update(outages).set({ flapping: isUnstable }).where(isOneOf(outages.id, ids));
  }
};
