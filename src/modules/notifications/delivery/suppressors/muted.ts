import type { Suppressor } from "./suppressor";

/** The rule of the target is switched off. */
export const muted: Suppressor = {
  reason: (_, { rule }) => (rule.enabled ? null : "the notification rule is switched off"),
  stored: false,
};
