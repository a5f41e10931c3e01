import { type AlertPolicy, POLICY_LIMITS, sequenceOfStep } from "../../../../shared/alert-policy";
import { isExpiryKind } from "../../../../shared/certificate";
import { MINUTE, SECOND } from "../../../../shared/limits";
import {
  type DeliveryErrorCode,
  type DeliveryPurpose,
  eventKindsOf,
  isClosing,
  outageKindOf,
} from "../../../../shared/notifications";
import { channelKinds } from "../../channels/registry";
import { type Decision, decide, reasonNotToSend, selects } from "./decide";
import { quietEnd } from "./quiet";
import type { Escalation, Next, Planned, PriorDelivery, Progress, Recipient, State, Subject } from "./state";
import { reasonOfNone } from "./unsent";

/** A message to one channel, before the reasons not to send it. */
type Draft = { channelId: number; purpose: DeliveryPurpose; sequence: number; reason?: DeliveryErrorCode | null };

/** The channels with a delivery, by the last one of each. */
const channelsOf = (deliveries: readonly PriorDelivery[]): number[] =>
  [...new Set(deliveries.map(({ channelId }) => channelId).toReversed())].toReversed();

/**
 * Why a closing event is not sent to a channel that has a delivery of the opening event. Null if it is sent: the channel was
 * notified, or will be; or it was muted or in maintenance then, whose end decides; or quiet hours held the alert, and the recovery alone is
 * enough.
 */
const reasonOfClosing = (deliveries: readonly PriorDelivery[]): DeliveryErrorCode | null => {
  const isNotified = ({ state, errorCode, purpose, isUntried }: PriorDelivery): boolean =>
    state === "sent" ||
    (state === "withheld" && (errorCode === "muted" || errorCode === "maintenance")) ||
    (state === "pending" && (!isUntried || purpose === "flapping" || errorCode === "quiet_hours"));
  if (deliveries.some(isNotified)) return null;
  if (deliveries.some(({ isUntried }) => isUntried)) return "recovered";
  return deliveries.findLast(({ state }) => state === "withheld")?.errorCode ?? "not_notified";
};

/**
 * The messages of a drill, all at once in the order of an outage: each step and one reminder to everyone, or the recovery to
 * everyone.
 */
const draftDrill = ({ event, policy }: Subject): Draft[] => {
  const everyone = [...new Set(policy.steps.flatMap(({ channels }) => channels))];
  const drafts = (ids: readonly number[], purpose: DeliveryPurpose, sequence: number): Draft[] =>
    ids.map((channelId) => ({ channelId, purpose, sequence }));
  if (isClosing(event.kind)) return drafts(everyone, "alert", 0);
  const alerts = policy.steps.flatMap(({ channels }, step) => drafts(channels, "alert", step));
  return [...alerts, ...(policy.repeatMinutes > 0 ? drafts(everyone, "reminder", 1) : [])];
};

/** The messages of an event. */
const draftEvent = (subject: Subject, decision: Decision, prior: State["prior"]): Draft[] => {
  const { event, rule, policy } = subject;
  if (event.drill) return draftDrill(subject);
  const { purpose = "alert", sequence = 0 } = decision;
  const first = policy.steps[0]?.channels ?? [];
  const notified = channelsOf(prior ?? []);
  const drafts = (ids: readonly number[]): Draft[] =>
    [...new Set(ids)].map((channelId) => ({ channelId, purpose, sequence }));
  if (purpose !== "alert") return drafts(decision.channels ?? [...first, ...notified]);
  if (!prior) return drafts(first);
  if (notified.length === 0)
    // A rule for recoveries alone has no channels that were notified.
    return selects(rule, { ...event, kind: eventKindsOf(outageKindOf(event.kind)).opening }) ? [] : drafts(first);
  const byChannel = Map.groupBy(prior, ({ channelId }) => channelId);
  return drafts(notified).map((draft) => ({ ...draft, reason: reasonOfClosing(byChannel.get(draft.channelId) ?? []) }));
};

/** How long alerts about several parts of one server wait for each other (seconds). */
const PARTS_SECONDS = 1;

/** Alerts that wait for others are sent once this many milliseconds have passed without another one. */
export const GROUP_PAUSE = 2 * SECOND;

type Time = Pick<Planned, "dueAt" | "groupSeconds" | "heldBy" | "reason">;

/** The due time of an event's message: after the grouping time, outside quiet hours. */
const timeOf = ({ event, policy, critical }: Subject, { type }: Recipient, hasSiblings: boolean, now: number): Time => {
  const isAlone = event.drill || channelKinds.get(type)?.grouped === false;
  const groupSeconds = isAlone ? 0 : Math.max(policy.groupSeconds, hasSiblings ? PARTS_SECONDS : 0);
  const dueAt = now + Math.min(groupSeconds * SECOND, GROUP_PAUSE);
  const end = event.drill || critical || !policy.quiet ? null : quietEnd(policy.quiet, dueAt);
  if (end === null) return { dueAt, groupSeconds, heldBy: null, reason: null };
  if (policy.quiet?.mode === "drop") return { dueAt, groupSeconds, heldBy: null, reason: "quiet_hours" };
  return { dueAt: end, groupSeconds, heldBy: "quiet_hours", reason: null };
};

