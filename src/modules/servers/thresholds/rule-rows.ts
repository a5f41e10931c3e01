/** The rows with the thresholds of notification rules, which alerting reads and writes with its rules. */
import { and, isNull, sql } from "drizzle-orm";
import { insertMany } from "../../../db/insert-many";
import { ownedBy } from "../../../db/owner";
import { thresholds } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { defaultClear } from "../../../shared/agents/thresholds";
import { DEFAULT_THRESHOLDS, METRICS, type RuleThresholds } from "../../../shared/notifications";
import type { viewOf } from "../../alerting/targets";

type View = ReturnType<typeof viewOf<"agent">>;

/** The condition that a threshold is for one of these servers; 0 means all servers. */
const isOf = (targetIds: readonly number[]) => isOneOf(sql`coalesce(${thresholds.agentId}, 0)`, targetIds);

export const readRuleThresholds: View["readRuleThresholds"] = async ({ db }, teamId, targetId) => {
  const rows = await db
    .select()
    .from(thresholds)
    .where(
      and(
        ownedBy(thresholds, teamId),
        isNull(thresholds.minutes),
        targetId === undefined ? undefined : isOf([targetId]),
      ),
    );
  const byServer = new Map<number, RuleThresholds>();
  for (const row of rows) {
    const id = row.agentId ?? 0;
    byServer.set(id, { ...DEFAULT_THRESHOLDS, ...byServer.get(id), [row.metric]: row.threshold });
  }
  return byServer;
};

export const writeRuleThresholds: View["writeRuleThresholds"] = async ({ db }, owner, rules) => {
  const isReplaced = isOf(rules.map(({ targetId }) => targetId));
  await db.delete(thresholds).where(and(ownedBy(thresholds, owner.teamId), isNull(thresholds.minutes), isReplaced));
  const rows = rules.flatMap(({ targetId, thresholds: figures, alerts }) =>
    METRICS.map((metric) => ({
      ...owner,
      ...(targetId === 0 ? { scope: "all" as const } : { scope: "agent" as const, agentId: targetId }),
      metric,
      threshold: figures[metric],
      clear: defaultClear(metric, figures[metric]),
      enabled: alerts === null ? null : alerts.includes(metric),
    })),
  );
  await insertMany(db, thresholds, rows);
};
