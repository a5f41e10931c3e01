import type { Static } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, validation } from "../../../core/errors";
import type { Queries, Statement } from "../../../db/database";
import { madeBy, type Owner, ownedBy, type Viewer } from "../../../db/owner";
import { alertPolicies, notificationRules } from "../../../db/schema";
import {
  DEFAULT_RULE,
  DEFAULT_THRESHOLDS,
  METRICS,
  type NotificationRule,
  type RuleThresholds,
  type TargetType,
} from "../../../shared/notifications";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { choosableChannels, readChannelNames } from "../channels/service";
import { recordOfTarget } from "../logged";
import type { SettingBody } from "../model";
import { readPolicies } from "../policies/service";
import { type ThresholdsOfRule, viewOf } from "../targets";
import { eventsOf, forMonitors, forServers, ofOne, type Settings, type SingleRules } from "./present";

/**
 * The rule that applies to a target: its own where that overrides, else the global one. Whether the target is critical is
 * its own in both cases.
 */
export const effective = (
  global: NotificationRule | undefined,
  specific: NotificationRule | undefined,
): NotificationRule => ({
  ...(specific?.overrideGlobal ? specific : (global ?? DEFAULT_RULE)),
  critical: specific?.critical ?? false,
});

/** The distinct ids of a rule's channels, in the chosen order. */
export const channelsOf = ({ channels }: NotificationRule): number[] => [...new Set(channels)];

/** Identifies the stored values of a rule: two rules with the same values have the same version. */
const versionOf = (row: NotificationRule | undefined, thresholds: RuleThresholds | undefined): string => {
  if (!row) return "none";
  const { enabled, overrideGlobal, events, channels, policyId, critical } = row;
  const values = [
    enabled,
    overrideGlobal,
    events,
    channels,
    policyId,
    critical,
    thresholds && METRICS.map((metric) => thresholds[metric]),
  ];
  return Bun.hash(JSON.stringify(values)).toString(36);
};

type StoredRule = { row: NotificationRule | undefined; thresholds: RuleThresholds | undefined; version: string };

/** The stored rule of one target, or of all for the id 0. */
const readRule = async (
  deps: Pick<Deps, "db">,
  { teamId }: Pick<Viewer, "teamId">,
  { type, id }: { type: TargetType; id: number },
): Promise<StoredRule> => {
  const key = and(
    ownedBy(notificationRules, teamId),
    eq(notificationRules.targetType, type),
    eq(notificationRules.targetId, id),
  );
  const [row] = await deps.db.select().from(notificationRules).where(key);
  const thresholds =
    type === "agent" ? (await viewOf("agent").readRuleThresholds(deps, teamId, id)).get(id) : undefined;
  return { row, thresholds, version: versionOf(row, thresholds) };
};

/**
 * The rule of a target as a form shows it, with its version: a target without one has a copy of the rule for all, switched
 * off. Deleted channels are left out, so that it can be sent back unchanged.
 */
export const readSetting = async <Type extends TargetType>(
  deps: Pick<Deps, "db" | "config">,
  owner: Viewer,
  target: { type: Type; id: number },
): Promise<{ rule: SingleRules[Type]; version: string }> => {
  const { row, thresholds, version } = await readRule(deps, owner, target);
  const base = row || target.id === 0 ? undefined : await readRule(deps, owner, { ...target, id: 0 });
  const ownChannels = await choosableChannels(deps, owner);
  const copied = base?.row && { ...base.row, enabled: false, overrideGlobal: false, critical: false };
  const stored = row ?? copied ?? DEFAULT_RULE;
  const rule = { ...stored, channels: stored.channels.filter((id) => ownChannels.has(id)) };
  const presented =
    target.type === "monitor"
      ? forMonitors(rule)
      : forServers(rule, thresholds ?? base?.thresholds ?? DEFAULT_THRESHOLDS);
  return { rule: { ...presented, ...ofOne(rule) } as SingleRules[Type], version };
};