/**
 * Whether an outage continues with steps or reminders after its first message was planned. Outages of certificates, domains and plans
 * have an event for each threshold instead.
 */
const isEscalated = ({ event, outage, rule, policy }: Subject, planned: readonly Planned[]): boolean =>
  outage !== null &&
  outage.endedAt === null &&
  !isClosing(event.kind) &&
  !isExpiryKind(outage.kind) &&
  (policy.steps.length > 1 || policy.repeatMinutes > 0) &&
  rule.enabled &&
  selects(rule, event) &&
  // No delivery at all: the channels of the first step are gone.
  (planned.length === 0 || planned.some(({ reason }) => reason === null || reason === "quiet_hours"));

/** The messages that are stored, each with the first reason not to send it. */
const toPlanned = (
  subject: Subject,
  drafts: readonly Draft[],
  withheld: Parameters<typeof reasonNotToSend>[2],
  timeOf: (channel: Recipient) => Time,
): Planned[] =>
  drafts.flatMap(({ channelId, purpose, sequence, reason = null }) => {
    const channel = subject.channelOf(channelId);
    const suppressed = reasonNotToSend(subject, channel, withheld);
    if (!channel || suppressed?.stored === false) return [];
    const time = timeOf(channel);
    return [{ channel, purpose, sequence, ...time, reason: suppressed?.code ?? time.reason ?? reason }];
  });

const idsOf = (prior: readonly PriorDelivery[], condition: (delivery: PriorDelivery) => boolean): number[] =>
  prior.flatMap((delivery) => (condition(delivery) ? [delivery.id] : []));

/** How long steps and reminders rest at most while their target is muted, in maintenance or in quiet hours, which may end early. */
const RECHECK = 5 * MINUTE;

/** The messages to send now, the progress after them, and the next evaluation time; null if no more messages follow. */
type Move = { steps: number[]; reminder: boolean; dropped: boolean; progress: Progress; nextAt: number | null };

const stepTime = ({ startedAt }: Progress, { steps }: AlertPolicy, step: number): number =>
  startedAt + (steps[step]?.afterMinutes ?? 0) * MINUTE;

const reminderTime = ({ reminders, remindedAt }: Progress, { repeatMinutes, repeatMax }: AlertPolicy): number | null =>
  repeatMinutes > 0 && reminders < (repeatMax || POLICY_LIMITS.repeatMax) ? remindedAt + repeatMinutes * MINUTE : null;

/** The due time of the next step or reminder, or null. */
const nextTime = (progress: Progress, policy: AlertPolicy): number | null => {
  const reminder = reminderTime(progress, policy);
  if (progress.nextStep >= policy.steps.length) return reminder;
  return Math.min(stepTime(progress, policy, progress.nextStep), reminder ?? Number.POSITIVE_INFINITY);
};

/** Decides which steps and reminders of an outage are due at `now`. */
const nextMove = (
  { event, outage, rule, policy, critical }: Subject,
  { isMuted, isInMaintenance, flapping }: State,
  progress: Progress,
  now: number,
): Move => {
  const rest = (nextAt: number | null): Move => ({ steps: [], reminder: false, dropped: false, progress, nextAt });
  if (outage?.endedAt !== null || outage.explainedBy !== null || flapping.row !== null) return rest(null);
  if (!rule.enabled || !selects(rule, event)) return rest(null);
  const { acknowledgedAt, acknowledgedUntil } = outage;
  if (acknowledgedAt !== null && (acknowledgedUntil ?? now + 1) > now) return rest(acknowledgedUntil);
  const due = policy.steps.flatMap((_, step) =>
    step >= progress.nextStep && stepTime(progress, policy, step) <= now ? [step] : [],
  );
  const reminderAt = reminderTime(progress, policy);
  const isReminderDue = reminderAt !== null && reminderAt <= now;
  if (due.length === 0 && !isReminderDue) return rest(nextTime(progress, policy));
  if (isMuted || isInMaintenance) return rest(now + RECHECK);
  const end = critical || !policy.quiet ? null : quietEnd(policy.quiet, now);
  if (end !== null && policy.quiet?.mode === "hold") return rest(Math.min(end, now + RECHECK));
  const dropped = end !== null;
  const advanced = {
    ...progress,
    nextStep: Math.max(progress.nextStep, (due.at(-1) ?? -1) + 1),
    reminders: progress.reminders + (isReminderDue && !dropped ? 1 : 0),
    remindedAt: isReminderDue ? now : progress.remindedAt,
  };
  return {
    steps: due,
    reminder: isReminderDue && !dropped,
    dropped,
    progress: advanced,
    nextAt: nextTime(advanced, policy),
  };
};

