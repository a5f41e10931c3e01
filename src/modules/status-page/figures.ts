import { and, gte, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { checkDays, checkHours } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { bucketsSince } from "../../lib/time";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import { STATUS_DAYS } from "../../shared/status-page";

type Store = Pick<Deps, "db" | "clock">;
type Sum = { up: number; down: number };

/** What a monitor's past comes to: its checks of each day by day number, and those of the last 24 hours and 7 days. */
export type Figures = { days: Map<number, Sum>; last24h: Sum; last7d: Sum };

/** The share of up checks in percent, or null without a check. */
export const shareOf = ({ up, down }: Sum): number | null =>
  up + down === 0 ? null : Math.round((up / (up + down)) * 100_000) / 1000;

const plus = (a: Sum, b: Sum | undefined): Sum => ({ up: a.up + (b?.up ?? 0), down: a.down + (b?.down ?? 0) });
const nothing: Sum = { up: 0, down: 0 };

/** The sum over some days, today included. */
export const sumOf = ({ days }: Figures, today: number, count: number): Sum => {
  let total = nothing;
  for (let day = today - count + 1; day <= today; day++) total = plus(total, days.get(day));
  return total;
};

const readDays = ({ db }: Store, ids: number[], days: number[]) =>
  db
    .select({ id: checkDays.monitorId, bucket: checkDays.bucket, up: checkDays.up, down: checkDays.down })
    .from(checkDays)
    .where(and(isOneOf(checkDays.bucket, days), isOneOf(checkDays.monitorId, ids)));

/** Sums of some hours by monitor, and of those from an hour on. */
const readHours = ({ db }: Store, ids: number[], hours: number[], from: number) => {
  const late = (column: typeof checkHours.up | typeof checkHours.down) =>
    sql`coalesce(sum(case when ${gte(checkHours.bucket, from)} then ${column} else 0 end), 0)`.mapWith(Number);
  return db
    .select({
      id: checkHours.monitorId,
      up: sql`sum(${checkHours.up})`.mapWith(Number),
      down: sql`sum(${checkHours.down})`.mapWith(Number),
      lateUp: late(checkHours.up),
      lateDown: late(checkHours.down),
    })
    .from(checkHours)
    .where(and(isOneOf(checkHours.bucket, hours), isOneOf(checkHours.monitorId, ids)))
    .groupBy(checkHours.monitorId);
};

const read = async (store: Store, ids: number[], days: number[], hours: number[], from: number) => {
  const figures = new Map<number, Figures>(
    ids.map((id) => [id, { days: new Map(), last24h: nothing, last7d: nothing }]),
  );
  for (const { id, bucket, up, down } of await readDays(store, ids, days))
    figures.get(id)?.days.set(bucket, { up, down });
  for (const { id, up, down, lateUp, lateDown } of await readHours(store, ids, hours, from)) {
    const found = figures.get(id);
    if (found) Object.assign(found, { last7d: { up, down }, last24h: { up: lateUp, down: lateDown } });
  }
  return figures;
};

type Kept = { key: string; until: number; figures: Map<number, Figures> };
const KEEP_PAST = 5 * MINUTE;

/**
 * The figures of some monitors. What is over hardly ever changes: a reader that is kept between calls reads it once
 * in five minutes, and the hour and the day under way each time.
 */
export const createFigureReader = (store: Store) => {
  let kept: Kept | undefined;
  return async (ids: number[]): Promise<Map<number, Figures>> => {
    const now = store.clock.now();
    const [hour, today] = [Math.floor(now / HOUR), Math.floor(now / DAY)];
    const key = `${hour}:${ids}`;
    if (kept?.key !== key || kept.until <= now || kept.until > now + KEEP_PAST) {
      const days = bucketsSince(now - (STATUS_DAYS - 1) * DAY, now, DAY).slice(0, -1);
      const hours = bucketsSince(now - 7 * DAY + HOUR, now, HOUR).slice(0, -1);
      kept = { key, until: now + KEEP_PAST, figures: await read(store, ids, days, hours, hour - 23) };
    }
    const past = kept.figures;
    const current = await read(store, ids, [today], [hour], hour);
    return new Map(
      [...current].map(([id, { days, last24h, last7d }]) => {
        const before = past.get(id);
        return [
          id,
          {
            days: new Map([...(before?.days ?? []), ...days]),
            last24h: plus(last24h, before?.last24h),
            last7d: plus(last7d, before?.last7d),
          },
        ];
      }),
    );
  };
};