/** A user's notification settings, as the page reads them; with the rules of single targets if `specific`. */
export const readSettings = async (
  deps: Pick<Deps, "db" | "config">,
  owner: Viewer,
  { specific: isWhole = true } = {},
): Promise<Static<typeof Settings>> => {
  const stored = await deps.db
    .select()
    .from(notificationRules)
    .where(and(ownedBy(notificationRules, owner.teamId), isWhole ? undefined : eq(notificationRules.targetId, 0)));
  // Deleted channels are left out, so that the answer can be sent back unchanged.
  const ownChannels = await choosableChannels(deps, owner);
  const rows = stored.map((row) => ({ ...row, channels: row.channels.filter((id) => ownChannels.has(id)) }));
  const thresholds = await viewOf("agent").readRuleThresholds(deps, owner.teamId);
  const ofServer = (rule: NotificationRule, id: number) => forServers(rule, thresholds.get(id) ?? DEFAULT_THRESHOLDS);
  const global = (type: TargetType) =>
    rows.find(({ targetType, targetId }) => targetType === type && targetId === 0) ?? DEFAULT_RULE;
  const specific = <T extends object>(type: TargetType, present: (rule: NotificationRule, id: number) => T) =>
    Object.fromEntries(
      rows
        .filter(({ targetType, targetId }) => targetType === type && targetId !== 0)
        .map((row) => [row.targetId, { ...present(row, row.targetId), ...ofOne(row) }]),
    );
  return {
    monitors: forMonitors(global("monitor")),
    agents: ofServer(global("agent"), 0),
    specificMonitors: specific("monitor", forMonitors),
    specificAgents: specific("agent", ofServer),
  };
};

const parseChannels = (sent: SettingBody["channels"]): number[] | undefined => {
  if (sent === undefined) return undefined;
  const refuse = () => validation([{ path: "channels", message: "channels: expected a list of channel ids" }]);
  let list: unknown = sent;
  if (typeof sent === "string") {
    try {
      list = sent.trim() === "" ? [] : JSON.parse(sent);
    } catch {
      throw refuse();
    }
  }
  if (!Array.isArray(list) || list.length > 100) throw refuse();
  if (!list.every((id) => /^(number|string)$/.test(typeof id) && /^\d{1,15}$/.test(String(id)))) throw refuse();
  const ids = list.map(Number);
  return [...new Set(ids)];
};

/** @throws {AppError} validation when an id is not the owner's own */
export const assertOwnChannels = async (deps: Deps, owner: Viewer, ids: readonly number[]): Promise<void> => {
  const ownChannels = await choosableChannels(deps, owner);
  if (!ids.every((id) => ownChannels.has(id))) {
    throw validation([{ path: "channels", message: "channels: there is no such channel" }]);
  }
};

/** @throws {AppError} not_found, also for targets of other users */
const assertOwnTarget = async (deps: Deps, owner: Viewer, type: TargetType, id: number): Promise<void> => {
  const name = await viewOf(type).readOwn(deps, id, owner.teamId);
  if (name === undefined) throw notFound(type === "monitor" ? "Monitor" : "Agent");
};

/** @throws {AppError} validation when the policy is not the owner's own */
const assertOwnPolicy = async ({ db }: Deps, owner: Viewer, policyId: number): Promise<void> => {
  const own = await db.$count(alertPolicies, and(eq(alertPolicies.id, policyId), ownedBy(alertPolicies, owner.teamId)));
  if (own === 0) throw validation([{ path: "policy_id", message: "policy_id: there is no such policy" }]);
};

