import { sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { agentStates } from "../../db/schema";
import { isOutdated } from "./present";

/** Different versions that are read. */
const MAX_VERSIONS = 1000;

/** How many servers of all users run an agent that is older than this hub. */
export const countOutdated = async ({ db }: Pick<Deps, "db">): Promise<number> => {
  const version = sql<string | null>`${agentStates.extra} ->> 'agent_version'`.as("version");
  const rows = await db
    .select({ version, count: sql`count(*)`.mapWith(Number) })
    .from(agentStates)
    .groupBy(sql`version`)
    .limit(MAX_VERSIONS);
  return rows.reduce((sum, { version, count }) => sum + (isOutdated(version ?? undefined) ? count : 0), 0);
};
