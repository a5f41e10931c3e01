import type { QuietHours, Weekday } from "../../../src/shared/alert-policy";
import type { ChannelForm } from "../../../src/shared/channel-fields";
import type { ErrorDetail } from "../../../src/shared/check-error";
import type { DeliveryErrorCode, EventKind } from "../../../src/shared/notifications";
import { DEFAULT_RULE, type NotificationRule } from "../../../src/shared/notifications";
import type { Policy } from "./policies/policy";
import type { Settings } from "./rules/drafts";

type Flag = boolean | 0 | 1;
type WireSetting = { [K in keyof NotificationRule]?: NotificationRule[K] extends boolean ? Flag : NotificationRule[K] };
type WireChannel = {
  id: number;
  name: string;
  type: string;
  config: Record<string, string> | string;
  enabled: Flag;
  default?: Flag;
  problem_code?: DeliveryErrorCode | null;
  problem_detail?: ErrorDetail | null;
};
type WireTemplate = {
  id: number;
  name: EventKind;
  type: string;
  subject: string;
  content: string;
  is_default: Flag;
  title: string;
  body: string;
};
type WireOwnTemplate = {
  id: number;
  channel_id: number | null;
  event: EventKind | null;
  title: string;
  body: string;
};
type WirePolicy = {
  id: number;
  name: string;
  steps: readonly { after_minutes: number; channels: readonly number[] }[];
  repeat_minutes: number;
  repeat_max: number;
  quiet: (Omit<QuietHours, "days" | "timeZone"> & { days: readonly number[]; time_zone: string }) | null;
  group_seconds: number;
  deleted_channels: readonly number[];
  used_by: number;
};

/** The answer of the API. */
export type Wire = {
  kinds: readonly ChannelForm[];
  channels: readonly WireChannel[];
  templates: readonly WireTemplate[];
  own_templates: readonly WireOwnTemplate[];
  policies: readonly WirePolicy[];
  settings: {
    monitors: WireSetting;
    agents: WireSetting;
    specificMonitors: Record<string, WireSetting>;
    specificAgents: Record<string, WireSetting>;
  };
};

export type Channel = ReturnType<typeof toChannel>;
export type Template = ReturnType<typeof toTemplate>;
export type OwnTemplate = ReturnType<typeof toOwnTemplate>;
export type Notifications = {
  kinds: readonly ChannelForm[];
  channels: Channel[];
  templates: Template[];
  ownTemplates: OwnTemplate[];
  policies: Policy[];
  settings: Settings;
};

const toConfig = (config: WireChannel["config"]): Record<string, string> => {
  if (typeof config !== "string") return config;
  try {
    const value: unknown = JSON.parse(config);
    return typeof value === "object" && value !== null ? (value as Record<string, string>) : {};
  } catch {
    return {};
  }
};

const toChannel = (wire: WireChannel) => ({
  id: wire.id,
  name: wire.name,
  type: wire.type,
  config: toConfig(wire.config),
  enabled: Boolean(wire.enabled),
  isDefault: Boolean(wire.default),
  problem: wire.problem_code ? { code: wire.problem_code, detail: wire.problem_detail ?? null } : null,
});

const toTemplate = ({ is_default, ...template }: WireTemplate) => ({ ...template, isDefault: Boolean(is_default) });

const toOwnTemplate = ({ channel_id, ...template }: WireOwnTemplate) => ({ ...template, channelId: channel_id });

const toPolicy = ({ id, name, steps, quiet, ...wire }: WirePolicy): Policy => ({
  id,
  name,
  steps: steps.map(({ after_minutes, channels }) => ({ afterMinutes: after_minutes, channels: [...channels] })),
  repeatMinutes: wire.repeat_minutes,
  repeatMax: wire.repeat_max,
  quiet: quiet && {
    days: [...quiet.days] as Weekday[],
    from: quiet.from,
    to: quiet.to,
    timeZone: quiet.time_zone,
    mode: quiet.mode,
  },
  groupSeconds: wire.group_seconds,
  deletedChannels: [...wire.deleted_channels],
  usedBy: wire.used_by,
});

/** A rule with booleans for flags and defaults for missing fields. Deleted channels are removed, because saving their ids fails. */
const toSetting = (wire: WireSetting, existing: ReadonlySet<number>): NotificationRule => {
  const entries = Object.entries(DEFAULT_RULE).map(([field, fallback]) => {
    const value = wire[field as keyof NotificationRule] ?? fallback;
    return [field, typeof fallback === "boolean" ? Boolean(value) : value];
  });
  const setting = Object.fromEntries(entries) as NotificationRule;
  return { ...setting, channels: setting.channels.map(Number).filter((id) => existing.has(id)) };
};

/** The API's answer about notifications in the shape that the page uses. */
export const toNotifications = (wire: Wire): Notifications => {
  const { kinds, channels, templates, own_templates, policies, settings } = wire;
  const existing = new Set(channels.map(({ id }) => id));
  const keyed = (kind: "monitor" | "agent", specific: Record<string, WireSetting>) =>
    Object.fromEntries(Object.entries(specific).map(([id, wire]) => [`${kind}:${id}`, toSetting(wire, existing)]));
  return {
    kinds,
    channels: channels.map(toChannel),
    templates: templates.map(toTemplate),
    ownTemplates: own_templates.map(toOwnTemplate),
    policies: policies.map(toPolicy),
    settings: {
      "global-monitor": toSetting(settings.monitors, existing),
      "global-agent": toSetting(settings.agents, existing),
      ...keyed("monitor", settings.specificMonitors),
      ...keyed("agent", settings.specificAgents),
    },
  };
};
