import { type AlertPolicy, POLICY_LIMITS } from "../../../../shared/alert-policy";
import { MINUTE } from "../../../../shared/limits";
import { selects } from "../suppressors";
import { quietEnd } from "./quiet";
import type { Progress, State, Subject } from "./state";

/** How long steps and reminders rest at most while their target is muted or in quiet hours, which may end early. */
const RECHECK = 5 * MINUTE;

/** The messages to send now, the progress after them, and the next evaluation time; null if no more messages follow. */
type Move = { steps: number[]; reminder: boolean; dropped: boolean; progress: Progress; nextAt: number | null };

const stepTime = ({ startedAt }: Progress, { steps }: AlertPolicy, step: number): number =>
  startedAt + (steps[step]?.afterMinutes ?? 0) * MINUTE;

const reminderTime = ({ reminders, remindedAt }: Progress, { repeatMinutes, repeatMax }: AlertPolicy): number | null =>
  repeatMinutes > 0 && reminders < (repeatMax || POLICY_LIMITS.repeatMax) ? remindedAt + repeatMinutes * MINUTE : null;

/** The due time of the next step or reminder, or null. */
export const nextTime = (progress: Progress, policy: AlertPolicy): number | null => {
  const reminder = reminderTime(progress, policy);
  if (progress.nextStep >= policy.steps.length) return reminder;
  return Math.min(stepTime(progress, policy, progress.nextStep), reminder ?? Number.POSITIVE_INFINITY);
};

/** Decides which steps and reminders of an outage are due at `now`. */
export const nextMove = (
  { event, outage, rule, policy, critical }: Subject,
  { isMuted, flapping }: State,
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
  if (isMuted) return rest(now + RECHECK);
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
