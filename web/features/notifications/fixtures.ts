import { channelForms } from "../../../src/modules/notifications/channels/registry";
import { DEFAULT_RULE } from "../../../src/shared/notifications";
import type { Wire } from "./normalise";

const { overrideGlobal: _, ...global } = DEFAULT_RULE;

export const telegramChannel = {
  id: 1,
  name: "On-call",
  type: "telegram",
  config: { botToken: "••••wxyz", chatId: "-100123" },
  enabled: true,
  default: false,
  problem: null,
} as const;

/** The API's answer for default settings, with the given changes. */
export const wire = (change: Partial<Wire> = {}, settings: Partial<Wire["settings"]> = {}): Wire => ({
  kinds: channelForms("admin"),
  channels: [telegramChannel],
  templates: [],
  own_templates: [],
  policies: [],
  settings: { monitors: global, agents: global, specificMonitors: {}, specificAgents: {}, ...settings },
  ...change,
});
