/** Which thresholds count for a server: the one for it wins over those for its tags, and these over the default. */
import type { Deps } from "../../../core/deps";
import { thresholds } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { createExpiringMap } from "../../../lib/expiring-map";
import {
  THRESHOLD_SCOPES,
  type ThresholdMetric,
  type ThresholdScope,
  type ThresholdSetting,
} from "../../../shared/agents/thresholds";
import { SECOND } from "../../../shared/limits";
import { readTagged } from "../../tags/service";

/** A threshold as reports are compared with it. */
export type Rule = ThresholdSetting & { id: number; scope: ThresholdScope };

type Stored = { rule: Rule; agentId: number | null; tagged: ReadonlySet<number> | null };
type Cache = ReturnType<typeof createExpiringMap<number, readonly Stored[]>>;

const databases = new WeakMap<object, Cache>();
const CACHED = 10_000;
/** After this time a change by another instance, or of a server's tags, takes effect. */
const CACHED_FOR = 30 * SECOND;
const NONE: readonly Stored[] = [];

const cacheOf = (db: object): Cache => {
  const cache = databases.get(db) ?? createExpiringMap<number, readonly Stored[]>(CACHED);
  databases.set(db, cache);
  return cache;
};

/** Makes the next report read the thresholds of a user. */
export const invalidateThresholds = ({ db }: Pick<Deps, "db">, userId: number): void => cacheOf(db).delete(userId);

const readOf = async (deps: Pick<Deps, "db">, userIds: number[]): Promise<Map<number, Stored[]>> => {
  const rows = await deps.db.select().from(thresholds).where(isOneOf(thresholds.userId, userIds));
  const tagged = await readTagged(deps, "agent", [...new Set(rows.flatMap(({ tagId }) => tagId ?? []))]);
  const byUser = new Map<number, Stored[]>();
  for (const { userId, tagId, agentId, ...rule } of rows) {
    const stored = { rule, agentId, tagged: tagId === null ? null : (tagged.get(tagId) ?? new Set<number>()) };
    byUser.set(userId, [...(byUser.get(userId) ?? []), stored]);
  }
  return byUser;
};

/**
 * The thresholds of figures for each of these agents, the one that counts first; agents without any are left out. Those
 * of users are cached, so that reports of users without thresholds cost no query.
 */
export const readThresholdsOf = async (
  deps: Pick<Deps, "db">,
  agents: readonly { agentId: number; userId: number }[],
  now: number,
): Promise<Map<number, Rule[]>> => {
  const cache = cacheOf(deps.db);
  const byUser = new Map<number, readonly Stored[]>();
  const unknown = new Set<number>();
  for (const { userId } of agents) {
    const known = cache.get(userId, now);
    if (known) byUser.set(userId, known);
    else unknown.add(userId);
  }
  if (unknown.size > 0) {
    const read = await readOf(deps, [...unknown]);
    for (const userId of unknown) {
      const stored = read.get(userId) ?? NONE;
      byUser.set(userId, stored);
      cache.set(userId, stored, now, { lifetime: CACHED_FOR });
    }
  }
  const found = new Map<number, Rule[]>();
  for (const { agentId, userId } of agents) {
    const stored = byUser.get(userId) ?? NONE;
    if (stored.length === 0) continue;
    const rules = stored.flatMap(({ rule, agentId: only, tagged }) =>
      (only === null || only === agentId) && (tagged === null || tagged.has(agentId)) ? [rule] : [],
    );
    const counting = withoutHidden(rules.toSorted(bySpecificity));
    if (counting.length > 0) found.set(agentId, counting);
  }
  return found;
};

/** The most specific one first: by scope, then one that names its subject, then the lowest. */
const bySpecificity = (one: Rule, other: Rule): number =>
  THRESHOLD_SCOPES.indexOf(other.scope) - THRESHOLD_SCOPES.indexOf(one.scope) ||
  Number(other.subject !== "") - Number(one.subject !== "") ||
  one.threshold - other.threshold ||
  one.id - other.id;

/** Leaves out rules that never count, because one before them is about the same. */
const withoutHidden = (rules: readonly Rule[]): Rule[] =>
  rules.filter(
    (rule, index) =>
      !rules
        .slice(0, index)
        .some(({ metric, subject }) => metric === rule.metric && (subject === "" || subject === rule.subject)),
  );

/** The rule that counts for one figure, of the sorted rules of its server. */
export const ruleFor = (rules: readonly Rule[], metric: ThresholdMetric, subject: string): Rule | undefined =>
  rules.find((rule) => rule.metric === metric && (rule.subject === "" || rule.subject === subject));