/**
 * Whether a delivery of the event that opened an outage is withdrawn at its end: no provider has got it. A message that the
 * target changes too often is true all the same.
 */
export const isWithdrawn = ({ isUntried, purpose }: Pick<PriorDelivery, "isUntried" | "purpose">): boolean =>
  isUntried && purpose !== "flapping";

/** The steps and reminders of an open outage that are due. A channel gets one message, although several steps name it. */
const nextStep = (subject: Subject, state: State, row: Escalation, now: number): Next => {
  const { policy } = subject;
  const prior = state.prior ?? [];
  const move = nextMove(subject, state, row, now);
  const alerts = move.steps.flatMap((step) =>
    (policy.steps[step]?.channels ?? []).map(
      (channelId): Draft => ({ channelId, purpose: "alert", sequence: sequenceOfStep(row.round, step) }),
    ),
  );
  const sent = prior.filter((delivery) => move.reminder && delivery.state === "sent");
  const notified = [...new Set(sent.map(({ channelId }) => channelId))].toSorted((one, other) => one - other);
  const reminders = notified.map(
    (channelId): Draft => ({ channelId, purpose: "reminder", sequence: move.progress.reminders }),
  );
  const byChannel = Map.groupBy([...alerts, ...reminders], ({ channelId }) => channelId);
  const drafts = [...byChannel.values()].flatMap(([first]) => first ?? []);
  const withheldBy = { isMuted: false, withheld: move.dropped ? ("quiet_hours" as const) : null };
  const time = { dueAt: now, heldBy: null, groupSeconds: policy.groupSeconds, reason: null };
  const deliveries = toPlanned(subject, drafts, withheldBy, () => time);
  const reminded = deliveries.filter(({ purpose }) => purpose === "reminder");
  const isSuperseded = ({ isUntried, purpose, sequence, channelId }: PriorDelivery): boolean =>
    isUntried &&
    purpose === "reminder" &&
    reminded.some(({ channel, sequence: later }) => channel.id === channelId && later > sequence);
  const withheld = { ids: idsOf(prior, isSuperseded), reason: "superseded" as const };
  const isNumbered = !move.reminder || reminded.length > 0;
  // A reminder that no channel gets has no number.
  const progress = isNumbered ? move.progress : { ...move.progress, reminders: row.reminders };
  const wakeAt = isNumbered ? move.nextAt : nextTime(progress, policy);
  return { deliveries, withheld, wakeAt, progress, isOver: wakeAt === null };
};

/**
 * The messages about an outage at `now`, and the next evaluation time; null if nothing changes. A message is not sent because its event is held or
 * withheld (decide.ts), it has no recipient (draftEvent), or it is suppressed: by its rule, its channel, a mute or maintenance (reasonNotToSend), by quiet hours, or because the
 * channel was not notified of the outage (toPlanned).
 */
export const next = (subject: Subject, state: State, now: number): Next | null => {
  const { escalation, prior, isMuted, isInMaintenance, hasSiblings } = state;
  if (escalation) return nextStep(subject, state, escalation, now);
  const decision = decide(subject, state, now);
  if (!decision) return null;
  const { explainedBy, flapping, isRenewed, waitUntil, withheld = null, purpose } = decision;
  const changes = { explainedBy, flapping, isRenewed };
  if (waitUntil !== undefined) return { ...changes, deliveries: [], wakeAt: waitUntil, isHeld: true };
  const silences = { isMuted, isInMaintenance, withheld };
  const drafts = draftEvent(subject, decision, prior);
  const deliveries = toPlanned(subject, drafts, silences, (channel) => timeOf(subject, channel, hasSiblings, now));
  const drafted = drafts.map(({ channelId }) => channelId);
  const unsentReason =
    deliveries.length > 0 ? null : reasonOfNone(subject, decision, { drafted, hasPrior: prior !== null });
  const unsent = idsOf(prior ?? [], isWithdrawn);
  const ended = prior && { isOver: true, withheld: { ids: unsent, reason: "recovered" as const } };
  const planned = { ...changes, deliveries, unsentReason, ...ended };
  // The steps of an outage whose target was unstable begin once it is stable.
  const isSilent = withheld !== null || isMuted || isInMaintenance;
  if (isSilent || purpose === "flapping" || !isEscalated(subject, deliveries)) return { ...planned, wakeAt: null };
  const firstAt = deliveries.length > 0 ? Math.min(...deliveries.map(({ dueAt }) => dueAt)) : now;
  const progress = { startedAt: subject.event.at, nextStep: 1, reminders: 0, remindedAt: firstAt };
  const wakeAt = nextTime(progress, subject.policy);
  return { ...planned, wakeAt, ...(wakeAt !== null && { progress }) };
};
