/** Why an event has no deliveries. */
import { isClosing } from "../../../../shared/notifications";
import type { UnsentReason } from "../../../../shared/outages/unsent-reasons";
import { type Decision, selects } from "./decide";
import type { Subject } from "./state";

type Rule = Pick<Subject, "rule" | "origin" | "hasChannels" | "channelOf"> & {
  event: Pick<Subject["event"], "kind" | "facts">;
};

/**
 * Why the settings of a target let no channel get an event: the first reason to mend. `chosen` are the channels of its rule or
 * policy. Null if a channel gets it.
 */
export const reasonOfSettings = (
  { event, rule, origin, hasChannels, channelOf }: Rule,
  chosen: readonly number[],
): UnsentReason | null => {
  const isOwn = origin === "own";
  if (!hasChannels) return "no_channels";
  if (origin === "none") return "no_rule";
  if (!rule.enabled) return isOwn ? "rule_disabled" : "default_disabled";
  if (!selects(rule, event)) return "not_selected";
  if (chosen.length === 0) return isOwn ? "no_recipients" : "default_no_recipients";
  const found = chosen.flatMap((id) => channelOf(id) ?? []);
  if (found.some(({ enabled }) => enabled)) return null;
  return found.length > 0 ? "channel_disabled" : "channel_deleted";
};

/** Why an event was planned without a delivery. `hasPrior`: the event that opened its outage is known. */
export const reasonOfNone = (
  subject: Subject,
  decision: Pick<Decision, "channels">,
  { drafted, hasPrior }: { drafted: readonly number[]; hasPrior: boolean },
): UnsentReason => {
  const chosen = drafted.length > 0 ? drafted : (subject.policy.steps[0]?.channels ?? []);
  const reason = reasonOfSettings(subject, chosen);
  if (reason) return reason;
  // The settings were changed since the outage began: its end goes to the channels that were notified of it.
  if (hasPrior && isClosing(subject.event.kind)) return "unannounced";
  return decision.channels ? "recovered" : "unknown";
};
