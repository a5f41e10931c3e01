/** Why an event is sent, held or withheld: from all channels, and from one. */
import {
  type DeliveryErrorCode,
  type DeliveryPurpose,
  type EventKind,
  eventGroupOf,
  isBroken,
  isClosing,
  isLasting,
  type NotificationRule,
  outageKindOf,
} from "../../../../shared/notifications";
import { AGENT_WAIT, MONITOR_WAIT } from "../../dependencies/explanations";
import type { Target } from "../../dependencies/service";
import { detectedAt } from "../../report";
import type { Event, Flapping, FlappingRow, Next, Recipient, State, Subject } from "./state";

/** What decides about an event before its channels do. */
export type Decision = Pick<Next, "explainedBy" | "flapping" | "isRenewed"> & {
  /** The event is held until then, or until its outage ends. */
  waitUntil?: number;
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

const isStable = ({ event }: Subject, row: FlappingRow, now: number): boolean =>
  row.eventId === event.id && row.settlesAt <= now;

/** An event of a target that is unstable already. Once the target is stable, its last event is planned again. */
const decideUnstable = (subject: Subject, flapping: Flapping, row: FlappingRow, now: number): Decision => {
  if (isStable(subject, row, now))
    return {
      ...{ purpose: "settled", sequence: row.changes, flapping: null },
      ...(flapping.informed && { channels: flapping.informed }),
    };
  const { id } = subject.event;
  const isCounted = row.eventId >= id;
  const counted = { eventId: id, changes: row.changes + 1, settlesAt: settlesAfter(subject, flapping, now) };
  return { withheld: "flapping", flapping: isCounted ? row : counted };
};

/**
 * The targets whose answers a held event waits for: its parents; or its own target, which is checked once when an outage that
 * explained its outage is over.
 */
export const awaitedOf = (
  { event, outage }: Pick<Subject, "event" | "outage">,
  { explainedBy, answers, own }: State["dependencies"],
  now: number,
): Target[] => {
  const { waitUntil } = event;
  if (waitUntil === null || waitUntil <= now || outage?.endedAt !== null || explainedBy !== null) return [];
  // The clock was set back where the hold is longer than any.
  if (waitUntil > now + AGENT_WAIT) return [];
  if (outage.explainedBy === null)
    return answers.flatMap(({ at, target }) => (at < detectedAt(outage) ? [target] : []));
  // A server that is offline reports when it can, which ends its outage.
  return own && (own.target.type === "agent" || own.at < waitUntil - MONITOR_WAIT) ? [own.target] : [];
};

/** Why an event that was planned is planned again; null if it stays as it is. missedEvents decides about mutes. */
const decideAgain = (subject: Subject, { flapping, dependencies }: State, now: number): Decision | null => {
  const { event, outage } = subject;
  if (outage?.endedAt === null && outage.explainedBy !== null && dependencies.explainedBy === null)
    return { waitUntil: now + (outage.targetType === "monitor" ? MONITOR_WAIT : AGENT_WAIT), isRenewed: true };
  if (!flapping.row || !isStable(subject, flapping.row, now)) return null;
  // A pause ended the outage: there is nothing to announce.
  if (!isClosing(event.kind) && outage?.endedAt !== null) return { purpose: "settled", channels: [], flapping: null };
  return decideUnstable(subject, flapping, flapping.row, now);
};

/** Decides about an event; null if nothing changes: it is held still, or was planned and stays as it is. */
export const decide = (subject: Subject, state: State, now: number): Decision | null => {
  const [{ event, outage }, { flapping, dependencies }] = [subject, state];
  if (event.drill) return {};
  if (event.plannedAt !== null) return decideAgain(subject, state, now);
  if (awaitedOf(subject, dependencies, now).length > 0) return null;
  if (flapping.row) return decideUnstable(subject, flapping, flapping.row, now);

  const explainedBy = outage?.explainedBy ?? null;
  const isOpening = outage !== null && !isClosing(event.kind);
  let change: Decision = {};
  if (outage && isBroken(outageKindOf(event.kind))) {
    // An outage that was explained until its end is sent to no channel, neither its beginning nor its end.
    if (outage.endedAt !== null && explainedBy !== null) return { withheld: "explained" };
    if (isOpening && outage.endedAt === null) {
      if (dependencies.explainedBy !== null) return { withheld: "explained", explainedBy: dependencies.explainedBy };
      const waits = dependencies.answers.flatMap(({ at, wait }) => (at < detectedAt(outage) ? [wait] : []));
      if (event.waitUntil === null && waits.length > 0) return { waitUntil: now + Math.max(...waits) };
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

/**
 * Whether a rule selects an event, if it is switched on. Metric switches apply to the rule's own thresholds; custom thresholds
 * always alert.
 */
export const selects = (rule: NotificationRule, { kind, facts }: Pick<Event, "kind" | "facts">): boolean => {
  const outage = outageKindOf(kind);
  const group = facts?.threshold_id === undefined ? eventGroupOf(outage) : null;
  const isSelected = group === null || rule.events.includes(group);
  return isClosing(kind) ? rule.events.includes("recovery") && (isSelected || isBroken(outage)) : isSelected;
};

/**
 * Why a message about an event is not sent to a channel; null if it is. `channel` is null if its owner has no such channel, or
 * may no longer use it. The history of notifications shows the reasons that are stored.
 */
export const reasonNotToSend = (
  { event, rule }: { event: Pick<Event, "kind" | "facts">; rule: NotificationRule },
  channel: Recipient | null,
  {
    isMuted,
    isInMaintenance = false,
    withheld,
  }: { isMuted: boolean; isInMaintenance?: boolean; withheld: DeliveryErrorCode | null },
): { code: DeliveryErrorCode; stored: boolean } | null => {
  if (!rule.enabled) return { code: "rule_disabled", stored: false };
  if (!selects(rule, event)) return { code: "not_selected", stored: false };
  if (!channel) return { code: "channel_deleted", stored: false };
  if (!channel.enabled) return { code: "channel_disabled", stored: false };
  // After the reasons that are not stored: a muted delivery would otherwise have been sent.
  if (isMuted) return { code: "muted", stored: true };
  if (isInMaintenance) return { code: "maintenance", stored: true };
  return withheld && { code: withheld, stored: true };
};

/** The events of one kind and subject since a target was muted: the ids of the last one, and of the first and last muted ones. */
export type EventsSinceMute = {
  /** Null for a target without events. */
  kind: EventKind | null;
  subject: string | null;
  last: number | null;
  firstMuted: number | null;
  lastMuted: number | null;
  /** How many before the end of the mute are not planned. */
  unplanned: number;
};

/** The sequence of an event: the state of a target, each of its figures, and each of its parts. */
const familyOf = ({ kind, subject }: EventsSinceMute): string =>
  kind === null ? "" : `${outageKindOf(kind)} ${subject}`;

/**
 * The muted events of a target that its owner has to learn of when the mute ends: one at most of each family. Events of a
 * family alternate: if the first and the last muted event are of the same kind, the target is in another state than last
 * notified. An event after the mute reports the state by itself. Null while events before the end are not planned.
 */
export const missedEvents = (since: readonly EventsSinceMute[]): number[] | null => {
  if (since.some(({ unplanned }) => unplanned > 0)) return null;
  return [...Map.groupBy(since, familyOf).values()].flatMap((kinds) => {
    const muted = kinds.filter(({ firstMuted }) => firstMuted !== null);
    const first = muted.toSorted((one, other) => Number(one.firstMuted) - Number(other.firstMuted))[0];
    const last = kinds.toSorted((one, other) => Number(other.last) - Number(one.last))[0];
    return first !== undefined && first === last && last.lastMuted === last.last ? (last.last ?? []) : [];
  });
};

/**
 * The last events that were muted, of each family, if they began an outage that no one was notified of and that ended after the
 * mute, before it could be reported: nor has its end to be reported.
 */
export const unannouncedEvents = (since: readonly EventsSinceMute[]): number[] =>
  [...Map.groupBy(since, familyOf).values()].flatMap((kinds) => {
    const muted = kinds.filter(({ firstMuted }) => firstMuted !== null);
    const [first] = muted.toSorted((one, other) => Number(one.firstMuted) - Number(other.firstMuted));
    const latest = muted.toSorted((one, other) => Number(other.lastMuted) - Number(one.lastMuted))[0];
    const isOpening = first?.kind != null && !isClosing(first.kind) && first === latest;
    const isOver = kinds.some(({ last }) => Number(last) > Number(latest?.lastMuted));
    return isOpening && isOver ? (latest.lastMuted ?? []) : [];
  });
