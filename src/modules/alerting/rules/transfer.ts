import { type Static, t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { ownedBy } from "../../../db/owner";
import { channels, notificationRules } from "../../../db/schema";
import { field, whole } from "../../../server/schema";
import {
  DEFAULT_RULE,
  DEFAULT_THRESHOLDS,
  type NotificationRule,
  type RuleThresholds,
  type TargetType,
} from "../../../shared/notifications";
import { type Checking, definePart, fileId, type Importing, MAX_ITEMS, note } from "../../transfer/part";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { viewOf } from "../targets";
import { eventsOf, forAgents, forMonitors, ofOne, Settings } from "./present";
import { readSettings, thresholdsOf } from "./service";

const flag = t.Optional(t.Boolean({ error: "expected true or false" }));
const threshold = t.Optional(t.Number({ minimum: 0, maximum: 100, error: "expected a number from 0 to 100" }));

const settingModel = t.Object({
  enabled: flag,
  overrideGlobal: flag,
  onDown: flag,
  onRecovery: flag,
  onSlow: flag,
  onCertificate: flag,
  onOffline: flag,
  onCpuThreshold: flag,
  cpuThreshold: threshold,
  onMemoryThreshold: flag,
  memoryThreshold: threshold,
  onDiskThreshold: flag,
  diskThreshold: threshold,
  onProblem: flag,
  onPlan: flag,
  channels: t.Optional(
    t.Array(whole(0, Number.MAX_SAFE_INTEGER), { maxItems: 100, error: "expected a list of at most 100 channel ids" }),
  ),
  policyId: t.Optional(t.Union([fileId, t.Null()], { error: "expected the id of a policy, or null" })),
  critical: flag,
});
type SentSetting = Static<typeof settingModel>;

const specific = t.Optional(t.Record(t.String({ maxLength: 20 }), settingModel, { maxProperties: MAX_ITEMS }));
const sentModel = t.Object({
  monitors: t.Optional(settingModel),
  agents: t.Optional(settingModel),
  specificMonitors: specific,
  specificAgents: specific,
});
type Sent = Static<typeof sentModel>;

/** The fields of the part, each with the part of its targets and their type. */
const GLOBAL = [
  ["monitors", "monitor"],
  ["agents", "agent"],
] as const;
const SPECIFIC = [
  ["specificMonitors", "monitors", "monitor"],
  ["specificAgents", "agents", "agent"],
] as const;

type PlannedSetting = {
  path: string;
  targetType: TargetType;
  targetId: number;
  setting: NotificationRule;
  thresholds: RuleThresholds;
};

const keyOf = ({ targetType, targetId }: Pick<PlannedSetting, "targetType" | "targetId">) =>
  `${targetType} ${targetId}`;

const checkReferences = (sent: Sent, { refer }: Pick<Checking, "refer">): void => {
  const checkSetting = (path: string, setting: SentSetting | undefined) => {
    // No file contains the built-in channel.
    for (const [index, id] of (setting?.channels ?? []).entries())
      if (id !== BUILT_IN_ID) refer(`${path}.channels.${index}`, "channels", id);
    if (setting?.policyId) refer(`${path}.policyId`, "policies", setting.policyId);
  };
  for (const [name] of GLOBAL) checkSetting(name, sent[name]);
  for (const [name, part] of SPECIFIC)
    for (const [id, setting] of Object.entries(sent[name] ?? {})) {
      refer(`${name}.${id}`, part, id);
      checkSetting(`${name}.${id}`, setting);
    }
};

const settingOf = (
  { enabled, overrideGlobal, critical, ...sent }: SentSetting,
  chosen: Pick<NotificationRule, "channels" | "policyId">,
): NotificationRule => ({
  enabled: enabled ?? DEFAULT_RULE.enabled,
  overrideGlobal: overrideGlobal ?? DEFAULT_RULE.overrideGlobal,
  events: eventsOf(sent, DEFAULT_RULE.events),
  critical: critical ?? DEFAULT_RULE.critical,
  ...chosen,
});

/** The rules of a file with ids of this installation, and whether one of them names a built-in channel that is not here. */
const planSettings = (sent: Sent, { idOf }: Pick<Importing, "idOf">, hasBuiltIn: boolean) => {
  let builtInMissing = false;
  const channelOf = (id: number): number | null => {
    if (id !== BUILT_IN_ID) return idOf("channels", id);
    builtInMissing ||= !hasBuiltIn;
    return hasBuiltIn ? id : null;
  };
  const plan = (path: string, targetType: TargetType, targetId: number, given: SentSetting): PlannedSetting => {
    const chosen = (given.channels ?? []).map(channelOf).filter((id) => id !== null);
    const policyId = given.policyId ? idOf("policies", given.policyId) : null;
    const setting = settingOf(given, { channels: [...new Set(chosen)], policyId });
    const global = { ...setting, overrideGlobal: false, critical: false };
    const thresholds = {
      cpu: given.cpuThreshold ?? DEFAULT_THRESHOLDS.cpu,
      memory: given.memoryThreshold ?? DEFAULT_THRESHOLDS.memory,
      disk: given.diskThreshold ?? DEFAULT_THRESHOLDS.disk,
    };
    return { path, targetType, targetId, setting: targetId === 0 ? global : setting, thresholds };
  };
  const global = GLOBAL.flatMap(([name, type]) => {
    const given = sent[name];
    const planned = given && plan(`notifications.${name}`, type, 0, given);
    // A rule without a row is the default.
    const isDefault =
      Bun.deepEquals(planned?.setting, DEFAULT_RULE) && Bun.deepEquals(planned?.thresholds, DEFAULT_THRESHOLDS);
    return planned && !isDefault ? [planned] : [];
  });
  const single = SPECIFIC.flatMap(([name, part, type]) =>
    Object.entries(sent[name] ?? {}).flatMap(([id, given]) => {
      const target = idOf(part, Number(id));
      return target === null ? [] : [plan(`notifications.${name}.${id}`, type, target, given)];
    }),
  );
  return { settings: [...global, ...single], builtInMissing };
};

/** The exported form of a rule. Groups of events of the other kind of target may be stored, but are not exported. */
const inFile = (type: TargetType, rule: NotificationRule, thresholds: RuleThresholds) => ({
  ...(type === "monitor" ? forMonitors(rule) : forAgents(rule, thresholds)),
  ...ofOne(rule),
});

/** The notification rules of an exported file. */
export const rulesPart = definePart({
  key: "notifications",
  counted: "settings",
  sent: field(sentModel, "Existing settings are kept."),
  exported: Settings,
  export: async ({ deps, owner, has }) => {
    const settings = await readSettings(deps, owner);
    // Monitors, channels and policies may have been added since the previous parts were read.
    const known = <T extends Pick<NotificationRule, "channels" | "policyId">>(rule: T): T => ({
      ...rule,
      channels: rule.channels.filter((id) => id === BUILT_IN_ID || has("channels", id)),
      policyId: rule.policyId !== null && has("policies", rule.policyId) ? rule.policyId : null,
    });
    const keep = <T extends Pick<NotificationRule, "channels" | "policyId">>(
      part: string,
      rules: Record<string, T>,
    ): Record<string, T> =>
      Object.fromEntries(
        Object.entries(rules).flatMap(([id, rule]) => (has(part, Number(id)) ? [[id, known(rule)]] : [])),
      );
    return {
      monitors: known(settings.monitors),
      agents: known(settings.agents),
      specificMonitors: keep("monitors", settings.specificMonitors),
      specificAgents: keep("agents", settings.specificAgents),
    };
  },
  check: checkReferences,
  import: async (sent, context) => {
    const { deps, owner } = context;
    const hasBuiltIn = builtInChannel(deps.config, owner.role) !== null;
    const { settings, builtInMissing } = planSettings(sent, context, hasBuiltIn);
    const rows = await deps.db.select().from(notificationRules).where(ownedBy(notificationRules, owner.id));
    const stored = new Map(rows.map((row) => [keyOf(row), row]));
    const own = await deps.db.select({ id: channels.id }).from(channels).where(ownedBy(channels, owner.id));
    const existing = new Set([BUILT_IN_ID, ...own.map(({ id }) => id)]);
    const view = viewOf("agent");
    const storedThresholds = await view.readRuleThresholds(deps, owner.id);
    const differs = ({ setting, thresholds, ...target }: PlannedSetting): boolean => {
      const row = stored.get(keyOf(target));
      // A stored rule may refer to deleted channels, which no file contains.
      const before = row && { ...row, channels: row.channels.filter((id) => existing.has(id)) };
      const { targetType: type, targetId } = target;
      const had = storedThresholds.get(targetId) ?? DEFAULT_THRESHOLDS;
      return before !== undefined && !Bun.deepEquals(inFile(type, before, had), inFile(type, setting, thresholds));
    };
    const added = settings.filter((setting) => !stored.has(keyOf(setting)));
    const rowsAdded = added.map(({ targetType, targetId, setting }) => ({
      ...setting,
      userId: owner.id,
      targetType,
      targetId,
    }));
    await insertMany(deps.db, notificationRules, rowsAdded);
    const ofServers = added.filter(({ targetType }) => targetType === "agent");
    const figures = ofServers.map(({ targetId, setting, thresholds }) => thresholdsOf(targetId, setting, thresholds));
    await view.writeRuleThresholds(deps, owner.id, figures);
    return {
      created: added.length,
      skipped: settings.length - added.length,
      notes: () => [
        ...(builtInMissing
          ? [note("built_in_missing", "notifications", "there is no built-in channel for you here")]
          : []),
        ...settings.filter(differs).map(({ path }) => note("kept", path, "yours stays as it is")),
      ],
    };
  },
});