/** Writes the settings of one target within a transaction. */
const writeSetting = async (deps: Deps, owner: Viewer, body: SettingBody): Promise<void> => {
  const global = body.target_type.startsWith("global-");
  const targetType = body.target_type.replace("global-", "") as TargetType;
  const targetId = global ? 0 : (body.target_id ?? 0);
  if (!global && targetId === 0)
    throw validation([{ path: "target_id", message: `target_id: expected the id of the ${targetType}` }]);
  if (!global) await assertOwnTarget(deps, owner, targetType, targetId);
  const ids = parseChannels(body.channels);
  if (ids) await assertOwnChannels(deps, owner, ids);
  if (body.policy_id) await assertOwnPolicy(deps, owner, body.policy_id);
  if (global && body.critical)
    throw validation([{ path: "critical", message: "critical: expected a single monitor or server" }]);

  const target = { type: targetType, id: targetId };
  const { row, thresholds: stored = DEFAULT_THRESHOLDS, version } = await readRule(deps, owner, target);
  if (body.version !== undefined && body.version !== version) {
    const current = await readSetting(deps, owner, target);
    throw new AppError("rule_changed", {}, { current: { ...current.rule, version } });
  }
  const before = row ?? DEFAULT_RULE;
  const flag = (sent: boolean | 0 | 1 | undefined, kept: boolean) => (sent === undefined ? kept : Boolean(sent));
  const overrideGlobal = !global && flag(body.override_global, before.overrideGlobal);
  const values: NotificationRule = {
    // Overriding the global rule also enables the target's own rule, unless the request sets it.
    enabled:
      flag(body.enabled, before.enabled) || (overrideGlobal && !before.overrideGlobal && body.enabled === undefined),
    overrideGlobal,
    events: eventsOf(body, before.events),
    channels: ids ?? before.channels,
    policyId: body.policy_id === undefined ? before.policyId : body.policy_id,
    critical: flag(body.critical, before.critical),
  };
  await deps.db
    .insert(notificationRules)
    .values({ ...madeBy(owner), targetType, targetId, ...values })
    .onConflictDoUpdate({
      target: [notificationRules.teamId, notificationRules.targetType, notificationRules.targetId],
      set: values,
    });
  const thresholds = {
    cpu: body.cpu_threshold ?? stored.cpu,
    memory: body.memory_threshold ?? stored.memory,
    disk: body.disk_threshold ?? stored.disk,
  };
  await recordRule(deps, owner, target, { before: [before, stored], after: [values, thresholds] });
  if (targetType === "monitor") return;
  await viewOf("agent").writeRuleThresholds(deps, madeBy(owner), [thresholdsOf(targetId, values, thresholds)]);
};

type Logged = [NotificationRule, RuleThresholds];

/** Records a change of a rule: of one for a single target as a change of the target. */
const recordRule = async (
  deps: Deps,
  owner: Viewer,
  { type, id }: { type: TargetType; id: number },
  change: { before: Logged; after: Logged },
): Promise<void> => {
  const namesOf = await readChannelNames(deps, owner.teamId);
  const policies = new Map((await readPolicies(deps, owner)).map((policy) => [policy.id, policy.name]));
  const factsOf = ([rule, thresholds]: Logged) => ({
    ...{ alerts: rule.enabled, ownRule: rule.overrideGlobal, critical: rule.critical },
    ...{ events: rule.events, channels: namesOf(rule.channels) },
    policy: rule.policyId === null ? null : (policies.get(rule.policyId) ?? null),
    ...{ thresholdCpu: thresholds.cpu, thresholdMemory: thresholds.memory, thresholdDisk: thresholds.disk },
  });
  const changed = { action: "changed" as const, before: factsOf(change.before), after: factsOf(change.after) };
  if (id !== 0) return recordOfTarget(deps, owner, { type, id, teamId: owner.teamId }, changed);
  const object = { type: "rule" as const, id: null, name: `global-${type}` };
  await recordChange(deps, owner, { ...changed, object, teamId: owner.teamId });
};

/** The thresholds of a rule about servers, with the figures that alert. */
export const thresholdsOf = (
  targetId: number,
  { enabled, overrideGlobal, events }: NotificationRule,
  thresholds: RuleThresholds,
): ThresholdsOfRule => ({
  targetId,
  thresholds,
  alerts: targetId === 0 || overrideGlobal ? METRICS.filter((metric) => enabled && events.includes(metric)) : null,
});

/**
 * Stores the settings of one target; omitted fields stay unchanged.
 * @throws {AppError} not_found, validation, rule_changed when they are of another version than the one sent
 */
export const saveSetting = (deps: Deps, owner: Viewer, body: SettingBody): Promise<void> =>
  deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    await writeSetting({ ...deps, db: tx }, owner, body);
  });

/**
 * The statement that chooses the channels of a user's monitors in place of the setting for all, and switches their alerts on;
 * null: the setting for all counts again. The monitors are the user's own.
 */
export const saveChannelsOf = (
  tx: Queries,
  owner: Owner,
  monitorIds: readonly number[],
  channels: number[] | null,
): Statement => {
  const own = channels ? { enabled: true, overrideGlobal: true, channels } : { overrideGlobal: false };
  return tx
    .insert(notificationRules)
    .values(
      monitorIds.map((targetId) => ({ ...owner, targetType: "monitor" as const, targetId, ...DEFAULT_RULE, ...own })),
    )
    .onConflictDoUpdate({
      target: [notificationRules.teamId, notificationRules.targetType, notificationRules.targetId],
      set: own,
    });
};
