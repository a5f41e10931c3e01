/**
 * Monitors and servers report their changes by `report`. They decide within the transaction of the state whether a problem
 * began, continued or ended; only this file writes its events and outages. Open pages get the outages after the commit.
 */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import type { Queries, Statement } from "../../db/database";
import { events, flappingTargets, maintenanceHolds, mutes, notificationRules, outages } from "../../db/schema";
import { isOneOf, lockAlerts, withValues } from "../../db/sql";
import type { CheckError } from "../../shared/check-error";
import { type AlertFacts, eventKindsOf, type OutageKind, type TargetType } from "../../shared/notifications";
import { purgeDependencies } from "./dependencies/service";
import { publishOutages } from "./outages/live";
import { viewOf } from "./targets";

export type Change = {
  targetId: number;
  kind: OutageKind;
  /** The part of the target that it is about; absent for the target itself. */
  subject?: string;
  at: number;
  /** When the outage began, where that is earlier than `at`, and when its target was last known to be well. */
  startedAt?: number;
  startedAfter?: number | null;
  /** The interval of checks or reports (ms), where the outage may have begun at any time between the last good one and its start. */
  interval?: number | undefined;
  /** Whether the outage is open afterwards. It is opened unless it is open already. */
  opens: boolean;
  /** Writes no event, so that no alert is sent. */
  silent?: boolean;
  /** When the state began that ends, where that is earlier than the outage that is closed; when a server last reported. */
  since?: number | null;
  error?: CheckError | null;
  /** As measured and as set. */
  figure?: number | null;
  threshold?: number | null;
  mount?: string | null;
  facts?: AlertFacts | null;
  /** The check that found it. Its facts belong to the outage only, which counts failed checks and describes the first. */
  check?: { failed: boolean; address?: string | null; facts: AlertFacts | null };
};

/**
 * From when a new outage counts as down time: the middle between the last good check or report and its start is right on
 * average. It is half an interval before the start at most, because a longer pause says nothing about the target.
 */
const countedFromOf = ({ at, startedAt = at, startedAfter, interval }: Change): number | null =>
  startedAfter && interval && startedAfter < startedAt
    ? startedAt - Math.round(Math.min(startedAt - startedAfter, interval) / 2)
    : null;

/** The columns of changes in statements, each with its type and value. */
const COLUMNS = {
  target_id: ["bigint", ({ targetId }) => targetId],
  kind: ["text", ({ kind }) => kind],
  event: ["text", ({ kind, opens }) => eventKindsOf(kind)[opens ? "opening" : "closing"]],
  subject: ["text", ({ subject }) => subject ?? ""],
  at: ["bigint", ({ at }) => at],
  closes: ["boolean", ({ opens }) => !opens],
  started_at: ["bigint", ({ startedAt, at }) => startedAt ?? at],
  started_after: ["bigint", ({ startedAfter }) => startedAfter],
  counted_from: ["bigint", countedFromOf],
  detected_at: ["bigint", ({ startedAt, at }) => (startedAt === undefined || startedAt === at ? null : at)],
  since: ["bigint", ({ since }) => since],
  error_code: ["text", ({ error }) => error?.code],
  error_detail: ["json", ({ error }) => error?.detail],
  last_error_code: ["text", ({ error }) => error?.code],
  figure: ["double precision", ({ figure }) => figure],
  threshold: ["double precision", ({ threshold }) => threshold],
  mount: ["text", ({ mount }) => mount],
  facts: ["json", ({ facts }) => facts],
  outage_facts: ["json", ({ check, facts }) => (check ? check.facts : facts)],
  checks_failed: ["integer", ({ check }) => (check?.failed ? 1 : null)],
  address: ["text", ({ check }) => check?.address],
  // PostgreSQL may join rows in any order.
  place: ["integer", (_change, place) => place],
} as const satisfies Record<string, readonly [string, (change: Change, place: number) => unknown]>;

const KEY = ["target_id", "kind", "subject", "at"] as const;
const START = ["started_at", "started_after", "counted_from", "detected_at"] as const;
/** The stored columns of changes of monitors and of servers: on SQLite, each column of values costs time. */
const STORED = {
  monitor: {
    event: ["error_code", "error_detail"],
    outage: ["error_code", "error_detail", "last_error_code", "checks_failed", "address"],
  },
  agent: { event: ["figure", "threshold", "mount", "facts"], outage: [] },
} as const;

const valuesOf = (changes: readonly Change[], names: readonly (keyof typeof COLUMNS)[]): SQL =>
  withValues(
    "c",
    Object.fromEntries(names.map((name) => [name, COLUMNS[name][0]])),
    changes.map((change, place) => names.map((name) => COLUMNS[name][1](change, place))),
  );
const listOf = (names: readonly string[], prefix = ""): SQL =>
  sql.raw(names.map((name) => `, ${prefix}${name}`).join(""));

/** The outages `o` of a change `c`. */
const isOf = (type: TargetType): SQL =>
  sql`o.target_type = ${type} and o.target_id = c.target_id and o.kind = c.kind and o.subject = c.subject`;
const isOpenOf = (type: TargetType): SQL => sql`${isOf(type)} and o.ended_at is null`;

/**
 * A closing event is written before its outage ends, an opening one after its outage began. A monitor that was paused while it
 * was down recovers after its outage has ended. A repeated event is not written again.
 */
