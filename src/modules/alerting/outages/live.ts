import { and, desc, eq, gte, isNull, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { outages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { MINUTE } from "../../../shared/limits";
import type { LiveChange } from "../../../shared/live";
import type { TargetType } from "../../../shared/notifications";

/** Outages that are read after a change of many targets at once; the rest is left to the next poll of the pages. */
const MAX_READ = 500;

/** Passes the outages of targets that are open or have just ended to the pages that are open, if they changed. */
export const publishOutages = async (
  { db, live, clock, log }: Pick<Deps, "db" | "live" | "clock" | "log">,
  type: TargetType,
  targetIds: readonly number[],
  isChanged: (outage: typeof outages.$inferSelect) => boolean = () => true,
): Promise<void> => {
  if (targetIds.length === 0 || !live.watched()) return;
  const isRecent = or(isNull(outages.endedAt), gte(outages.endedAt, clock.now() - MINUTE));
  try {
    const rows = await db
      .select()
      .from(outages)
      .where(and(eq(outages.targetType, type), isOneOf(outages.targetId, targetIds), isRecent))
      .orderBy(desc(outages.id))
      .limit(MAX_READ);
    live.publish(
      rows
        .filter(isChanged)
        .reverse()
        .map(
          (row): LiveChange => ({
            event: "outage",
            teamId: row.teamId,
            data: {
              id: row.id,
              status: row.endedAt === null ? "open" : "ended",
              target_type: type,
              target_id: row.targetId,
              kind: row.kind,
              started_at: isoTime(row.startedAt),
              ended_at: isoTimeOrNull(row.endedAt),
              error_code: row.errorCode,
              error_detail: row.errorDetail,
            },
          }),
        ),
    );
  } catch (error) {
    log.warn("outages were not sent to open pages", { error: describeError(error) });
  }
};
