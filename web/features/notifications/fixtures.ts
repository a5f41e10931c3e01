import type { Static } from "@sinclair/typebox";
import { forMonitors, forServers, type Settings } from "../../../src/modules/alerting/rules/present";
import { DEFAULT_RULE, DEFAULT_THRESHOLDS } from "../../../src/shared/notifications";
import type { Delivery, HistoryEvent } from "./history/api";
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

/** The time of an event or delivery. */
export const at = "2026-01-01T00:10:00.000Z";
/** An event of the history: a monitor is down, and no one was notified. */
export const event = (change: Partial<HistoryEvent>): HistoryEvent => ({
  id: 1,
  outage_id: null,
  drill: false,
  kind: "down",
  target: { type: "monitor", id: 7, name: "Shop" },
  at,
  since: null,
  error: null,
  error_code: null,
  error_detail: null,
  figure: null,
  threshold: null,
  mount: null,
  subject: null,
  facts: null,
  report: null,
  deliveries: [],
  unsent_reason: change.deliveries?.length ? null : "default_disabled",
  unsent: change.deliveries?.length ? null : "alerts are off in the default rule",
  ...change,
});
/** A message that was sent. */
export const delivery = (change: Partial<Delivery>): Delivery => ({
  id: 1,
  channel: { id: 1, name: "On-call", type: "telegram" },
  state: "sent",
  attempts: 1,
  error: null,
  error_code: null,
  error_detail: null,
  digest_id: null,
  purpose: "alert",
  sequence: 0,
  count: 1,
  created_at: at,
  next_attempt_at: null,
  ended_at: at,
  ...change,
});
