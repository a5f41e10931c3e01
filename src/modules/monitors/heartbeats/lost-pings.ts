/**
 * The unknown times of heartbeats. The hub may have missed a ping: the state is unknown from the time the ping was expected
 * until the next one arrives or is missing.
 */
import { and, gt, lt, type SQL, sql } from "drizzle-orm";
import { readGaps } from "../../../cluster/gaps";
import type { Deps } from "../../../core/deps";
import { heartbeats, lostPings } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { type Interval, mergeIntervals, subtractIntervals } from "../../../lib/intervals";
import type { UnknownReason } from "../../../shared/outages/unknown";

/** `to` is null while it lasts. */
export type UnknownTime = { from: number; to: number | null; reason: UnknownReason };

/** The statement that stores the unknown time of a heartbeat, if there is one, as ended. */
export const endLostPing = (monitorId: number, now: number): SQL =>
  sql`insert into ${lostPings} (monitor_id, started_at, ended_at)
    select monitor_id, unknown_since, cast(${now} as bigint) from ${heartbeats}
    where monitor_id = ${monitorId} and unknown_since < ${now} on conflict do nothing`;

/** Reads the unknown times of heartbeats that overlap a span, by monitor. Monitors without one are left out. */
export const readLostPings = async (
  { db }: Pick<Deps, "db">,
  monitorIds: readonly number[],
  { from, to }: Interval,
): Promise<Map<number, UnknownTime[]>> => {
  const { monitorId: id, startedAt, endedAt } = lostPings;
  const ended = await db
    .select({ id, from: startedAt, to: endedAt })
    .from(lostPings)
    .where(and(isOneOf(id, monitorIds), gt(endedAt, from), lt(startedAt, to)))
    .orderBy(startedAt);
  const lasting = await db
    .select({ id: heartbeats.monitorId, from: heartbeats.unknownSince })
    .from(heartbeats)
    .where(and(isOneOf(heartbeats.monitorId, monitorIds), lt(heartbeats.unknownSince, to)));
  const times = [...ended, ...lasting.map((row) => ({ id: row.id, from: row.from ?? to, to: null }))];
  const byMonitor = Map.groupBy(times, (time) => time.id);
  return new Map(
    [...byMonitor].map(([monitorId, found]) => [
      monitorId,
      found.map((time): UnknownTime => ({ from: time.from, to: time.to, reason: "ping_possibly_lost" })),
    ]),
  );
};

/** Reads when the state of a monitor was unknown, oldest first: the gaps of the hub, and the unknown time beside them. */
export const readUnknownTimes = async (
  deps: Pick<Deps, "db">,
  monitorId: number,
  span: Interval,
  limit?: number,
): Promise<UnknownTime[]> => {
  const gaps = await readGaps(deps, span, limit);
  const lost = (await readLostPings(deps, [monitorId], span)).get(monitorId) ?? [];
  if (lost.length === 0) return gaps;
  const merged = mergeIntervals(gaps.map(({ from, to }) => ({ from, to: to ?? span.to })));
  const beside = lost.flatMap(({ from, to, reason }) =>
    subtractIntervals({ from, to: to ?? Number.POSITIVE_INFINITY }, merged).map((part) => ({
      from: part.from,
      to: Number.isFinite(part.to) ? part.to : null,
      reason,
    })),
  );
  return [...gaps, ...beside].toSorted((a, b) => a.from - b.from).slice(limit === undefined ? 0 : -limit);
};
