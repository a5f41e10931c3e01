import { sequenceOfStep } from "../../../../shared/alert-policy";
import { SECOND } from "../../../../shared/limits";
import {
  type DeliveryErrorCode,
  type DeliveryPurpose,
  eventKindsOf,
  isBroken,
  isClosing,
  isLasting,
  outageKindOf,
} from "../../../../shared/notifications";
import { channelKinds } from "../../channels/registry";
import { type PlanContext, suppressors as registered, type Suppressor, selects } from "../suppressors";
import { quietEnd } from "./quiet";
import type {
  Escalation,
  Flapping,
  FlappingRow,
  Next,
  Planned,
  PriorDelivery,
  Recipient,
  State,
  Subject,
} from "./state";
import { nextMove, nextTime } from "./steps";

type Decision = Pick<Next, "explainedBy" | "flapping"> & {
  /** The event is held until then, or until its outage ends. */
  holdUntil?: number;
  /** Why it is not sent to any channel. */
  withheld?: DeliveryErrorCode;
  /** Why it is sent, unless as an alert. */
  purpose?: DeliveryPurpose;
  sequence?: number;
  /** To whom it is sent, unless to the first step of the policy and the channels that were notified. */
  channels?: readonly number[];
};

/** When a target counts as stable after an event: an event that is planned late was the last for a while already. */
const settlesAfter = ({ event }: Subject, { quiet }: Flapping, now: number): number =>
  Math.max(event.at + quiet, now + 1);

/** An event of a target that is unstable already. Once the target is stable, its last event is planned again. */
const decideUnstable = (subject: Subject, flapping: Flapping, row: FlappingRow, now: number): Decision => {
  const { id } = subject.event;
  if (row.eventId === id && row.settlesAt <= now)
    return {
      ...{ purpose: "settled", sequence: row.changes, flapping: null },
      ...(flapping.informed && { channels: flapping.informed }),
    };
  const isCounted = row.eventId >= id;
  const counted = { eventId: id, changes: row.changes + 1, settlesAt: settlesAfter(subject, flapping, now) };
  return { withheld: "flapping", flapping: isCounted ? row : counted };
};

/** What decides about an event before its channels do. */
const decide = (subject: Subject, { flapping, dependencies }: State, now: number): Decision => {
  const { event, outage } = subject;
  if (event.drill) return {};
  if (flapping.row) return decideUnstable(subject, flapping, flapping.row, now);

  const explainedBy = outage?.explainedBy ?? null;
  const isOpening = outage !== null && !isClosing(event.kind);
  let change: Decision = {};
  if (outage && isBroken(outageKindOf(event.kind))) {
    // An outage that was explained until its end is sent to no channel, neither its beginning nor its end.
    if (outage.endedAt !== null && explainedBy !== null) return { withheld: "explained" };
    if (isOpening && outage.endedAt === null) {
      if (dependencies.explainedBy !== null) return { withheld: "explained", explainedBy: dependencies.explainedBy };
      const waits = dependencies.answers.flatMap(({ at, wait }) => (at < outage.startedAt ? [wait] : []));
      if (event.holdUntil === null && waits.length > 0) return { holdUntil: now + Math.max(...waits) };
      if (explainedBy !== null) change = { explainedBy: null };
    }
  }

  if (isOpening && outage.endedAt !== null) return { ...change, withheld: "recovered" };
  const isAcknowledged = outage?.acknowledgedAt != null && (outage.acknowledgedUntil ?? now + 1) > now;
  // A tighter threshold of a certificate is sent, although its outage was acknowledged at one before.
  if (isOpening && isAcknowledged && !isLasting(outage.kind)) return { ...change, withheld: "acknowledged" };

  if (flapping.limit === 0 || flapping.changes < flapping.limit) return change;
  const row = { eventId: event.id, changes: flapping.changes, settlesAt: settlesAfter(subject, flapping, now) };
  return { ...change, purpose: "flapping", sequence: flapping.changes, flapping: row };
};

/** A message to one channel, before the suppressors are asked. */
type Draft = { channelId: number; purpose: DeliveryPurpose; sequence: number; reason?: DeliveryErrorCode | null };

/** The channels with a delivery, by the last one of each. */
const channelsOf = (deliveries: readonly PriorDelivery[]): number[] =>
  [...new Set(deliveries.map(({ channelId }) => channelId).toReversed())].toReversed();

/**
 * Why a closing event is not sent to a channel that has a delivery of the opening event. Null if it is sent: the channel was
 * notified, or will be; or it was muted then, and the mute decides; or quiet hours held the alert, and the recovery alone is
 * enough.
 */
