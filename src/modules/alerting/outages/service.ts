import type { Static } from "@sinclair/typebox";
import { and, desc, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { notFound } from "../../../core/errors";
import { readBelongings, type Viewer, visibleTo } from "../../../db/owner";
import { events, outages } from "../../../db/schema";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import {
  belongingFields,
  boolean,
  checkErrorCode,
  component,
  errorDetail,
  id,
  integer,
  nullable,
  number,
  oneOf,
  optional,
  text,
  time,
} from "../../../server/answers";
import { DAY } from "../../../shared/limits";
import {
  eventKindsOf,
  OUTAGE_KINDS,
  type OutageKind,
  outageMeanings,
  type OutageCause as StoredCause,
  type TargetType,
} from "../../../shared/notifications";
import { partFields, presentPart } from "../facts";
import { readWithin } from "../maintenance/within";
import { targetName } from "../targets";
import { acknowledgedField, presentAcknowledgement } from "./acknowledge/service";
import { type Explaining, explainingField, readExplaining } from "./explaining";
import { isOfTarget } from "./list/filter";
import { noteField, presentNote } from "./note";

type Store = Pick<Deps, "db" | "clock">;

/** Outages in the details of a monitor or server. */
const LATEST = 20;

const CAUSES = [
  "agent_silent",
  "agent_rebooted",
  "agent_disk_full",
  "shared_address",
  "shared_host",
  "shared_domain",
] as const satisfies StoredCause["kind"][];

export const OutageCause = component("OutageCause", {
  kind: oneOf(
    "`agent_*`: the server that runs the target is silent, was restarted, or has a full disk; `shared_*`: others on the same address, host or domain have an outage, too.",
    CAUSES,
  ),
  agent_id: nullable(id("The server's id; null for `shared_*`.", 5)),
  name: nullable(text("The server's name; null for `shared_*`.", "web-1")),
  at: nullable(time("When it last reported or was started; null for other kinds.")),
  mount: nullable(text("The mount point of the full disk, where it is known.", "/var"), null),
  percent: nullable(number("How full it is, in percent.", 99.5), null),
  value: nullable(text("The address, host or domain that is shared; null for `agent_*`.", "203.0.113.7"), null),
  others: nullable(integer("How many others share it and have an outage.", 5), null),
  total: nullable(integer("How many active monitors are on it, where that is known.", 6), null),
});

const NO_CAUSE = {
  agent_id: null,
  name: null,
  at: null,
  mount: null,
  percent: null,
  value: null,
  others: null,
  total: null,
};

/** A cause as the API answers it: with all fields, regardless of its kind. */
export const presentCause = (cause: StoredCause): Static<typeof OutageCause> => {
  if ("value" in cause) return { ...NO_CAUSE, ...cause };
  const { kind, agentId, name } = cause;
  const server = { ...NO_CAUSE, kind, agent_id: agentId, name };
  return "at" in cause
    ? { ...server, at: isoTime(cause.at), total: ("total" in cause && cause.total) || null }
    : { ...server, mount: cause.mount, percent: cause.percent };
};

/** When the target of an outage was last known to be well, in every answer with the start of the outage. */
export const startedAfterField = nullable(
  time(
    "When its target was last known to be well: the outage began between this time and its start. Null where its start is exact or nothing is known of the time before.",
    "2026-01-15T12:04:00.000Z",
  ),
);

export const Outage = component("Outage", {
  id: id("The outage's id.", 12),
  target_type: oneOf("The kind of target.", ["monitor", "agent"]),
  target_id: id("The target's id.", 3),
  target_name: text("Its name.", "Payments API"),
  kind: oneOf(outageMeanings(), OUTAGE_KINDS),
  ...partFields,
  started_at: time(
    "When it began: the time of the first failed check, or of the first report or ping that was missing.",
    "2026-01-15T12:05:00.000Z",
  ),
  started_after: startedAfterField,
  ended_at: nullable(
    time(
      "When it ended: the time of the first check that succeeded, or of pausing the monitor; null while it is open.",
    ),
  ),
  error_code: checkErrorCode("Why the first check failed; null for servers."),
  error_detail: nullable(errorDetail(30, "seconds"), null),
  last_error_code: checkErrorCode("Why the last check failed; null for servers."),
  checks_failed: nullable(
    integer(
      "How many checks failed, or how often a ping of a heartbeat was missing or reported a failure; null for servers.",
      15,
    ),
  ),
  cause: nullable(OutageCause),
  explained_by: nullable(
    id("The outage of something that it depends on, which explains it: it has no messages of its own.", 11),
    null,
  ),
  explaining: explainingField,
  acknowledged: acknowledgedField,
  note: noteField,
  flapping: boolean("Whether its target changed so often that single changes were not sent.", false),
  maintenance: optional(boolean("True for one that was in maintenance all the time.", true)),
});

export type StoredOutage = typeof outages.$inferSelect;

/**
 * The condition of a join of open outages with their latest opening events: an outage of a plan continues with each threshold.
 */
export const isLatestOpening: SQL = sql`${events.id} = (select max(e.id) from ${events} as e
  where e.target_type = ${outages.targetType} and e.target_id = ${outages.targetId} and e.subject = ${outages.subject}
    and e.kind = case ${outages.kind} ${sql.join(
      OUTAGE_KINDS.map((kind) => sql`when ${kind} then ${eventKindsOf(kind).opening}`),
      sql` `,
    )} end and e.at >= ${outages.startedAt} and not e.drill)`;

const present = (
  outage: StoredOutage,
  name: string,
  { explaining, isWithin, now }: { explaining: Explaining | null; isWithin: boolean; now: number },
): Static<typeof Outage> => ({
  id: outage.id,
  target_type: outage.targetType,
  target_id: outage.targetId,
  target_name: name,
  kind: outage.kind,
  ...presentPart(outage),
  started_at: isoTime(outage.startedAt),
  started_after: isoTimeOrNull(outage.startedAfter),
  ended_at: isoTimeOrNull(outage.endedAt),
  error_code: outage.errorCode,
  error_detail: outage.errorDetail,
  last_error_code: outage.lastErrorCode,
  checks_failed: outage.checksFailed,
  cause: outage.cause && presentCause(outage.cause),
  explained_by: outage.explainedBy,
  explaining,
  acknowledged: presentAcknowledgement(outage, now),
  note: presentNote(outage),
  flapping: outage.flapping,
  ...(isWithin && { maintenance: true }),
});

/** The order of lists: newest first. */
const NEWEST = [desc(outages.startedAt), desc(outages.id)];

const selectRows = ({ db }: Store, condition: SQL | undefined, limit: number) =>
  db
    .select({ outage: outages, name: targetName(outages.targetType, outages.targetId) })
    .from(outages)
    .where(condition)
    .orderBy(...NEWEST)
    .limit(limit);

const presentRows = async (
  store: Store,
  rows: Awaited<ReturnType<typeof selectRows>>,
): Promise<Static<typeof Outage>[]> => {
  const stored = rows.map(({ outage }) => outage);
  const explainingOf = await readExplaining(store, stored);
  const isWithin = await readWithin(store, stored);
  const now = store.clock.now();
  return rows.map(({ outage, name }) =>
    present(outage, name, { explaining: explainingOf(outage), isWithin: isWithin(outage), now }),
  );
};

/** The newest outages that satisfy a condition, with their rows. */
export const readNewest = async (store: Store, condition: SQL | undefined, limit: number) => {
  const rows = await selectRows(store, condition, limit);
  const presented = await presentRows(store, rows);
  return presented.map((outage, index) => ({ outage, row: (rows[index] as (typeof rows)[number]).outage }));
};

/** The fields of one outage: the list's, and its owner. */
export const OutageDetail = component("OutageDetail", {
  ...Outage.properties,
  ...belongingFields,
});

/**
 * An outage that a viewer sees, and its row.
 * @throws {AppError} not_found
 */
export const readOutage = async (
  store: Store,
  viewer: Viewer,
  outageId: number,
): Promise<{ outage: Static<typeof OutageDetail>; row: StoredOutage }> => {
  const [found] = await selectRows(store, and(eq(outages.id, outageId), visibleTo(outages, viewer)), 1);
  if (!found) throw notFound("Outage");
  const row = found.outage;
  const [outage] = await presentRows(store, [found]);
  const belonging = (await readBelongings(store, viewer, [row]))(row);
  return { outage: { ...(outage as Static<typeof Outage>), ...belonging }, row };
};

/** The latest outages of a monitor or agent, newest first. */
export const latestOutages = async (
  store: Store,
  type: TargetType,
  targetId: number,
): Promise<Static<typeof Outage>[]> => {
  const latest = await readNewest(store, isOfTarget(type, targetId), LATEST);
  return latest.map(({ outage }) => outage);
};

/** An outage of a server as its own screen shows it. */
export const ServerOutage = component("ServerOutage", {
  ...Outage.properties,
  figure: nullable(
    number("While it is open, the figure that crossed its threshold: percent, °C, load per core, or days.", 96.5),
    null,
  ),
  threshold: nullable(number("The threshold in the same.", 90), null),
});

/** The latest outages of a server, newest first, open ones with the figures of the event that last opened them. */
export const latestServerOutages = async (store: Store, id: number): Promise<Static<typeof ServerOutage>[]> => {
  const [latest, figures] = await Promise.all([
    latestOutages(store, "agent", id),
    store.db
      .select({ id: outages.id, figure: events.figure, threshold: events.threshold })
      .from(outages)
      .innerJoin(events, isLatestOpening)
      .where(and(isOfTarget("agent", id), isNull(outages.endedAt))),
  ]);
  const figuresOf = new Map(figures.map((one) => [one.id, one]));
  return latest.map((outage) => {
    const { figure = null, threshold = null } = figuresOf.get(outage.id) ?? {};
    return { ...outage, figure, threshold };
  });
};

const SWEEP_ROWS = 5000;

/**
 * Deletes one batch of outages that ended before the retention of hourly sums; open ones stay. Returns whether more are
 * left.
 */
export const deleteExpiredOutages = async ({
  db,
  clock,
  config,
}: Pick<Deps, "db" | "clock" | "config">): Promise<boolean> => {
  const before = clock.now() - config.retention.hourDays * DAY;
  const deleted = await db.rows(sql`delete from ${outages} where id in
    (select id from ${outages} where ended_at < ${before} limit ${SWEEP_ROWS}) returning 1 as gone`);
  return deleted.length === SWEEP_ROWS;
};

/** The condition that any outage of a target is open. `targetId` may be a column. */
export const hasOpenOutage = (type: TargetType, targetId: SQLWrapper): SQL =>
  sql`exists (select 1 from ${outages} as o where o.target_type = ${type} and o.target_id = ${targetId}
    and o.ended_at is null)`;

/** The subquery for the number of open outages of a target. `targetId` may be a column. */
export const countOpen = (type: TargetType, targetId: SQLWrapper) =>
  sql<number>`(select count(*) from ${outages} as o where o.target_type = ${type} and o.target_id = ${targetId}
    and o.ended_at is null)`.mapWith(Number);

/** The subquery for the start of the open outage of a target without a subject; null without one. `targetId` may be a column. */
export const openSince = (type: TargetType, targetId: SQLWrapper, kind: OutageKind) =>
  sql<
    number | null
  >`(select o.started_at from ${outages} as o where o.target_type = ${type} and o.target_id = ${targetId}
    and o.kind = ${kind} and o.subject = '' and o.ended_at is null)`.mapWith(Number);
