import type { Deps } from "../../../core/deps";
import { insertMany } from "../../../db/insert-many";
import type { Owner } from "../../../db/owner";
import { outages } from "../../../db/schema";
import { DAY } from "../../../shared/limits";

/** An outage of a monitor that has ended, as another product recorded it. */
type ImportedOutage = { monitorId: number; startedAt: number; endedAt: number; text: string };

/** Adds outages that have ended, without events, so that no messages are sent. Those that have expired are left out. */
export const importOutages = async (
  { db, clock, config }: Pick<Deps, "db" | "clock" | "config">,
  { owner, source }: { owner: Owner; source: string },
  imported: readonly ImportedOutage[],
): Promise<number> => {
  const oldest = clock.now() - config.retention.hourDays * DAY;
  const kept = imported.filter(({ endedAt }) => endedAt >= oldest);
  await insertMany(
    db,
    outages,
    kept.map(({ monitorId, startedAt, endedAt, text }) => ({
      ...{ ...owner, targetType: "monitor" as const, targetId: monitorId, kind: "down" as const, startedAt, endedAt },
      errorCode: "imported" as const,
      errorDetail: { source, text },
      lastErrorCode: "imported" as const,
    })),
  );
  return kept.length;
};
