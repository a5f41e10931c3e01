import { and, asc, eq, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import type { Viewer } from "../../db/owner";
import { monitors, monitorStates as states } from "../../db/schema";
import { inByteOrder } from "../../db/sql";
import { hasOpenOutage } from "../alerting/outages/service";
import type { WantedTag } from "../tags/model";
import { mayHaveLostPing } from "./heartbeats/unknown";
import { conditionOf } from "./list-query";

/**
 * The monitors that are up and have no open outage: the number of all, and the names of the first `limit` by name. `unknown`
 * is the number of further ones whose ping may have been lost.
 */
export const readWellMonitors = async (
  deps: Pick<Deps, "db" | "clock" | "watching">,
  viewer: Viewer,
  { tags, limit }: { tags: readonly WantedTag[]; limit: number },
): Promise<{ total: number; unknown: number; names: string[] }> => {
  const { db, clock } = deps;
  const mayBeLost = mayHaveLostPing(clock.now());
  const isUp = and(
    conditionOf(deps, viewer, { tags, status: "up" }),
    sql`not ${hasOpenOutage("monitor", monitors.id)}`,
  );
  const rows = await db
    .select({ name: monitors.name, total: sql`count(*) over ()`.mapWith(Number) })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, monitors.id))
    .where(and(isUp, sql`not ${mayBeLost}`))
    .orderBy(inByteOrder(monitors.nameKey), asc(monitors.id))
    .limit(limit);
  const [lost] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, monitors.id))
    .where(and(isUp, mayBeLost));
  return { total: rows[0]?.total ?? 0, unknown: lost?.count ?? 0, names: rows.map(({ name }) => name) };
};
