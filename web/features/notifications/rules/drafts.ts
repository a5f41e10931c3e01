import type { Static } from "@sinclair/typebox";
import { atom, useAtomValue, useStore } from "jotai";
import type {
  AgentRule,
  MonitorRule,
  RuleOfOne,
  Settings as WireSettings,
} from "../../../../src/modules/alerting/rules/present";
import { METRICS, type Metric, type TargetType } from "../../../../src/shared/notifications";
import { sessionAtom } from "../../../session";
import type { Channel } from "../api";
import type { Policy } from "../policies/policy";

/** The target of a global rule. */
export type GlobalKey = `global-${TargetType}`;
/** The targets of a notification rule: all monitors, all agents, or one of them. */
export type TargetKey = GlobalKey | `${TargetType}:${number}`;
/** A rule in the form of the hub's answers. It has the fields of its kind of target only. */
export type Setting = MonitorRule & AgentRule & RuleOfOne;
export type Settings = { [K in GlobalKey]: Setting } & { [K in TargetKey]?: Setting };

/** The two fields of each metric with a threshold. */
export const metricFields = {
  cpu: { on: "onCpuThreshold", threshold: "cpuThreshold" },
  memory: { on: "onMemoryThreshold", threshold: "memoryThreshold" },
  disk: { on: "onDiskThreshold", threshold: "diskThreshold" },
} as const satisfies Record<Metric, { on: keyof Setting; threshold: keyof Setting }>;

/** The rules of the hub's answer, keyed by target. */
export const toSettings = ({ monitors, agents, ...specific }: Static<typeof WireSettings>): Settings => {
  const forAll = { overrideGlobal: false, critical: false };
  const keyed = (kind: TargetType, rules: Record<string, object>) =>
    Object.fromEntries(Object.entries(rules).map(([id, rule]) => [`${kind}:${id}`, rule as Setting]));
  return {
    "global-monitor": { ...monitors, ...forAll } as Setting,
    "global-agent": { ...agents, ...forAll } as Setting,
    ...keyed("monitor", specific.specificMonitors),
    ...keyed("agent", specific.specificAgents),
  };
};

export const kindOf = (key: TargetKey): TargetType => (/^(global-)?monitor/.test(key) ? "monitor" : "agent");

/** The id in a key; undefined for a global one. */
const idOf = (key: TargetKey): number | undefined => {
  const [, id] = key.split(":");
  return id === undefined ? undefined : Number(id);
};

/** A target's stored rule; by default a copy of the global rule, switched off. */
export const settingOf = (settings: Settings, key: TargetKey): Setting =>
  settings[key] ?? { ...settings[`global-${kindOf(key)}`], enabled: false, overrideGlobal: false, critical: false };

/** The edit that switches a target's own rule on or off. Switching it on also enables its alerts. */
export const withOverride = (overrideGlobal: boolean): Partial<Setting> =>
  overrideGlobal ? { overrideGlobal, enabled: true } : { overrideGlobal };

/** The edit that enables or disables alerts. Alerts enabled without a channel or policy go to every enabled channel. */
export const withEnabled = (
  enabled: boolean,
  { channels, policyId }: Pick<Setting, "channels" | "policyId">,
  ownChannels: readonly { id: number; enabled: boolean }[],
): Partial<Setting> =>
  enabled && channels.length === 0 && policyId === null
    ? { enabled, channels: ownChannels.filter((channel) => channel.enabled).map(({ id }) => id) }
    : { enabled };

export const isThreshold = (value: number) => Number.isFinite(value) && value >= 0 && value <= 100;

export const isValid = (key: TargetKey, setting: Setting) =>
  kindOf(key) === "monitor" || METRICS.every((metric) => isThreshold(setting[metricFields[metric].threshold]));

/** Unsaved edits: for each target its name and only the edited fields. */
export type Drafts = { readonly [K in TargetKey]?: { name: string; change: Partial<Setting> } };

const isSame = (one: unknown, other: unknown) =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((item) => other.includes(item))
    : Object.is(one, other);

