/** Which thresholds count for a server: the one for it wins over those for its tags, and these over the default. */

import { and, isNotNull, isNull, or } from "drizzle-orm";
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

/** A threshold as reports are compared with it; `minutes` is null where it belongs to a notification rule. */
export type AppliedThreshold = Omit<ThresholdSetting, "minutes"> & {
  id: number;
  scope: ThresholdScope;
  minutes: number | null;
};

type Stored = { applied: AppliedThreshold; agentId: number | null; tagged: ReadonlySet<number> | null };
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
export const invalidateThresholds = ({ db }: Pick<Deps, "db">, teamId: number): void => cacheOf(db).delete(teamId);

const readOf = async (deps: Pick<Deps, "db">, teamIds: number[]): Promise<Map<number, Stored[]>> => {
  const rows = await deps.db
    .select()
    .from(thresholds)
    .where(and(isOneOf(thresholds.teamId, teamIds), isNotNull(thresholds.minutes)));
  const tagged = await readTagged(deps, "agent", [...new Set(rows.flatMap(({ tagId }) => tagId ?? []))]);
  const byTeam = new Map<number, Stored[]>();
  for (const { teamId, tagId, agentId, enabled: _, ...applied } of rows) {
    const stored = { applied, agentId, tagged: tagId === null ? null : (tagged.get(tagId) ?? new Set<number>()) };
    byTeam.set(teamId, [...(byTeam.get(teamId) ?? []), stored]);
  }
  return byTeam;
};

type ServerOfUser = { agentId: number; teamId: number };

/** The thresholds of the notification rule that applies to each of these agents. */
const readThresholdsOfRules = async (
  { db }: Pick<Deps, "db">,
  agents: readonly ServerOfUser[],
): Promise<Map<number, AppliedThreshold[]>> => {
  const { teamId: owner, agentId: server, minutes, enabled } = thresholds;
  const [owners, ids] = [[...new Set(agents.map(({ teamId }) => teamId))], agents.map(({ agentId }) => agentId)];
  const rows = await db
    .select()
    .from(thresholds)
    .where(and(isNull(minutes), isNotNull(enabled), isOneOf(owner, owners), or(isNull(server), isOneOf(server, ids))));
  if (rows.length === 0) return new Map();
  const bySpecific = Map.groupBy(rows, ({ agentId }) => agentId);
  const general = Map.groupBy(bySpecific.get(null) ?? [], ({ teamId }) => teamId);
  return new Map(
    agents.map(({ agentId, teamId }) => [
      agentId,
      (bySpecific.get(agentId) ?? general.get(teamId) ?? []).filter((row) => row.enabled),
    ]),
  );
};

/**
 * The thresholds of each agent: first its users' own in order of precedence, then its notification rule's. Agents without
 * thresholds are left out. Users' own thresholds are cached.
 */
export const readThresholdsOf = async (
  deps: Pick<Deps, "db">,
  agents: readonly ServerOfUser[],
  now: number,
): Promise<Map<number, AppliedThreshold[]>> => {
  if (agents.length === 0) return new Map();
  const ofRules = await readThresholdsOfRules(deps, agents);
  const cache = cacheOf(deps.db);
  const byTeam = new Map<number, readonly Stored[]>();
  const unknown = new Set<number>();
  for (const { teamId } of agents) {
    const cached = cache.get(teamId, now);
    if (cached) byTeam.set(teamId, cached);
    else unknown.add(teamId);
  }
  if (unknown.size > 0) {
    const read = await readOf(deps, [...unknown]);
    for (const teamId of unknown) {
      const stored = read.get(teamId) ?? NONE;
      byTeam.set(teamId, stored);
      cache.set(teamId, stored, now, { lifetime: CACHED_FOR });
    }
  }
  const byAgent = new Map<number, AppliedThreshold[]>();
  for (const { agentId, teamId } of agents) {
    const stored = byTeam.get(teamId) ?? NONE;
    const own = stored.flatMap(({ applied, agentId: only, tagged }) =>
      (only === null || only === agentId) && (tagged === null || tagged.has(agentId)) ? [applied] : [],
    );
    const counting = [...withoutHidden(own.toSorted(bySpecificity)), ...(ofRules.get(agentId) ?? [])];
    if (counting.length > 0) byAgent.set(agentId, counting);
  }
  return byAgent;
};

/** The most specific first: by scope, then with a subject, then the lowest. */
const bySpecificity = (one: AppliedThreshold, other: AppliedThreshold): number =>
  THRESHOLD_SCOPES.indexOf(other.scope) - THRESHOLD_SCOPES.indexOf(one.scope) ||
  Number(other.subject !== "") - Number(one.subject !== "") ||
  one.threshold - other.threshold ||
  one.id - other.id;

/** Leaves out thresholds that never count, because one before them is about the same. */
const withoutHidden = (sorted: readonly AppliedThreshold[]): AppliedThreshold[] =>
  sorted.filter(
    (one, index) =>
      !sorted
        .slice(0, index)
        .some(({ metric, subject }) => metric === one.metric && (subject === "" || subject === one.subject)),
  );

/** The threshold that counts for one figure, of the sorted ones that the owner of its server set. */
export const thresholdFor = (
  sorted: readonly AppliedThreshold[],
  metric: ThresholdMetric,
  subject: string,
): AppliedThreshold | undefined =>
  sorted.find(
    (one) => one.minutes !== null && one.metric === metric && (one.subject === "" || one.subject === subject),
  );
