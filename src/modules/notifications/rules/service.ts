import type { Static } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { notFound, validation } from "../../../core/errors";
import type { Queries, Statement } from "../../../db/database";
import { ownedBy } from "../../../db/owner";
import { agents, alertPolicies, monitors, notificationRules } from "../../../db/schema";
import { boolean, component, id, integer, list, nullable, number, object, record } from "../../../server/answers";
import { DEFAULT_RULE, type NotificationRule, type TargetType } from "../../../shared/notifications";
import { choosableChannels } from "../channels/service";
import type { SettingBody } from "../model";

type Owner = { id: number; role: "admin" | "user" };
type Row = typeof notificationRules.$inferSelect;

const enabled = boolean("Whether alerts are sent.", true);
const channelIds = list(integer("A channel's id; 0 is the built-in one.", 2), "The channels that are notified.");
const policyId = nullable(id("The policy that says whom to notify when; null: `channels`, at once.", 4), null);
const threshold = (what: string, example: number) =>
  number(`${what}, in percent.`, example, { minimum: 0, maximum: 100 });
const monitorRule = {
  enabled,
  onDown: boolean("When a monitor goes down.", true),
  onRecovery: boolean("When a monitor recovers.", true),
  onSlow: boolean("When a monitor answers slowly.", true),
  onCertificate: boolean("When the certificate of a monitor expires soon.", true),
  channels: channelIds,
  policyId,
};
const agentRule = {
  enabled,
  onOffline: boolean("When a server goes offline.", true),
  onRecovery: boolean("When a server reports again, or falls below its threshold.", true),
  onCpuThreshold: boolean("When CPU usage crosses its threshold.", true),
  cpuThreshold: threshold("CPU", 90),
  onMemoryThreshold: boolean("When memory usage crosses its threshold.", false),
  memoryThreshold: threshold("Memory", 85),
  onDiskThreshold: boolean("When the fullest disk crosses its threshold.", true),
  diskThreshold: threshold("The fullest disk", 90),
  onProblem: boolean("When it reports a problem: a container, a service, an array, a disk that fills up.", true),
  onPlan: boolean("When its traffic quota is nearly used, or its contract ends soon.", true),
  channels: channelIds,
  policyId,
};
const single = {
  overrideGlobal: boolean("Whether this replaces the setting for all.", true),
  critical: boolean("Whether quiet hours do not apply to it, whichever setting it follows.", false),
};
export const Settings = component("Settings", {
  monitors: object(monitorRule),
  agents: object(agentRule),
  specificMonitors: record(object({ ...monitorRule, ...single }), "For single monitors, by id.", "3"),
  specificAgents: record(object({ ...agentRule, ...single }), "For single servers, by id.", "5"),
});

const forMonitors = (rule: NotificationRule) => {
  const { enabled, onDown, onRecovery, onSlow, onCertificate, channels, policyId } = rule;
  return { enabled, onDown, onRecovery, onSlow, onCertificate, channels, policyId };
};

const forAgents = (rule: NotificationRule) => {
  const { onDown: _, onSlow: __, onCertificate: ___, overrideGlobal: ____, critical: _____, ...setting } = rule;
  return setting;
};

const settingOf = ({ userId: _, targetType: __, targetId: ___, ...setting }: Row): NotificationRule => setting;

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

/** The ids of a rule's channels, each once, in the order in which they were chosen. */
export const channelsOf = ({ channels }: NotificationRule): number[] => [...new Set(channels)];

