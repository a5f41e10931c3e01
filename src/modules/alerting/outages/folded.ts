import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { outages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { type Interval, mergeIntervals } from "../../../lib/intervals";
import { HOUR } from "../../../shared/limits";
import { targetName } from "../targets";

/** Outages of one target in close succession. */
export type FoldedOutage = {
  id: number;
  targetType: "monitor" | "agent";
  targetId: number;
  name: string;
  startedAt: number;
  endedAt: number | null;
  changedAt: number;
  count: number;
  milliseconds: number;
};

/** Outages of one target and day (UTC) that follow each other within this time are one entry. */
export const FOLD = HOUR;

/**
 * The outages of a user's targets that began before `to` and are open or ended after `from`, newest first, at most `limit`. An entry ends at the end of the day of
 * its first outage at the latest, so its id stays the same while the window moves.
 */
export const readFolded = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  teamId: number,
  targets: { monitors: readonly number[]; agents: readonly number[] },
  { from, to, limit }: Interval & { limit: number },
): Promise<FoldedOutage[]> => {
  if (targets.monitors.length + targets.agents.length === 0) return [];
  const now = clock.now();
  // Open and ended ones are read apart, so that the index serves both.
  const columns = sql.raw("id, target_type, target_id, kind, started_at, ended_at");
  const target = sql.raw("target_type, target_id, started_at / 86400000");
  const rows = await db.rows<Record<string, unknown>>(sql`
    with recent as (
      select ${columns} from ${outages} where team_id = ${teamId} and ended_at is null
        and started_at < ${to}
      union all select ${columns} from ${outages} where team_id = ${teamId} and ended_at >= ${from}
        and started_at < ${to}
    ), shown as (
      select recent.*, ${targetName(sql.raw("recent.target_type"), sql.raw("recent.target_id"))} as name from recent
      where recent.kind = 'down' and ${isOneOf(sql.raw("recent.target_id"), targets.monitors)}
        or recent.kind = 'offline' and ${isOneOf(sql.raw("recent.target_id"), targets.agents)}
    ), marked as (
      select *, case when started_at - max(coalesce(ended_at, ${now})) over (
        partition by ${target} order by started_at rows between unbounded preceding and 1 preceding
      ) <= ${FOLD} then 0 else 1 end as is_first from shown
    ), numbered as (
      select *, sum(is_first) over (partition by ${target} order by started_at) as entry from marked
    )
    select min(id) as id, target_type, target_id, name, min(started_at) as started_at, count(*) as count,
      case when count(ended_at) = count(*) then max(ended_at) end as ended_at,
      max(coalesce(ended_at, started_at)) as changed_at,
      sum(coalesce(ended_at, started_at) - started_at) as milliseconds
    from numbered group by ${target}, entry, name
    order by min(started_at) desc, min(id) desc limit ${limit}`);
  return rows.map((row) => ({
    id: Number(row.id),
    targetType: row.target_type as FoldedOutage["targetType"],
    targetId: Number(row.target_id),
    name: String(row.name),
    startedAt: Number(row.started_at),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
    changedAt: Number(row.changed_at),
    count: Number(row.count),
    milliseconds: Number(row.milliseconds),
  }));
};

/** The outages of one target, oldest first; an open one ends at Infinity. */
type TargetOutages = { targetType: FoldedOutage["targetType"]; targetId: number; times: Interval[] };

/** When some targets of a team were down in a span, for each that was. */
export const readDownSpans = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  targets: { monitors: readonly number[]; agents: readonly number[] },
  { from, to }: Interval,
): Promise<TargetOutages[]> => {
  if (targets.monitors.length + targets.agents.length === 0) return [];
  const columns = sql.raw("target_type, target_id, kind, started_at, ended_at");
  const rows = await db.rows<Record<string, unknown>>(sql`
    with recent as (
      select ${columns} from ${outages} where team_id = ${teamId} and ended_at is null and started_at < ${to}
      union all select ${columns} from ${outages} where team_id = ${teamId} and ended_at >= ${from}
        and started_at < ${to}
    )
    select target_type, target_id, started_at, ended_at from recent
    where kind = 'down' and target_type = 'monitor' and ${isOneOf(sql.raw("target_id"), targets.monitors)}
      or kind = 'offline' and target_type = 'agent' and ${isOneOf(sql.raw("target_id"), targets.agents)}
    order by started_at`);
  return [...Map.groupBy(rows, (row) => `${row.target_type} ${row.target_id}`).values()].map((own) => ({
    targetType: own[0]?.target_type as FoldedOutage["targetType"],
    targetId: Number(own[0]?.target_id),
    times: mergeIntervals(
      own.map((row) => ({
        from: Number(row.started_at),
        to: row.ended_at === null ? Number.POSITIVE_INFINITY : Number(row.ended_at),
      })),
    ),
  }));
};
