import type { ChannelForm } from "../../../src/shared/channel-fields";
import { DEFAULT_RULE, type NotificationRule } from "../../../src/shared/setting";
import type { Settings } from "./rules/setting";

type Flag = boolean | 0 | 1;
type WireSetting = { [K in keyof NotificationRule]?: NotificationRule[K] extends boolean ? Flag : NotificationRule[K] };
type WireChannel = {
  id: number;
  name: string;
  type: string;
  config: Record<string, string> | string;
  enabled: Flag;
  default?: Flag;
  problem?: string | null;
};
type WireTemplate = {
  id: number;
  name: string;
  type: string;
  subject: string;
  content: string;
  is_default: Flag;
};

export type Wire = {
  kinds: readonly ChannelForm[];
  channels: readonly WireChannel[];
  templates: readonly WireTemplate[];
  settings: {
    monitors: WireSetting;
    agents: WireSetting;
    specificMonitors: Record<string, WireSetting>;
    specificAgents: Record<string, WireSetting>;
  };
};

export type Channel = ReturnType<typeof toChannel>;
export type Template = ReturnType<typeof toTemplate>;
export type Notifications = {
  kinds: readonly ChannelForm[];
  channels: Channel[];
  templates: Template[];
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
  problem: wire.problem ?? null,
});

const toTemplate = ({ is_default, ...template }: WireTemplate) => ({ ...template, isDefault: Boolean(is_default) });

/** Flags become booleans, gaps are filled, and channels that are no more are left out: saving their ids would fail. */
const toSetting = (wire: WireSetting, known: ReadonlySet<number>): NotificationRule => {
  const entries = Object.entries(DEFAULT_RULE).map(([field, fallback]) => {
    const value = wire[field as keyof NotificationRule] ?? fallback;
    return [field, typeof fallback === "boolean" ? Boolean(value) : value];
  });
  const setting = Object.fromEntries(entries) as NotificationRule;
  return { ...setting, channels: setting.channels.map(Number).filter((id) => known.has(id)) };
};

/** What the server tells of notifications, in the one form that the page works with. */
export const toNotifications = ({ kinds, channels, templates, settings }: Wire): Notifications => {
  const known = new Set(channels.map(({ id }) => id));
  const keyed = (kind: "monitor" | "agent", specific: Record<string, WireSetting>) =>
    Object.fromEntries(Object.entries(specific).map(([id, wire]) => [`${kind}:${id}`, toSetting(wire, known)]));
  return {
    kinds,
    channels: channels.map(toChannel),
    templates: templates.map(toTemplate),
    settings: {
      "global-monitor": toSetting(settings.monitors, known),
      "global-agent": toSetting(settings.agents, known),
      ...keyed("monitor", settings.specificMonitors),
      ...keyed("agent", settings.specificAgents),
    },
  };
};
