import { isClosing } from "../../../../shared/notifications";
import type { PlannedEvent } from "./batch";
import type { Draft } from "./stage";

/**
 * The messages of a drill, all at once in the order of an outage: those of each step and one reminder to everyone, or the
 * recovery to everyone.
 */
export const draftDrill = (planned: PlannedEvent): Draft[] => {
  const { event, policy, channelOf } = planned;
  const everyone = [...new Set(policy.steps.flatMap(({ channels }) => channels))];
  const draft = (id: number, purpose: Draft["purpose"], sequence: number): Draft => ({
    planned,
    channel: channelOf(id),
    purpose,
    sequence,
  });
  if (isClosing(event.kind)) return everyone.map((id) => draft(id, "alert", 0));
  const alerts = policy.steps.flatMap(({ channels }, step) => channels.map((id) => draft(id, "alert", step)));
  return [...alerts, ...(policy.repeatMinutes > 0 ? everyone.map((id) => draft(id, "reminder", 1)) : [])];
};
