import { type Static, t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { madeBy, ownedBy } from "../../../db/owner";
import { notificationRules } from "../../../db/schema";
import { field, whole } from "../../../server/schema";
import {
  DEFAULT_RULE,
  DEFAULT_THRESHOLDS,
  type EventGroup,
  type NotificationRule,
  type TargetType,
} from "../../../shared/notifications";
import { definePart, fileId, MAX_ITEMS, note } from "../../transfer/part";
import { viewOf } from "../targets";
import { eventsOf, forMonitors, forServers, ofOne, Settings, SWITCHES } from "./present";
import { readSettings, thresholdsOf } from "./service";

const flag = t.Optional(t.Boolean({ error: "expected true or false" }));
const threshold = t.Optional(t.Number({ minimum: 0, maximum: 100, error: "expected a number from 0 to 100" }));

const switches = Object.fromEntries(Object.values(SWITCHES).map(([inFile]) => [inFile, flag])) as Record<
  (typeof SWITCHES)[EventGroup][0],
  typeof flag
>;

const settingModel = t.Object({
  enabled: flag,
  overrideGlobal: flag,
  ...switches,
  cpuThreshold: threshold,
  memoryThreshold: threshold,
  diskThreshold: threshold,
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

/** The setting for all targets of a type has the name of their part. */
const TARGETS = [
  { type: "monitor", part: "monitors", specific: "specificMonitors" },
  { type: "agent", part: "agents", specific: "specificAgents" },
] as const;

/** A setting of a file with its place there, as it is stored. */
const planned = (path: string, targetType: TargetType, targetId: number, sent: SentSetting) => {
  const { enabled, overrideGlobal, critical, channels, policyId } = { ...DEFAULT_RULE, ...sent };
  const single = targetId !== 0;
  const setting: NotificationRule = {
    ...{ enabled, channels, policyId, events: eventsOf(sent, DEFAULT_RULE.events) },
    ...{ overrideGlobal: single && overrideGlobal, critical: single && critical },
  };
  const thresholds = {
    cpu: sent.cpuThreshold ?? DEFAULT_THRESHOLDS.cpu,
    memory: sent.memoryThreshold ?? DEFAULT_THRESHOLDS.memory,
    disk: sent.diskThreshold ?? DEFAULT_THRESHOLDS.disk,
  };
  const isDefault = Bun.deepEquals(setting, DEFAULT_RULE) && Bun.deepEquals(thresholds, DEFAULT_THRESHOLDS);
  const exported = {
    ...(targetType === "monitor" ? forMonitors(setting) : forServers(setting, thresholds)),
    ...(single && ofOne(setting)),
  };
  return { path: `notifications.${path}`, targetType, targetId, setting, thresholds, isDefault, exported };
};

const keyOf = ({ targetType, targetId }: { targetType: TargetType; targetId: number }) => `${targetType} ${targetId}`;

/** The notification rules of an exported file. */
export const rulesPart = definePart({
  key: "notifications",
  counted: "settings",
  sent: field(sentModel, "Existing settings are kept."),
  exported: Settings,
  export: ({ deps, owner }) => readSettings(deps, owner),
  references: (sent, { one, list, record }) => {
    const within = (setting: SentSetting, path: string): SentSetting => ({
      ...setting,
      ...(setting.channels && { channels: list("channels", setting.channels, `${path}.channels`) }),
      ...(setting.policyId && { policyId: one("policies", setting.policyId, `${path}.policyId`) }),
    });
    return {
      ...(sent.monitors && { monitors: within(sent.monitors, "monitors") }),
      ...(sent.agents && { agents: within(sent.agents, "agents") }),
      specificMonitors: record("monitors", sent.specificMonitors, "specificMonitors", within),
      specificAgents: record("agents", sent.specificAgents, "specificAgents", within),
    };
  },
  import: async (sent, { deps, owner, idInFile }) => {
    const settings = [
      ...TARGETS.flatMap(({ type, part }) => (sent[part] ? [planned(part, type, 0, sent[part])] : [])),
      ...TARGETS.flatMap(({ type, part, specific }) =>
        Object.entries(sent[specific] ?? {}).map(([id, setting]) =>
          planned(`${specific}.${idInFile(part, Number(id))}`, type, Number(id), setting),
        ),
      ),
      // A rule for all without a row is the default.
    ].filter(({ targetId, isDefault }) => targetId !== 0 || !isDefault);
    const before = await readSettings(deps, owner);
    const { targetType, targetId } = notificationRules;
    const own = ownedBy(notificationRules, owner.teamId);
    const stored = new Set(
      (await deps.db.select({ targetType, targetId }).from(notificationRules).where(own)).map(keyOf),
    );
    const exportedOf = ({ targetType: type, targetId: id }: (typeof settings)[number]) => {
      const { part, specific } = TARGETS[type === "monitor" ? 0 : 1];
      return id === 0 ? before[part] : before[specific][id];
    };
    const added = settings.filter((setting) => !stored.has(keyOf(setting)));
    const changed = settings.filter(
      (setting) => stored.has(keyOf(setting)) && !Bun.deepEquals(exportedOf(setting), setting.exported),
    );
    const rows = added.map(({ setting, ...target }) => ({ ...setting, ...target, ...madeBy(owner) }));
    await insertMany(deps.db, notificationRules, rows);
    const figures = added
      .filter((one) => one.targetType === "agent")
      .map((one) => thresholdsOf(one.targetId, one.setting, one.thresholds));
    await viewOf("agent").writeRuleThresholds(deps, madeBy(owner), figures);
    return {
      created: added.length,
      skipped: settings.length - added.length,
      notes: () => changed.map(({ path }) => note("kept", path, "yours stays as it is")),
    };
  },
});
