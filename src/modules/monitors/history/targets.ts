/** What alerting reads of monitors. */
import { and, eq, sql } from "drizzle-orm";
import { ownedBy } from "../../../db/owner";
import { monitorStates, monitors, recentChecks } from "../../../db/schema";
import { isOneOf, withValues } from "../../../db/sql";
import { PASSIVE_KINDS } from "../../../shared/monitor";
import type { viewOf } from "../../alerting/targets";
import { failuresInRow, lastFailure } from "./pack";
import { readWatching, wasPausedAt } from "./pauses";
import { readRuns } from "./runs";

const PLACE = { nth: "integer", team_id: "bigint", host: "text", pattern: "text" } as const;

const isPassive = (kind: string): boolean => PASSIVE_KINDS.includes(kind);

export const monitorTargets: ReturnType<typeof viewOf<"monitor">> = {
  table: monitors,
  readOwn: async ({ db }, id, teamId) => {
    const [row] = await db
      .select({ name: monitors.name })
      .from(monitors)
      .where(and(eq(monitors.id, id), ownedBy(monitors, teamId)));
    return row?.name;
  },
  readWatching,
  isPaused: (id) => sql`exists (select 1 from ${monitors} as m where m.id = ${id} and not m.active)`,
  isChecked: (id) =>
    sql`exists (select 1 from ${monitors} as m where m.id = ${id} and not ${isOneOf(sql`m.kind`, PASSIVE_KINDS)})`,
  read: async ({ db }, ids) => {
    if (ids.length === 0) return new Map();
    const { id, kind, host, target, interval, active } = monitors;
    const rows = await db
      .select({ id, kind, host, target, interval, active, lastCheckedAt: monitorStates.lastCheckedAt })
      .from(monitors)
      .innerJoin(monitorStates, eq(monitorStates.monitorId, id))
      .where(isOneOf(id, ids));
    return new Map(
      rows.map(({ id, kind, target, active, ...row }) => [
        id,
        // The target of a heartbeat, which has no host, is its schedule.
        { ...row, address: row.host === "" ? null : target, isPassive: isPassive(kind), isActive: active },
      ]),
    );
  },
  countOn: async ({ db }, places, checkedAfter = 0) => {
    const counts = places.map(() => ({ total: 0, up: 0 }));
    for (const isDomain of [false, true]) {
      const wanted = places.flatMap((place, nth) =>
        place.isDomain === isDomain
          ? [[nth, place.teamId, place.value, `%.${place.value.replace(/[\\%_]/g, "\\$&")}`]]
          : [],
      );
      if (wanted.length === 0) continue;
      // One condition each, so that hosts are found by their index.
      const isThere = isDomain ? sql`(m.host = p.host or m.host like p.pattern escape '\\')` : sql`m.host = p.host`;
      const rows = await db.rows(sql`${withValues("p", PLACE, wanted)} select p.nth, count(*) as total,
          sum(case when s.status = 'up' and s.last_checked_at > ${checkedAfter} then 1 else 0 end) as up
        from p join ${monitors} as m on m.team_id = p.team_id and m.active and ${isThere}
        join ${monitorStates} as s on s.monitor_id = m.id group by p.nth`);
      for (const { nth, total, up } of rows) counts[Number(nth)] = { total: Number(total), up: Number(up) };
    }
    return counts;
  },
  readFailures: async ({ db }, ids) => {
    if (ids.length === 0) return new Map();
    const rows = await db
      .select({ id: monitors.id, kind: monitors.kind, pack: monitorStates.pack, tail: recentChecks.checks })
      .from(monitors)
      .innerJoin(monitorStates, eq(monitorStates.monitorId, monitors.id))
      .leftJoin(recentChecks, eq(recentChecks.monitorId, monitors.id))
      .where(isOneOf(monitors.id, ids));
    return new Map(
      rows.map(({ id, kind, ...packs }) => [
        id,
        { error: lastFailure(packs), inRow: isPassive(kind) ? 0 : failuresInRow(packs) },
      ]),
    );
  },
  readFailedRuns: async (deps, id, span) => (await readRuns(deps, id, { status: "down", ...span })).runs,
  wasPausedAt,
};
