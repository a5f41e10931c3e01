import { and, eq, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { notificationRules } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { effective, thresholdsOf } from "./effective";
import type { Thresholds } from "./hysteresis";

type AgentOfUser = { agentId: number; userId: number };

/** The effective thresholds of these agents, in their order. */
export const readThresholds = async ({ db }: Pick<Deps, "db">, agents: AgentOfUser[]): Promise<Thresholds[]> => {
  if (agents.length === 0) return [];
  const users = [...new Set(agents.map(({ userId }) => userId))];
  const ids = agents.map(({ agentId }) => agentId);
  const table = notificationRules;
  const rows = await db
    .select()
    .from(table)
    .where(
      and(
        eq(table.targetType, "agent"),
        isOneOf(table.userId, users),
        or(eq(table.targetId, 0), and(eq(table.overrideGlobal, true), isOneOf(table.targetId, ids))),
      ),
    );
  const settings = new Map(rows.map((row) => [`${row.userId} ${row.targetId}`, row]));
  return agents.map(({ agentId, userId }) =>
    thresholdsOf(effective(settings.get(`${userId} 0`), settings.get(`${userId} ${agentId}`))),
  );
};
