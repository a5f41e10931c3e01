import { and, asc, eq, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { type Viewer, visibleTo } from "../../db/owner";
import { agents, agentStates as states } from "../../db/schema";
import { inByteOrder } from "../../db/sql";
import { hasOpenOutage } from "../alerting/outages/service";
import type { WantedTag } from "../tags/model";
import { matches } from "./service";

/** The servers that report and have no open outage: the number of all, and the names of the first `limit` by name. */
export const readWellServers = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  { tags, limit }: { tags: readonly WantedTag[]; limit: number },
): Promise<{ total: number; names: string[] }> => {
  const rows = await db
    .select({ name: agents.name, total: sql`count(*) over ()`.mapWith(Number) })
    .from(agents)
    .innerJoin(states, eq(states.agentId, agents.id))
    .where(
      and(
        visibleTo(agents, viewer),
        matches(viewer, { tags, status: "active" }),
        sql`not ${hasOpenOutage("agent", agents.id)}`,
      ),
    )
    .orderBy(inByteOrder(agents.nameKey), asc(agents.id))
    .limit(limit);
  return { total: rows[0]?.total ?? 0, names: rows.map(({ name }) => name) };
};
