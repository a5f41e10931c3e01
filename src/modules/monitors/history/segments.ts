/** The history of a monitor in days and hours, the newest first, for readers that read single checks only where they have to. */
import { and, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { checkDays, checkHours, monitorStates as states } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { DAY, HOUR } from "../../../shared/limits";
import { scanPack } from "./pack";

/** Figures of the checks of a day or an hour that need no reading of the checks. */
export type Segment = {
  /** Its hours, first and last. */
  first: number;
  last: number;
  /** False when its checks have to be read: the sums are not complete, or a check failed. */
  isUp: boolean;
  up: number;
  answered: number;
  totalTime: number;
};

const HOURS_A_DAY = DAY / HOUR;
/** Days whose hours are read by one query. */
const DAYS_AT_ONCE = 14;

type Sums = Pick<Segment, "up" | "answered" | "totalTime"> & { bucket: number; down: number };

const readSums = async (
  { db }: Pick<Deps, "db">,
  table: typeof checkHours | typeof checkDays,
  monitorId: number,
  buckets: readonly number[],
): Promise<Map<number, Sums>> => {
  const { bucket, up, down, answered, totalTime } = table;
  const rows = await db
    .select({ bucket, up, down, answered, totalTime })
    .from(table)
    .where(and(eq(table.monitorId, monitorId), isOneOf(bucket, buckets)));
  return new Map(rows.map((row) => [row.bucket, row]));
};

/** The hours of the checks in a monitor's pack: their sums are not stored yet. With a clock that was set back, any hours. */
const readPackedHours = async ({ db }: Pick<Deps, "db">, monitorId: number): Promise<Set<number>> => {
  const [state] = await db.select({ pack: states.pack }).from(states).where(eq(states.monitorId, monitorId));
  const hours = new Set<number>();
  if (state?.pack) scanPack(state.pack, (at) => hours.add(Math.floor(at / HOUR)));
  return hours;
};

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The segments of a monitor's checks before a time. Each list has a day, or the hours of one. */
export async function* segmentsBefore(
  { db, clock, config }: Deps,
  monitorId: number,
  before: number,
): AsyncGenerator<Segment[]> {
  const now = clock.now();
  // With a clock that was set back, checks may be later than now.
  const newest = Math.floor(Math.min(before, now + DAY) / HOUR);
  const oldest = Math.floor(now / HOUR) - config.retention.checkDays * HOURS_A_DAY;
  if (newest < oldest) return;
  const packed = await readPackedHours({ db }, monitorId);
  const dayOf = (hour: number) => Math.floor(hour / HOURS_A_DAY);
  const packedDays = new Set([...packed].map(dayOf));
  const [lastDay, firstDay] = [dayOf(newest), dayOf(oldest)];
  const days = await readSums({ db }, checkDays, monitorId, range(firstDay, lastDay));
  const isWhole = (day: number) => day < lastDay && day > firstDay && !packedDays.has(day);
  const hasHours = (day: number) => !isWhole(day) || (days.get(day)?.down ?? 0) > 0;

  let hours = new Map<number, Sums>();
  let readFrom = lastDay + 1;
  for (let day = lastDay; day >= firstDay; day--) {
    const sums = days.get(day);
    if (!hasHours(day)) {
      const [first, last] = [day * HOURS_A_DAY, (day + 1) * HOURS_A_DAY - 1];
      if (sums) yield [{ first, last, isUp: true, up: sums.up, answered: sums.answered, totalTime: sums.totalTime }];
      continue;
    }
    if (day < readFrom) {
      readFrom = Math.max(firstDay, day - DAYS_AT_ONCE + 1);
      const wanted = range(readFrom, day).filter(hasHours);
      hours = await readSums(
        { db },
        checkHours,
        monitorId,
        wanted.flatMap((each) => range(each * HOURS_A_DAY, (each + 1) * HOURS_A_DAY - 1)),
      );
    }
    yield range(Math.max(oldest, day * HOURS_A_DAY), Math.min(newest, (day + 1) * HOURS_A_DAY - 1))
      .reverse()
      .flatMap((hour): Segment[] => {
        const sumsOfHour = hours.get(hour);
        if (!sumsOfHour && !packed.has(hour)) return [];
        const { up = 0, down = 1, answered = 0, totalTime = 0 } = sumsOfHour ?? {};
        return [
          { first: hour, last: hour, isUp: down === 0 && !packed.has(hour) && hour < newest, up, answered, totalTime },
        ];
      });
  }
}