const reasonOfClosing = (deliveries: readonly PriorDelivery[]): DeliveryErrorCode | null => {
  const isNotified = ({ state, errorCode, purpose, isUntried }: PriorDelivery): boolean =>
    state === "sent" ||
    (state === "withheld" && errorCode === "muted") ||
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
 * Whether an outage continues with steps or reminders after its first message was planned. Outages of certificates and plans
 * have an event for each threshold instead.
 */
const isEscalated = ({ event, outage, rule, policy }: Subject, planned: readonly Planned[]): boolean =>
  outage !== null &&
  outage.endedAt === null &&
  !isClosing(event.kind) &&
  outage.kind !== "certificate" &&
  (policy.steps.length > 1 || policy.repeatMinutes > 0) &&
  rule.enabled &&
  selects(rule, event) &&
  // No delivery at all: the channels of the first step are gone.
  (planned.length === 0 || planned.some(({ reason }) => reason === null || reason === "quiet_hours"));

/** The messages that are stored, each with the first reason not to send it. */
const toPlanned = (
  subject: Subject,
  drafts: readonly Draft[],
  context: Omit<PlanContext, "rule" | "channel">,
  options: { suppressors: readonly Suppressor[]; timeOf: (channel: Recipient) => Time },
): Planned[] =>
  drafts.flatMap(({ channelId, purpose, sequence, reason = null }) => {
    const channel = subject.channelOf(channelId);
    const reasonOf = (one: Suppressor) => one.reason(subject.event, { rule: subject.rule, channel, ...context });
    const suppressor = options.suppressors.find((one) => reasonOf(one) !== null);
    if (!channel || (suppressor && !suppressor.stored)) return [];
    const time = options.timeOf(channel);
    return [
      { channel, purpose, sequence, ...time, reason: (suppressor && reasonOf(suppressor)) ?? time.reason ?? reason },
    ];
  });

const idsOf = (prior: readonly PriorDelivery[], condition: (delivery: PriorDelivery) => boolean): number[] =>
  prior.flatMap((delivery) => (condition(delivery) ? [delivery.id] : []));

/** The steps and reminders of an open outage that are due. A channel gets one message, although several steps name it. */
const nextStep = (
  subject: Subject,
  state: State,
  { row, now, suppressors }: { row: Escalation; now: number; suppressors: readonly Suppressor[] },
): Next => {
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
  const context = { muted: false, withheld: move.dropped ? ("quiet_hours" as const) : null, now };
  const time = { dueAt: now, heldBy: null, groupSeconds: policy.groupSeconds, reason: null };
  const deliveries = toPlanned(subject, drafts, context, { suppressors, timeOf: () => time });
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
 * The messages about an outage at `now`, and the next evaluation time. A message is not sent because its event is held or
 * withheld (decide), it has no recipient (draftEvent), or it is suppressed: by a suppressor, by quiet hours, or because the
 * channel was not notified of the outage (toPlanned).
 */
export const next = (
  subject: Subject,
  state: State,
  now: number,
  suppressors: readonly Suppressor[] = registered,
): Next => {
  const { escalation, prior, isMuted, hasSiblings } = state;
  if (escalation) return nextStep(subject, state, { row: escalation, now, suppressors });
  const decision = decide(subject, state, now);
  const { explainedBy, flapping, holdUntil, withheld = null, purpose } = decision;
  const changes = { explainedBy, flapping };
  if (holdUntil !== undefined) return { ...changes, deliveries: [], wakeAt: holdUntil, isHeld: true };
  const deliveries = toPlanned(
    subject,
    draftEvent(subject, decision, prior),
    { muted: isMuted, withheld, now },
    { suppressors, timeOf: (channel) => timeOf(subject, channel, hasSiblings, now) },
  );
  // What no provider has got is withdrawn. A message that the target changes too often is true all the same.
  const unsent = idsOf(prior ?? [], (delivery) => delivery.isUntried && delivery.purpose !== "flapping");
  const ended = prior && { isOver: true, withheld: { ids: unsent, reason: "recovered" as const } };
  const planned = { ...changes, deliveries, ...ended };
  // The steps of an outage whose target was unstable begin once it is stable.
  if (withheld !== null || purpose === "flapping" || isMuted || !isEscalated(subject, deliveries))
    return { ...planned, wakeAt: null };
  const firstAt = deliveries.length > 0 ? Math.min(...deliveries.map(({ dueAt }) => dueAt)) : now;
  const progress = { startedAt: subject.event.at, nextStep: 1, reminders: 0, remindedAt: firstAt };
  const wakeAt = nextTime(progress, subject.policy);
  return { ...planned, wakeAt, ...(wakeAt !== null && { progress }) };
};
