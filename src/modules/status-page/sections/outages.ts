import type { Static } from "@sinclair/typebox";
import { sql } from "drizzle-orm";
import { agents, monitors, outages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { component, id, integer, nullable, oneOf, text, time } from "../../../server/answers";
import { DAY, HOUR, SECOND } from "../../../shared/limits";
import { PAST_DAYS } from "../../../shared/status-page";
import type { StatusPage } from "../service";
import type { Section, Store } from "./section";

export const PublicOutageSchema = component("PublicOutage", {
  id: id("The id of the first outage that it stands for.", 12),
  target_type: oneOf("The kind of target.", ["monitor", "agent"]),
  target_id: id("The target's id.", 3),
  name: text("The target's name.", "Payments API"),
  started_at: time("When the first outage began.", "2026-01-15T12:05:00.000Z"),
  ended_at: nullable(time("When the last outage ended; null while it is open.")),
  changed_at: time("When the last outage began or ended."),
  count: integer("How many outages it stands for.", 1),
  seconds: integer("How long those that ended lasted together, in seconds.", 900),
});
export type PublicOutage = Static<typeof PublicOutageSchema>;

type OutageRow = {
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
const FOLD = HOUR;
/** Entries of a page. */
const MAX_ENTRIES = 100;

/**
 * The outages of the last days, of what the page shows, newest first. Entries never reach beyond the day in which their
 * first outage began, so an entry keeps its id while the window moves on.
 */
const read = async (
  { db, clock }: Store,
  { userId, monitors: monitorIds, agents: agentIds }: StatusPage,
): Promise<OutageRow[]> => {
  if (monitorIds.length + agentIds.length === 0) return [];
  const now = clock.now();
  const since = (Math.floor(now / DAY) - PAST_DAYS + 1) * DAY;
  // Open and ended ones are read apart, so that the index serves both.
  const columns = sql.raw("id, target_type, target_id, kind, started_at, ended_at");
  const target = sql.raw("target_type, target_id, started_at / 86400000");
  const rows = await db.rows<Record<string, unknown>>(sql`
    with recent as (
      select ${columns} from ${outages} where user_id = ${userId} and ended_at is null
      union all select ${columns} from ${outages} where user_id = ${userId} and ended_at >= ${since}
    ), shown as (
      select recent.*, coalesce(${monitors.name}, ${agents.name}) as name from recent
      left join ${monitors} on recent.target_type = 'monitor' and ${monitors.id} = recent.target_id
      left join ${agents} on recent.target_type = 'agent' and ${agents.id} = recent.target_id
      where recent.kind = 'down' and ${isOneOf(sql.raw("recent.target_id"), monitorIds)}
        or recent.kind = 'offline' and ${isOneOf(sql.raw("recent.target_id"), agentIds)}
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
    order by min(started_at) desc, min(id) desc limit ${MAX_ENTRIES}`);
  return rows.map((row) => ({
    id: Number(row.id),
    targetType: row.target_type as OutageRow["targetType"],
    targetId: Number(row.target_id),
    name: String(row.name),
    startedAt: Number(row.started_at),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
    changedAt: Number(row.changed_at),
    count: Number(row.count),
    milliseconds: Number(row.milliseconds),
  }));
};

/** Past outages: those of one target that follow each other closely are one entry. */
export const outagesSection: Section<"outages", OutageRow, PublicOutage> = {
  key: "outages",
  read,
  present: (row) => ({
    id: row.id,
    target_type: row.targetType,
    target_id: row.targetId,
    name: row.name,
    started_at: isoTime(row.startedAt),
    ended_at: isoTimeOrNull(row.endedAt),
    changed_at: isoTime(row.changedAt),
    count: row.count,
    seconds: Math.round(Math.max(0, row.milliseconds) / SECOND),
  }),
  changedAt: ({ changedAt }) => changedAt,
};