const writeEvents = (type: TargetType, changes: readonly Change[]): SQL => {
  const { event } = STORED[type];
  const began = sql`(select o.started_at from ${outages} as o where ${isOpenOf(type)})`;
  const outage = sql`(select o.id from ${outages} as o where ${isOf(type)} order by o.id desc limit 1)`;
  return sql`${valuesOf(changes, [...KEY, "event", "closes", "since", "place", ...event])}
    insert into ${events} (user_id, team_id, target_type, target_id, target_name, kind, subject, at, outage_id, since${listOf(event)})
    select t.user_id, t.team_id, ${type}, t.id, t.name, c.event, c.subject, c.at, ${outage},
      case when c.closes and (c.since is null or c.since > ${began}) then ${began} else c.since end${listOf(event, "c.")}
    from c join ${viewOf(type).table} as t on t.id = c.target_id where true order by c.place on conflict do nothing`;
};

/** An open outage is described by the latest change, or, where it counts failed checks, by the first one. */
const openOutages = (type: TargetType, changes: readonly Change[]): SQL => {
  const { outage } = STORED[type];
  const latest = (column: string) =>
    sql.raw(`case when outages.checks_failed is null then excluded.${column} else outages.${column} end`);
  const described = sql`, error_code = ${latest("error_code")}, error_detail = ${latest("error_detail")},
      facts = coalesce(${latest("facts")}, ${outages.facts})`;
  return sql`${valuesOf(changes, [...KEY, ...START, "outage_facts", ...outage])}
    insert into ${outages} (user_id, team_id, target_type, target_id, kind, subject${listOf(START)}, facts${listOf(outage)})
    select t.user_id, t.team_id, ${type}, t.id, c.kind, c.subject${listOf(START, "c.")}, c.outage_facts${listOf(outage, "c.")}
    from c join ${viewOf(type).table} as t on t.id = c.target_id where true
    on conflict (target_type, target_id, kind, subject) where ended_at is null
    do update set checks_failed = ${outages.checksFailed} + 1, last_error_code = excluded.last_error_code,
      address = coalesce(excluded.address, ${outages.address})${changes.every(({ check }) => check?.failed) ? sql`` : described}`;
};

/**
 * An outage that would end before its start, because the clock was set back, ends at its start. The outages are found first, one by
 * one by their index: otherwise SQLite compares all open ones with each change.
 */
const closeOutages = (type: TargetType, changes: readonly Change[]): SQL =>
  sql`${valuesOf(changes, KEY)} update ${outages}
    set ended_at = case when e.at > ${outages.startedAt} then e.at else ${outages.startedAt} end
    from (with found as materialized (select o.id, c.at from c cross join ${outages} as o where ${isOpenOf(type)})
      select id, at from found) as e
    where ${outages.id} = e.id`;

/**
 * Writes the events and outages of changes, at most one opening and one end for each kind and subject of a target. It runs
 * in the transaction of the changes, after the states of the targets are locked. Changes of deleted targets are left out.
 */
export const report = async (
  deps: Pick<Deps, "db" | "live" | "clock" | "log">,
  type: TargetType,
  changes: readonly Change[],
): Promise<void> => {
  const { db } = deps;
  const { opened = [], closed = [] } = Object.groupBy(changes, ({ opens }) => (opens ? "opened" : "closed"));
  if (changes.length === 0) return;
  const eventsOf = (some: readonly Change[]): SQL[] => {
    const loud = some.filter(({ silent }) => !silent);
    return loud.length > 0 ? [writeEvents(type, loud)] : [];
  };
  await db.atomically(() => [
    ...eventsOf(closed),
    ...(closed.length > 0 ? [closeOutages(type, closed)] : []),
    ...(opened.length > 0 ? [openOutages(type, opened)] : []),
    ...eventsOf(opened),
  ]);
  db.afterCommit((database) => void publishChanges({ ...deps, db: database }, type, changes));
};

/** When an outage was detected: the time of its opening event. */
export const detectedAt = (outage: Pick<typeof outages.$inferSelect, "startedAt" | "detectedAt">): number =>
  outage.detectedAt ?? outage.startedAt;

const keyOf = ({ targetId, kind, subject = "" }: Pick<Change, "targetId" | "kind" | "subject">) =>
  `${targetId} ${kind} ${subject}`;

const publishChanges = async (
  deps: Pick<Deps, "db" | "live" | "clock" | "log">,
  type: TargetType,
  changes: readonly Change[],
): Promise<void> => {
  if (!deps.live.watched()) return;
  const byKey = new Map(changes.map((change) => [keyOf(change), change]));
  const ids = changes.map(({ targetId }) => targetId);
  await publishOutages(deps, type, ids, (outage) => {
    const change = byKey.get(keyOf(outage));
    return change !== undefined && (!change.silent || !change.opens || change.at === detectedAt(outage));
  });
};

/** The open outages of these kinds, of some targets or of all. */
export const readOpenOutages = <Kind extends OutageKind>(
  { db }: Pick<Deps, "db">,
  type: TargetType,
  kinds: readonly Kind[],
  targetIds?: readonly number[],
) =>
  db
    .select({
      targetId: outages.targetId,
      kind: sql<Kind>`${outages.kind}`,
      subject: outages.subject,
      errorCode: outages.errorCode,
      errorDetail: outages.errorDetail,
    })
    .from(outages)
    .where(
      and(
        eq(outages.targetType, type),
        isOneOf(outages.kind, kinds),
        isNull(outages.endedAt),
        targetIds && isOneOf(outages.targetId, targetIds),
      ),
    );

/**
 * The statements that delete what alerting stores of deleted targets; `ids` is a list or a selection in parentheses.
 */
export const purgeTargets = (tx: Queries, type: TargetType, ids: SQL): Statement[] => [
  ...lockAlerts,
  ...[outages, events, notificationRules, flappingTargets, mutes, maintenanceHolds].map((table) =>
    tx.delete(table).where(and(eq(table.targetType, type), sql`${table.targetId} in ${ids}`)),
  ),
  purgeDependencies(tx, type, ids),
];
