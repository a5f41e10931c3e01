import type { Suppressor } from "./suppressor";

/** The rule of the target is switched off. */
export const muted: Suppressor = {
  reason: (_, { rule }) => (rule.enabled ? null : "rule_disabled"),
  stored: false,
};
