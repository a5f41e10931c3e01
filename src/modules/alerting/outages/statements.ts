/**
 * The statements that open, extend, close and delete outages. They run in the transaction of the change that they
 * describe, after the state of the target is locked, so that an outage is never written without its change.
 */
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Queries, Statement } from "../../../db/database";
import { outages } from "../../../db/schema";
import { withValues } from "../../../db/sql";
import type { CheckErrorCode, ErrorDetail } from "../../../shared/check-error";
import type { OutageKind, TargetType } from "../../../shared/notifications";

/** The columns of an outage, in the order of the selects of other modules. */
const COLUMNS = sql.raw(
  "user_id, target_type, target_id, kind, started_at, error_code, error_detail, last_error_code, checks_failed, address, facts",
);

/** The columns of an outage of a server that is about one of its parts, or that has facts. */
const PART_COLUMNS = sql.raw("user_id, target_type, target_id, kind, subject, facts, started_at");

/**
 * Opens outages, and counts one more failed check of those that are open. `select` gives user_id, target_type,
 * target_id, kind, started_at, error_code, error_detail, last_error_code, checks_failed, address and facts, at most one row for
 * each target and kind, and ends in a condition; `before` may hold a common table expression. The facts describe its beginning.
 */
export const openOutages = (select: SQL, before: SQL = sql``): SQL =>
  sql`${before} insert into ${outages} (${COLUMNS}) ${select}
    on conflict (target_type, target_id, kind, subject) where ended_at is null
    do update set checks_failed = ${outages.checksFailed} + 1, last_error_code = excluded.last_error_code,
      address = coalesce(excluded.address, ${outages.address})`;

/**
 * Opens outages of servers by their subjects, and brings the facts of those that are open up to date. `select` gives
 * user_id, target_type, target_id, kind, subject, facts and started_at, at most one row for each target, kind and subject,
 * and ends in a condition.
 */
export const openOutagesBySubject = (select: SQL, before: SQL = sql``): SQL =>
  sql`${before} insert into ${outages} (${PART_COLUMNS}) ${select}
    on conflict (target_type, target_id, kind, subject) where ended_at is null
    do update set facts = coalesce(excluded.facts, ${outages.facts})`;

/**
 * Closes the open outages that `select` names by target_type, target_id, kind and ended_at, and that have the subject. An
 * outage that would end before its start, because the clock was set back, ends at its start. The outages are found first,
 * one by one by their index: otherwise SQLite compares all open ones with each change.
 */
const close = (select: SQL, before: SQL, subject: SQL): SQL =>
  sql`${before} update ${outages}
    set ended_at = case when c.ended_at > ${outages.startedAt} then c.ended_at else ${outages.startedAt} end
    from (with found as materialized (
      select o.id, e.ended_at from (${select}) as e cross join ${outages} as o
      where o.target_type = e.target_type and o.target_id = e.target_id and o.kind = e.kind and o.subject = ${subject}
        and o.ended_at is null)
      select id, ended_at from found) as c
    where ${outages.id} = c.id`;

/**
 * Closes open outages without a subject. `select` gives target_type, target_id, kind and ended_at; `before` may hold a
 * common table expression.
 */
export const closeOutages = (select: SQL, before: SQL = sql``): SQL => close(select, before, sql`''`);

/** Closes open outages by their subjects: `select` also gives `subject`. */
export const closeOutagesBySubject = (select: SQL, before: SQL = sql``): SQL => close(select, before, sql`e.subject`);

/** Changes the reason of open outages, such as the days that are left in it. */
export const describeOutages = (
  rows: readonly { outageId: number; code: CheckErrorCode; detail: ErrorDetail | null }[],
): SQL => {
  const columns = { outage_id: "bigint", error_code: "text", error_detail: "json" } as const;
  const values = withValues(
    "v",
    columns,
    rows.map(({ outageId, code, detail }) => [outageId, code, detail]),
  );
  return sql`${values} update ${outages} set error_code = v.error_code, error_detail = v.error_detail, last_error_code = v.error_code
    from v where ${outages.id} = v.outage_id and ${outages.endedAt} is null`;
};

/** The subquery for the start of the open outage of a target without a subject; null without one. `targetId` may be a column. */
export const openSince = (type: TargetType, targetId: SQLWrapper, kind: OutageKind) =>
  sql<
    number | null
  >`(select o.started_at from ${outages} as o where o.target_type = ${type} and o.target_id = ${targetId}
    and o.kind = ${kind} and o.subject = '' and o.ended_at is null)`.mapWith(Number);

/** Deletes the outages of deleted targets; `ids` is a list or a selection in parentheses. */
export const purgeOutages = (tx: Queries, type: TargetType, ids: SQL): Statement =>
  tx.delete(outages).where(and(eq(outages.targetType, type), sql`${outages.targetId} in ${ids}`));
