/**
 * The response times of many monitors in a span: from sums of its whole days (UTC) and of the hours at its ends, and from
 * checks that are in no sum yet.
 */
import { sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { checkDays, checkHours } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { unionPacks } from "../../../../history/read";
import type { Interval } from "../../../../lib/intervals";
import { bucketsSince } from "../../../../lib/time";
import { DAY, HOUR } from "../../../../shared/limits";
import { checkPack } from "../pack";
import { checkShape } from "../shape";
import { addSums, daySums, type Sums, sumOf } from "../sums";

/** Monitors that are read at once: others wait no longer than that takes. */
const BATCH = 50;
/** Checks are moved to sums within this time. */
const SUMMED_AFTER = 2 * HOUR;

/** The numbers of the whole days of a span, and of the other hours that begin in it. */
const bucketsOf = ({ from, to }: Interval): { days: number[]; hours: number[] } => {
  const isWhole = (day: number) => day * DAY >= from && (day + 1) * DAY <= to;
  return {
    days: bucketsSince(from, to - 1, DAY).filter(isWhole),
    hours: bucketsSince(from, to - 1, HOUR).filter((hour) => hour * HOUR >= from && !isWhole(Math.floor(hour / 24))),
  };
};

/** Reads the sums of monitors in a span. Monitors without checks in it are left out. */
export const readSpanSums = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  monitorIds: readonly number[],
  span: Interval,
): Promise<Map<number, Sums>> => {
  const { days, hours } = bucketsOf(span);
  const names = Object.keys(daySums.columns);
  const columns = sql.raw(`monitor_id, ${names.join(", ")}, cast(null as bytea) as pack`);
  const isRecent = span.to > clock.now() - SUMMED_AFTER;
  const sums = new Map<number, Sums>();
  for (let first = 0; first < monitorIds.length; first += BATCH) {
    const ids = monitorIds.slice(first, first + BATCH);
    const stored = sql`select ${columns} from ${checkDays}
        where ${isOneOf(checkDays.bucket, days)} and ${isOneOf(checkDays.monitorId, ids)}
      union all select ${columns} from ${checkHours}
        where ${isOneOf(checkHours.bucket, hours)} and ${isOneOf(checkHours.monitorId, ids)}`;
    const rows = await db.rows(unionPacks(checkShape, stored, names.length, ids));
    for (const [id, own] of Map.groupBy(rows, (row) => Number(row.monitor_id))) {
      const parts = own.flatMap((row): Sums[] => {
        if (row.pack === null) return [daySums.read(row, 0) ?? []].flat();
        if (!isRecent) return [];
        const { rows: checks } = checkPack.decode(row.pack as Uint8Array);
        return [sumOf(checks.filter(({ checkedAt }) => checkedAt >= span.from && checkedAt < span.to))];
      });
      if (parts.length > 0) sums.set(id, parts.length === 1 ? (parts[0] as Sums) : addSums(parts));
    }
  }
  return sums;
};
