import type { Deps } from "../../../../core/deps";
import type { alertPolicies } from "../../../../db/schema";
import type { AlertPolicy } from "../../../../shared/alert-policy";
import type { NotificationRule } from "../../../../shared/notifications";
import { channelsOf } from "../../rules/service";

type PolicyRow = typeof alertPolicies.$inferSelect;

/** The policy of a rule that names one; otherwise its channels, at once and without reminders. */
export const policyOf = (
  rule: NotificationRule,
  policies: ReadonlyMap<number, PolicyRow>,
  { alertGroupSeconds }: Deps["config"],
): AlertPolicy => {
  const named = rule.policyId === null ? undefined : policies.get(rule.policyId);
  if (named) return named;
  const steps = [{ afterMinutes: 0, channels: channelsOf(rule) }];
  return { steps, repeatMinutes: 0, repeatMax: 0, quiet: null, groupSeconds: alertGroupSeconds };
};