/** A user's notification settings, as the page reads them. */
export const readSettings = async (
  deps: Pick<Deps, "db" | "config">,
  owner: Owner,
): Promise<Static<typeof Settings>> => {
  const stored = await deps.db.select().from(notificationRules).where(ownedBy(notificationRules, owner.id));
  // Deleted channels are left out, so that the answer can be sent back unchanged.
  const known = await choosableChannels(deps, owner);
  const rows = stored.map((row) => ({ ...row, channels: row.channels.filter((id) => known.has(id)) }));
  const global = (type: TargetType) => {
    const row = rows.find(({ targetType, targetId }) => targetType === type && targetId === 0);
    return row ? settingOf(row) : DEFAULT_RULE;
  };
  const specific = <T extends object>(type: TargetType, present: (setting: NotificationRule) => T) =>
    Object.fromEntries(
      rows
        .filter(({ targetType, targetId }) => targetType === type && targetId !== 0)
        .map((row) => {
          const { overrideGlobal, critical } = row;
          return [row.targetId, { ...present(settingOf(row)), overrideGlobal, critical }];
        }),
    ) as Record<string, T & Pick<Row, "overrideGlobal" | "critical">>;
  return {
    monitors: forMonitors(global("monitor")),
    agents: forAgents(global("agent")),
    specificMonitors: specific("monitor", forMonitors),
    specificAgents: specific("agent", forAgents),
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
export const assertOwnChannels = async (deps: Deps, owner: Owner, ids: readonly number[]): Promise<void> => {
  const known = await choosableChannels(deps, owner);
  if (!ids.every((id) => known.has(id))) {
    throw validation([{ path: "channels", message: "channels: there is no such channel" }]);
  }
};

/** @throws {AppError} not_found, also for targets of other users */
const assertOwnTarget = async ({ db }: Deps, owner: Owner, type: TargetType, id: number): Promise<void> => {
  const table = type === "monitor" ? monitors : agents;
  const own = await db.$count(table, and(eq(table.id, id), ownedBy(table, owner.id)));
  if (own === 0) throw notFound(type === "monitor" ? "Monitor" : "Agent");
};

/** @throws {AppError} validation when the policy is not the owner's own */
const assertOwnPolicy = async ({ db }: Deps, owner: Owner, policyId: number): Promise<void> => {
  const own = await db.$count(alertPolicies, and(eq(alertPolicies.id, policyId), ownedBy(alertPolicies, owner.id)));
  if (own === 0) throw validation([{ path: "policy_id", message: "policy_id: there is no such policy" }]);
};

/** Stores the settings of one target; omitted fields stay unchanged. */
export const saveSetting = async (deps: Deps, owner: Owner, body: SettingBody): Promise<void> => {
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

  const key = and(
    ownedBy(notificationRules, owner.id),
    eq(notificationRules.targetType, targetType),
    eq(notificationRules.targetId, targetId),
  );
  const [row] = await deps.db.select().from(notificationRules).where(key);
  const before = row ? settingOf(row) : DEFAULT_RULE;
  const flag = (sent: boolean | 0 | 1 | undefined, kept: boolean) => (sent === undefined ? kept : Boolean(sent));
  const overrideGlobal = !global && flag(body.override_global, before.overrideGlobal);
  const values: NotificationRule = {
    // Overriding the global rule also enables the target's own rule, unless the request sets it.
    enabled:
      flag(body.enabled, before.enabled) || (overrideGlobal && !before.overrideGlobal && body.enabled === undefined),
    overrideGlobal,
    onDown: flag(body.on_down, before.onDown),
    onRecovery: flag(body.on_recovery, before.onRecovery),
    onSlow: flag(body.on_slow, before.onSlow),
    onCertificate: flag(body.on_certificate, before.onCertificate),
    onOffline: flag(body.on_offline, before.onOffline),
    onCpuThreshold: flag(body.on_cpu_threshold, before.onCpuThreshold),
    cpuThreshold: body.cpu_threshold ?? before.cpuThreshold,
    onMemoryThreshold: flag(body.on_memory_threshold, before.onMemoryThreshold),
    memoryThreshold: body.memory_threshold ?? before.memoryThreshold,
    onDiskThreshold: flag(body.on_disk_threshold, before.onDiskThreshold),
    diskThreshold: body.disk_threshold ?? before.diskThreshold,
    onProblem: flag(body.on_problem, before.onProblem),
    onPlan: flag(body.on_plan, before.onPlan),
    channels: ids ?? before.channels,
    policyId: body.policy_id === undefined ? before.policyId : body.policy_id,
    critical: flag(body.critical, before.critical),
  };
  await deps.db
    .insert(notificationRules)
    .values({ userId: owner.id, targetType, targetId, ...values })
    .onConflictDoUpdate({
      target: [notificationRules.userId, notificationRules.targetType, notificationRules.targetId],
      set: values,
    });
};

/**
 * The statement that chooses the channels of a user's targets in place of the setting for all, and switches their alerts on;
 * null: the setting for all counts again. The targets are the user's own.
 */
export const saveChannelsOf = (
  tx: Queries,
  userId: number,
  targets: { type: TargetType; ids: readonly number[] },
  channels: number[] | null,
): Statement => {
  const own = channels ? { enabled: true, overrideGlobal: true, channels } : { overrideGlobal: false };
  return tx
    .insert(notificationRules)
    .values(targets.ids.map((targetId) => ({ userId, targetType: targets.type, targetId, ...DEFAULT_RULE, ...own })))
    .onConflictDoUpdate({
      target: [notificationRules.userId, notificationRules.targetType, notificationRules.targetId],
      set: own,
    });
};
