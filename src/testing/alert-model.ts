/**
 * A plain model of the alerts of one monitor: what a policy sends when, in memory, without rows, claims or restarts. Tests
 * compare it with the hub. Times are when deliveries run. Its channels are webhooks, which wait for no other alert.
 */
import { quietEnd } from "../modules/alerting/delivery/plan/quiet";
import { type AlertPolicy, POLICY_LIMITS } from "../shared/alert-policy";
import { MINUTE, SECOND } from "../shared/limits";

export type ModelAction =
  | { do: "down" | "up" | "blip" | "relapse" | "mute" | "mute until up" | "unmute" | "acknowledge" }
  | { do: "mute for" | "acknowledge for"; minutes: number };

type Message = { channel: number; what: string; dueAt: number; held: boolean; outage: Outage | null };
type Outage = {
  at: number;
  /** Channels that have got a message, and those that the mute withheld it from. */
  notified: Set<number>;
  muted: Set<number>;
  acknowledgedUntil: number | null;
  /** The last reminder that any channel got. */
  reminder: number;
  escalation: { startedAt: number; nextStep: number; reminders: number; remindedAt: number } | null;
};
type Mute = { endsAt: number; untilUp: boolean };
type Missed = { kind: "down" | "up"; outage: Outage };

export const createAlertModel = (policy: AlertPolicy, critical: boolean) => {
  const sent: string[] = [];
  let queue: Message[] = [];
  let open: Outage | null = null;
  let mute: Mute | null = null;
  /** The events that the present mute withholds. */
  let missed: Missed[] = [];

  const quietUntil = (time: number) => (critical || !policy.quiet ? null : quietEnd(policy.quiet, time));
  const firstChannels = () => policy.steps[0]?.channels ?? [];
  const isUnsent = (message: Message, outage: Outage) =>
    message.outage === outage && !/acknowledged/.test(message.what);

  /** Adds the message of an event for channels; returns when it is due, or null where quiet hours drop it. */
  const notify = (channels: Iterable<number>, what: string, outage: Outage | null, now: number): number | null => {
    const end = quietUntil(now);
    if (end !== null && policy.quiet?.mode === "drop") return null;
    for (const channel of channels) queue.push({ channel, what, dueAt: end ?? now, held: end !== null, outage });
    return end ?? now;
  };

  const isAcknowledged = (outage: Outage, now: number) =>
    outage.acknowledgedUntil !== null && outage.acknowledgedUntil > now;

  const announce = (outage: Outage, now: number) => {
    if (isAcknowledged(outage, now)) return;
    const dueAt = notify(firstChannels(), "down", outage, now) ?? now;
    const reminders = outage.escalation?.reminders ?? 0;
    outage.escalation = { startedAt: outage.at, nextStep: 1, reminders, remindedAt: dueAt };
  };

  const resolve = (outage: Outage, now: number) => {
    const reached = new Set([...outage.notified, ...outage.muted]);
    for (const { channel, held } of queue.filter((message) => isUnsent(message, outage)))
      if (held) reached.add(channel);
    queue = queue.filter((message) => message.outage !== outage);
    notify(reached, "up", null, now);
  };

  /** An event after the mute reports the state by itself. */
  const passMute = (at: number) => {
    if (mute && at >= mute.endsAt) [mute, missed] = [null, []];
  };

  const down = (at: number, now: number, isOver = false) => {
    const outage: Outage = {
      at,
      notified: new Set(),
      muted: new Set(),
      acknowledgedUntil: null,
      reminder: 0,
      escalation: null,
    };
    open = outage;
    passMute(at);
    if (mute && at < mute.endsAt) {
      outage.muted = new Set(firstChannels());
      missed.push({ kind: "down", outage });
    } else if (!isOver) announce(outage, now);
  };

  const up = (at: number, now: number, staysUp = true) => {
    const outage = open as Outage;
    open = null;
    outage.escalation = null;
    passMute(at);
    if (mute && at < mute.endsAt) {
      if (mute.untilUp && staysUp) [mute, missed] = [null, []];
      else {
        missed.push({ kind: "up", outage });
        queue = queue.filter((message) => message.outage !== outage);
        return;
      }
    }
    resolve(outage, now);
  };

  /** The last event that the mute withheld is reported if its state is another one than before the mute. */
  const endMute = (now: number) => {
    if (!mute || mute.endsAt > now) return;
    const [first, last] = [missed[0], missed.at(-1)];
    [mute, missed] = [null, []];
    if (!first || !last || first.kind !== last.kind) return;
    if (last.kind === "up") return resolve(last.outage, now);
    last.outage.muted.clear();
    announce(last.outage, now);
  };

  const escalate = (now: number) => {
    const outage = open;
    const state = outage?.escalation;
    if (!outage || !state || isAcknowledged(outage, now) || mute) return;
    const steps = policy.steps.flatMap(({ afterMinutes }, step) =>
      step >= state.nextStep && state.startedAt + afterMinutes * MINUTE <= now ? [step] : [],
    );
    const most = policy.repeatMax || POLICY_LIMITS.repeatMax;
    const isReminded =
      policy.repeatMinutes > 0 && state.reminders < most && state.remindedAt + policy.repeatMinutes * MINUTE <= now;
    if (steps.length === 0 && !isReminded) return;
    const isQuiet = quietUntil(now) !== null;
    if (isQuiet && policy.quiet?.mode === "hold") return;
    state.nextStep += steps.length;
    if (isReminded) state.remindedAt = now;
    if (isQuiet) return;
    const used = new Set<number>();
    const add = (channels: Iterable<number>, what: string) => {
      for (const channel of channels) {
        if (!used.has(channel)) queue.push({ channel, what, dueAt: now, held: false, outage });
        used.add(channel);
      }
    };
    for (const step of steps) add(policy.steps[step]?.channels ?? [], "down");
    if (!isReminded || [...outage.notified].every((channel) => used.has(channel))) return;
    outage.reminder = ++state.reminders;
    add(outage.notified, `reminder ${state.reminders}`);
  };

  const acknowledge = (until: number, now: number) => {
    if (!open) return;
    const outage = open;
    queue = queue.filter((message) => !isUnsent(message, outage));
    for (const channel of outage.notified)
      queue.push({ channel, what: "acknowledged", dueAt: now, held: false, outage });
    outage.acknowledgedUntil = until;
    const next = { startedAt: until, nextStep: 0, reminders: outage.reminder, remindedAt: until };
    outage.escalation = until === Number.POSITIVE_INFINITY ? null : next;
  };

  const send = (now: number) => {
    const blocked = new Set<number>();
    const rest: Message[] = [];
    for (const message of queue) {
      const { channel, what, dueAt, outage } = message;
      if (dueAt > now || blocked.has(channel)) {
        blocked.add(channel);
        rest.push(message);
      } else {
        sent.push(`${now / MINUTE} ${channel} ${what}`);
        outage?.notified.add(channel);
      }
    }
    queue = rest;
  };

  const setMute = (endsAt: number, untilUp: boolean) => {
    mute = { endsAt, untilUp };
  };

  return {
    /** Sent messages, as `minute channel message`. */
    sent,
    isDown: () => open !== null,
    isMuted: () => mute !== null,
    /** Takes what has happened, then runs deliveries. A blip is an outage that ended before they ran. */
    step: (now: number, action: ModelAction | null): void => {
      if (action?.do === "mute for") setMute(now + action.minutes * MINUTE, false);
      if (action?.do === "mute") setMute(Number.POSITIVE_INFINITY, false);
      if (action?.do === "mute until up") setMute(Number.POSITIVE_INFINITY, true);
      if (action?.do === "unmute" && mute) setMute(now, mute.untilUp);
      if (action?.do === "acknowledge") acknowledge(Number.POSITIVE_INFINITY, now);
      if (action?.do === "acknowledge for") acknowledge(now + action.minutes * MINUTE, now);
      if (action?.do === "down") down(now, now);
      if (action?.do === "up") up(now, now);
      if (action?.do === "blip") {
        down(now - SECOND, now, true);
        up(now, now);
      }
      if (action?.do === "relapse") {
        up(now - SECOND, now, false);
        down(now, now);
      }
      endMute(now);
      escalate(now);
      send(now);
    },
  };
};
