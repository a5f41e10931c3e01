import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Queries, Statement } from "../../db/database";
import { events, notificationSettings } from "../../db/schema";
import type { TargetType } from "../../shared/alerts";

/** The columns of an event, in the order in which a statement of another module selects them. */
const COLUMNS = sql.raw(
  "user_id, kind, target_type, target_id, target_name, at, since, error, figure, threshold, mount",
);

/**
 * A statement that writes events down, to stand in the transaction of the change that they tell of. `select` gives
 * user_id, kind, target_type, target_id, target_name, at, since, error, figure, threshold, mount, and ends in a
 * condition; `before` may hold a common table expression.
 */
export const writeEvents = (select: SQL, before: SQL = sql``): SQL =>
  sql`${before} insert into ${events} (${COLUMNS}) ${select} on conflict do nothing`;

/** The statements that forget what was told, and was to be told, of something that is deleted. */
export const forgetTarget = (tx: Queries, type: TargetType, id: number): Statement[] => [
  tx.delete(events).where(and(eq(events.targetType, type), eq(events.targetId, id))),
  tx
    .delete(notificationSettings)
    .where(and(eq(notificationSettings.targetType, type), eq(notificationSettings.targetId, id))),
];
