import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Queries, Statement } from "../../db/database";
import { events, flappingTargets, mutes, notificationRules } from "../../db/schema";
import { lockAlerts } from "../../db/sql";
import type { TargetType } from "../../shared/notifications";
import { purgeDependencies } from "./dependencies/service";

/** The columns of an event, in the order of the selects of other modules. */
const COLUMNS = sql.raw(
  "user_id, kind, target_type, target_id, target_name, at, since, error_code, error_detail, figure, threshold, mount",
);

/** The columns of an event that may be about a part of its target, and has facts instead of a reason. */
const PART_COLUMNS = sql.raw(
  "user_id, kind, target_type, target_id, target_name, subject, facts, at, since, figure, threshold, mount",
);

/**
 * A statement that stores events, to run in the transaction of the change that they describe. `select` gives user_id, kind, target_type, target_id, target_name, at, since, error_code, error_detail, figure, threshold, mount, and ends in a
 * condition; `before` may hold a common table expression.
 */
export const writeEvents = (select: SQL, before: SQL = sql``): SQL =>
  sql`${before} insert into ${events} (${COLUMNS}) ${select} on conflict do nothing`;

/**
 * The same for events with a subject and facts. `select` gives user_id, kind, target_type, target_id, target_name, subject,
 * facts, at, since, figure, threshold, mount.
 */
export const writeEventsBySubject = (select: SQL, before: SQL = sql``): SQL =>
  sql`${before} insert into ${events} (${PART_COLUMNS}) ${select} on conflict do nothing`;

/**
 * The statements that delete the events, deliveries, rules, mutes, dependencies and unstable states of deleted targets; `ids` is a list or
 * a selection in parentheses.
 */
export const purgeTargets = (tx: Queries, type: TargetType, ids: SQL): Statement[] => [
  ...lockAlerts,
  tx.delete(events).where(and(eq(events.targetType, type), sql`${events.targetId} in ${ids}`)),
  tx
    .delete(notificationRules)
    .where(and(eq(notificationRules.targetType, type), sql`${notificationRules.targetId} in ${ids}`)),
  tx
    .delete(flappingTargets)
    .where(and(eq(flappingTargets.targetType, type), sql`${flappingTargets.targetId} in ${ids}`)),
  tx.delete(mutes).where(and(eq(mutes.targetType, type), sql`${mutes.targetId} in ${ids}`)),
  purgeDependencies(tx, type, ids),
];

export const purgeTarget = (tx: Queries, type: TargetType, id: number): Statement[] =>
  purgeTargets(tx, type, sql`(${id})`);
