import { sql } from "drizzle-orm";
import { type Static, t } from "elysia";
import { ownedBy } from "../../../db/owner";
import { channels, notificationRules } from "../../../db/schema";
import { field, whole } from "../../../server/schema";
import { DEFAULT_RULE, type NotificationRule, type TargetType } from "../../../shared/notifications";
import { type Checking, definePart, fileId, type Importing, insertRows, MAX_ITEMS, note } from "../../transfer/part";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { readSettings, Settings } from "./service";

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

const COLUMNS = {
  target_type: "text",
  target_id: "bigint",
  enabled: "boolean",
  override_global: "boolean",
  on_down: "boolean",
  on_recovery: "boolean",
  on_slow: "boolean",
  on_certificate: "boolean",
  on_offline: "boolean",
  on_cpu_threshold: "boolean",
  cpu_threshold: "double precision",
  on_memory_threshold: "boolean",
  memory_threshold: "double precision",
  on_disk_threshold: "boolean",
  disk_threshold: "double precision",
  on_problem: "boolean",
  on_plan: "boolean",
  channels: "json",
  policy_id: "bigint",
  critical: "boolean",
} as const;

type PlannedSetting = { path: string; targetType: TargetType; targetId: number; setting: NotificationRule };

const keyOf = ({ targetType, targetId }: Pick<PlannedSetting, "targetType" | "targetId">) =>
  `${targetType} ${targetId}`;

const rowOf = ({ targetType, targetId, setting }: PlannedSetting) => [
  targetType,
  targetId,
  setting.enabled,
  setting.overrideGlobal,
  setting.onDown,
  setting.onRecovery,
  setting.onSlow,
  setting.onCertificate,
  setting.onOffline,
  setting.onCpuThreshold,
  setting.cpuThreshold,
  setting.onMemoryThreshold,
  setting.memoryThreshold,
  setting.onDiskThreshold,
  setting.diskThreshold,
  setting.onProblem,
  setting.onPlan,
  setting.channels,
  setting.policyId,
  setting.critical,
];

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

const settingOf = (sent: SentSetting, chosen: Pick<NotificationRule, "channels" | "policyId">): NotificationRule => ({
  ...DEFAULT_RULE,
  ...(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Partial<NotificationRule>),
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
    return { path, targetType, targetId, setting: targetId === 0 ? global : setting };
  };
  const global = GLOBAL.flatMap(([name, type]) => {
    const given = sent[name];
    const planned = given && plan(`notifications.${name}`, type, 0, given);
    // A rule without a row is the default.
    return planned && !Bun.deepEquals(planned.setting, DEFAULT_RULE) ? [planned] : [];
  });
  const single = SPECIFIC.flatMap(([name, part, type]) =>
    Object.entries(sent[name] ?? {}).flatMap(([id, given]) => {
      const target = idOf(part, Number(id));
      return target === null ? [] : [plan(`notifications.${name}.${id}`, type, target, given)];
    }),
  );
  return { settings: [...global, ...single], builtInMissing };
};

/** The fields used by each kind of target. Others may be stored, but are not exported. */
const FIELDS: Record<TargetType, readonly (keyof NotificationRule)[]> = {
  monitor: [
    "enabled",
    "overrideGlobal",
    "onDown",
    "onRecovery",
    "onSlow",
    "onCertificate",
    "channels",
    "policyId",
    "critical",
  ],
  agent: (Object.keys(DEFAULT_RULE) as (keyof NotificationRule)[]).filter(
    (name) => name !== "onDown" && name !== "onSlow" && name !== "onCertificate",
  ),
};

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
  plan: async (sent, context) => {
    const { deps, owner } = context;
    const hasBuiltIn = builtInChannel(deps.config, owner.role) !== null;
    const { settings, builtInMissing } = planSettings(sent, context, hasBuiltIn);
    const rows = await deps.db.select().from(notificationRules).where(ownedBy(notificationRules, owner.id));
    const stored = new Map(rows.map((row) => [keyOf(row), row]));
    const own = await deps.db.select({ id: channels.id }).from(channels).where(ownedBy(channels, owner.id));
    const existing = new Set([BUILT_IN_ID, ...own.map(({ id }) => id)]);
    const differs = ({ setting, ...target }: PlannedSetting): boolean => {
      const row = stored.get(keyOf(target));
      // A stored rule may refer to deleted channels, which no file contains.
      const before = row && { ...row, channels: row.channels.filter((id) => existing.has(id)) };
      return (
        before !== undefined && FIELDS[target.targetType].some((name) => !Bun.deepEquals(before[name], setting[name]))
      );
    };
    const added = settings.filter((setting) => !stored.has(keyOf(setting)));
    return {
      created: added.length,
      skipped: settings.length - added.length,
      // The user may have stored a rule for the same target since they were read.
      statements: ({ condition }) => [
        sql`${insertRows(notificationRules, COLUMNS, added.map(rowOf), { common: { user_id: owner.id }, condition })}
          on conflict do nothing`,
      ],
      notes: () => [
        ...(builtInMissing
          ? [note("built_in_missing", "notifications", "there is no built-in channel for you here")]
          : []),
        ...settings.filter(differs).map(({ path }) => note("kept", path, "yours stays as it is")),
      ],
    };
  },
});
