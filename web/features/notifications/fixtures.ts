import type { Static } from "@sinclair/typebox";
import { forMonitors, forServers, type Settings } from "../../../src/modules/alerting/rules/present";
import { DEFAULT_RULE, DEFAULT_THRESHOLDS } from "../../../src/shared/notifications";
import type { Setting } from "./rules/drafts";

/** A rule that was never changed, of either kind of target. */
export const defaultSetting: Setting = {
  ...forMonitors(DEFAULT_RULE),
  ...forServers(DEFAULT_RULE, DEFAULT_THRESHOLDS),
  overrideGlobal: false,
  critical: false,
};

type WireSettings = Static<typeof Settings>;

/** The settings that the API answers, default ones with these changes. */
export const wireSettings = (change: { monitors?: Partial<WireSettings["monitors"]> } = {}): WireSettings => ({
  monitors: { ...forMonitors(DEFAULT_RULE), ...change.monitors },
  agents: forServers(DEFAULT_RULE, DEFAULT_THRESHOLDS),
  specificMonitors: {},
  specificAgents: {},
});
