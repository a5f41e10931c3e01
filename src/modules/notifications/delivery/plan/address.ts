import { SECOND } from "../../../../shared/limits";
import { type DeliveryErrorCode, eventKindsOf, isClosing, outageKindOf } from "../../../../shared/notifications";
import { channelKinds } from "../../channels/registry";
import { type PlanContext, type Suppressor, selects } from "../suppressors";
import type { PlannedEvent, Recipient } from "./batch";
import { draftDrill } from "./drill";
import { quietEnd } from "./quiet";
import type { Notified } from "./recovery";
import type { Decision, Draft } from "./stage";
import type { Planned } from "./write";

/** To whom the first message about an event goes, by the policy. */
const firstStep = ({ policy }: PlannedEvent): number[] => policy.steps[0]?.channels ?? [];

/** The messages of an event, before the suppressors are asked. */
export const addressOf = (
  planned: PlannedEvent,
  decision: Decision | undefined,
  notified: Notified | undefined,
): Draft[] => {
  const { event, rule, channelOf } = planned;
  if (event.drill) return draftDrill(planned);
  const draft = (ids: number[], facts: Partial<Draft> = {}): Draft[] =>
    [...new Set(ids)].map((id) => ({ planned, channel: channelOf(id), purpose: "alert", sequence: 0, ...facts }));
  if (decision && "purpose" in decision) {
    const { purpose, sequence = 0, channels = [...firstStep(planned), ...(notified?.channelIds ?? [])] } = decision;
    return draft(channels, { purpose, sequence });
  }
  if (!isClosing(event.kind) || !notified) return draft(firstStep(planned));
  if (notified.channelIds.length > 0) return draft(notified.channelIds, { notified });
  // A rule for recoveries alone has no channels that were notified.
  return selects(rule, { ...event, kind: eventKindsOf(outageKindOf(event.kind)).opening })
    ? []
    : draft(firstStep(planned));
};

/** A message with the reason if it is suppressed; null where no reason is to be stored. */
export const suppress = (
  draft: Draft,
  suppressors: readonly Suppressor[],
  facts: Pick<PlanContext, "muted" | "withheld" | "now">,
): (Omit<Draft, "channel"> & Pick<Planned, "channel" | "reason">) | null => {
  const { planned, channel } = draft;
  const context = { rule: planned.rule, channel, ...facts };
  const suppressor = suppressors.find(({ reason }) => reason(planned.event, context) !== null);
  if (!channel || (suppressor && !suppressor.stored)) return null;
  return { ...draft, channel, reason: suppressor?.reason(planned.event, context) ?? null };
};

/** Seconds for which alerts about several parts of one server wait for each other. */
const PARTS_SECONDS = 1;

/** Alerts that wait for others are sent once this many milliseconds have passed without another one. */
export const GROUP_PAUSE = 2 * SECOND;

/** Whether alerts of a channel wait for others, which its kind sends as one message. */
const isGrouped = ({ type }: Recipient): boolean => channelKinds.get(type)?.grouped !== false;

/** When a message of an event through a channel is due: after the time in which it waits for others, and not in quiet hours. */
export const timeOf = (
  { event, policy, critical, hasSiblings }: PlannedEvent,
  channel: Recipient,
  now: number,
): Pick<Planned, "dueAt" | "groupSeconds" | "heldBy"> & { reason: DeliveryErrorCode | null } => {
  const isAlone = event.drill || !isGrouped(channel);
  const groupSeconds = isAlone ? 0 : Math.max(policy.groupSeconds, hasSiblings ? PARTS_SECONDS : 0);
  const dueAt = now + Math.min(groupSeconds * SECOND, GROUP_PAUSE);
  const end = event.drill || critical || !policy.quiet ? null : quietEnd(policy.quiet, dueAt);
  if (end === null) return { dueAt, groupSeconds, heldBy: null, reason: null };
  if (policy.quiet?.mode === "drop") return { dueAt, groupSeconds, heldBy: null, reason: "quiet_hours" };
  return { dueAt: end, groupSeconds, heldBy: "quiet_hours", reason: null };
};