/** A target's stored rule with its edits. A refresh still updates the fields that were not edited. */
export const draftOf = (settings: Settings, drafts: Drafts, key: TargetKey): Setting => ({
  ...settingOf(settings, key),
  ...drafts[key]?.change,
});

/** The drafts with one more edit of a target. */
export const edit = (drafts: Drafts, key: TargetKey, name: string, change: Partial<Setting>): Drafts => ({
  ...drafts,
  [key]: { name, change: { ...drafts[key]?.change, ...change } },
});

/** The edited fields that differ from the stored rule. */
export const changeOf = (stored: Setting, change: Partial<Setting>): Partial<Setting> =>
  Object.fromEntries(Object.entries(change).filter(([field, value]) => !isSame(value, stored[field as keyof Setting])));

/** The targets whose drafts differ from the stored rules. */
export const changedKeys = (settings: Settings, drafts: Drafts): TargetKey[] =>
  (Object.keys(drafts) as TargetKey[]).filter(
    (key) => Object.keys(changeOf(settingOf(settings, key), drafts[key]?.change ?? {})).length > 0,
  );

/** The changed targets with an invalid threshold. */
export const invalidKeys = (settings: Settings, drafts: Drafts): TargetKey[] =>
  changedKeys(settings, drafts).filter((key) => !isValid(key, draftOf(settings, drafts, key)));

/** The drafts without the saved targets, except those edited again since they were sent. */
export const withoutSaved = (drafts: Drafts, sent: Drafts, saved: readonly TargetKey[]): Drafts =>
  Object.fromEntries(
    (Object.keys(drafts) as TargetKey[])
      .filter((key) => !saved.includes(key) || drafts[key] !== sent[key])
      .map((key) => [key, drafts[key]]),
  );

/** The body that saves a target's rule. The hub leaves fields that are not sent unchanged. */
export const toSettingBody = (key: TargetKey, setting: Setting) => {
  const id = idOf(key);
  const kind = kindOf(key);
  return {
    target_type: id === undefined ? (`global-${kind}` as const) : kind,
    ...(id !== undefined && { target_id: id, override_global: setting.overrideGlobal, critical: setting.critical }),
    enabled: setting.enabled,
    on_recovery: setting.onRecovery,
    ...(kind === "monitor"
      ? { on_down: setting.onDown, on_slow: setting.onSlow, on_certificate: setting.onCertificate }
      : {
          on_offline: setting.onOffline,
          on_problem: setting.onProblem,
          on_plan: setting.onPlan,
          on_cpu_threshold: setting.onCpuThreshold,
          cpu_threshold: setting.cpuThreshold,
          on_memory_threshold: setting.onMemoryThreshold,
          memory_threshold: setting.memoryThreshold,
          on_disk_threshold: setting.onDiskThreshold,
          disk_threshold: setting.diskThreshold,
        }),
    channels: JSON.stringify(setting.channels),
    policy_id: setting.policyId,
  };
};

export type SettingBody = ReturnType<typeof toSettingBody>;

const storedDrafts = atom<{ owner: number | undefined; drafts: Drafts }>({ owner: undefined, drafts: {} });

/** Unsaved edits survive tabs, screens and refreshes, and are visible only to the user who made them. */
export const draftsAtom = atom(
  (get): Drafts => {
    const { owner, drafts } = get(storedDrafts);
    return owner === get(sessionAtom).user?.id ? drafts : {};
  },
  (get, set, drafts: Drafts) => set(storedDrafts, { owner: get(sessionAtom).user?.id, drafts }),
);

/** A rule with its unsaved edits, and the callback that edits it. */
export type Editing = {
  setting: Setting;
  channels: readonly Channel[];
  policies: readonly Policy[];
  onChange: (change: Partial<Setting>) => void;
};

/** Reads and edits the rule of any target, with its unsaved edits. */
export const useDrafts = (settings: Settings) => {
  const drafts = useAtomValue(draftsAtom);
  const store = useStore();
  return {
    of: (key: TargetKey) => draftOf(settings, drafts, key),
    change: (key: TargetKey, name: string, change: Partial<Setting>) =>
      store.set(draftsAtom, edit(store.get(draftsAtom), key, name, change)),
  };
};
