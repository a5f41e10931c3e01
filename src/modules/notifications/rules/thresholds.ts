import { and, eq, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { notificationRules } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { METRICS, type Metric, type NotificationRule } from "../../../shared/notifications";
import { effective } from "./service";

/** Thresholds in percent; null for metrics without alerts. */
export type Thresholds = Record<Metric, number | null>;

/** The thresholds that a rule sets; null where it does not notify of one. */
export const thresholdsOf = (rule: NotificationRule): Thresholds => {
  const when = (on: boolean, threshold: number) => (rule.enabled && on ? threshold : null);
  return {
    cpu: when(rule.onCpuThreshold, rule.cpuThreshold),
    memory: when(rule.onMemoryThreshold, rule.memoryThreshold),
    disk: when(rule.onDiskThreshold, rule.diskThreshold),
  };
};

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
  const rules = new Map(rows.map((row) => [`${row.userId} ${row.targetId}`, row]));
  return agents.map(({ agentId, userId }) =>
    thresholdsOf(effective(rules.get(`${userId} 0`), rules.get(`${userId} ${agentId}`))),
  );
};

/** So far below its threshold a figure has to fall before an alert ends. */
const HYSTERESIS = 5;

/*
 * The alert level of a figure: 0 quiet, 1 above once, 2 alerting, 3 alerting but below once. One report alone
 * changes no state; two in a row do. The levels of all figures are packed into one number, two
 * bits each.
 */
type Level = 0 | 1 | 2 | 3;

export type Figures = Record<Metric, number | null>;
export type Crossing = { metric: Metric; high: boolean; figure: number; threshold: number };

const nextLevel = (level: Level, figure: number, threshold: number): Level => {
  if (figure >= threshold) return level === 0 ? 1 : 2;
  if (figure < threshold - HYSTERESIS) return level === 2 ? 3 : 0;
  return level < 2 ? 0 : 2;
};

const levelOf = (levels: number, index: number) => ((levels >> (index * 2)) & 3) as Level;

/** Whether a metric's alert has not ended. */
export const isAlerting = (levels: number, metric: Metric): boolean => levelOf(levels, METRICS.indexOf(metric)) >= 2;

/**
 * The levels after a report, and which alerts began or ended. A figure that is not known leaves its level. `alerting`
 * has the figures that end alerts where they differ from those that begin them: of disks, the mount that alerted. A
 * figure that is high when the alert about another one ends counts as above once.
 */
export const afterReport = (
  levels: number,
  figures: Figures,
  thresholds: Thresholds,
  alerting: Partial<Figures> = {},
) => {
  let next = 0;
  const crossings: Crossing[] = [];
  for (const [index, metric] of METRICS.entries()) {
    const [before, threshold] = [levelOf(levels, index), thresholds[metric]];
    const alertingFigure = before >= 2 ? alerting[metric] : undefined;
    const figure = alertingFigure === undefined ? figures[metric] : alertingFigure;
    if (threshold === null) continue;
    const after = figure === null ? before : nextLevel(before, figure, threshold);
    const ended = before >= 2 && after === 0;
    const isNextHigh = ended && (figures[metric] ?? 0) >= threshold;
    next |= (isNextHigh ? 1 : after) << (index * 2);
    if (figure === null) continue;
    if (before < 2 && after === 2) crossings.push({ metric, high: true, figure, threshold });
    if (ended) crossings.push({ metric, high: false, figure, threshold });
  }
  return { levels: next, crossings };
};
