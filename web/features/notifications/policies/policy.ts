import type { Static } from "@sinclair/typebox";
import type { Policy as WirePolicy } from "../../../../src/modules/alerting/policies/service";
import {
  type AlertPolicy,
  POLICY_LIMITS,
  type PolicyProblemCode,
  type PolicyStep,
  policyProblems,
  type QuietHours,
  type Weekday,
} from "../../../../src/shared/alert-policy";

/** A stored policy. */
export type Policy = AlertPolicy & {
  id: number;
  name: string;
  deletedChannels: number[];
  usedBy: number;
  neededBy: number;
  /** Which of its versions it is. */
  version: string;
};

/** A policy of the hub's answer in the form that the page uses. */
export const toPolicy = ({ id, name, steps, quiet, ...wire }: Static<typeof WirePolicy>): Policy => ({
  id,
  name,
  steps: steps.map(({ after_minutes, channels }) => ({ afterMinutes: after_minutes, channels })),
  repeatMinutes: wire.repeat_minutes,
  repeatMax: wire.repeat_max,
  quiet: quiet && {
    days: quiet.days as Weekday[],
    from: quiet.from,
    to: quiet.to,
    timeZone: quiet.time_zone,
    mode: quiet.mode,
  },
  groupSeconds: wire.group_seconds,
  deletedChannels: wire.deleted_channels,
  usedBy: wire.used_by,
  neededBy: wire.needed_by,
  version: wire.updated_at,
});

/** A step in the editor, with a key that stays the same while others are added and removed. */
type DraftStep = PolicyStep & { key: number };

/** A policy in the editor. Parts that are switched off keep their values until the editor is closed. */
export type PolicyDraft = Omit<AlertPolicy, "steps" | "quiet"> & {
  name: string;
  steps: DraftStep[];
  reminds: boolean;
  isQuiet: boolean;
  quiet: QuietHours;
};

const DEFAULT_REPEAT = { repeatMinutes: 30, repeatMax: 5 };
/** For how long alerts of a new policy wait for others. */
export const DEFAULT_GROUP_SECONDS = 10;
const NIGHT = { days: [1, 2, 3, 4, 5, 6, 7], from: "22:00", to: "07:00", mode: "hold" } satisfies Partial<QuietHours>;

let lastKey = 0;
const withKey = (step: PolicyStep): DraftStep => ({ ...step, key: ++lastKey });

/** A new policy that notifies these channels at once, and reminds them. */
export const newDraft = (name: string, channels: number[], timeZone: string): PolicyDraft => ({
  name,
  steps: [withKey({ afterMinutes: 0, channels })],
  reminds: true,
  ...DEFAULT_REPEAT,
  isQuiet: false,
  quiet: { ...NIGHT, timeZone },
  groupSeconds: DEFAULT_GROUP_SECONDS,
});

/** A stored policy in the editor. Without a limit of its own it has the highest one. */
export const draftOf = (policy: Policy, timeZone: string): PolicyDraft => ({
  name: policy.name,
  steps: policy.steps.map(withKey),
  reminds: policy.repeatMinutes > 0,
  repeatMinutes: policy.repeatMinutes || DEFAULT_REPEAT.repeatMinutes,
  repeatMax: policy.repeatMax || (policy.repeatMinutes > 0 ? POLICY_LIMITS.repeatMax : DEFAULT_REPEAT.repeatMax),
  isQuiet: policy.quiet !== null,
  quiet: policy.quiet ?? { ...NIGHT, timeZone },
  groupSeconds: policy.groupSeconds,
});

/** One more step, ten minutes after the last one. */
export const nextStep = (steps: readonly PolicyStep[]): DraftStep =>
  withKey({ afterMinutes: Math.min((steps.at(-1)?.afterMinutes || 0) + 10, POLICY_LIMITS.afterMinutes), channels: [] });

/** The policy of an editor, without channels that do not exist any more. A switched-on reminder needs its figures. */
export const policyOfDraft = (draft: PolicyDraft, channelIds: ReadonlySet<number>): AlertPolicy & { name: string } => ({
  name: draft.name.trim(),
  steps: draft.steps.map(({ afterMinutes, channels }) => ({
    afterMinutes,
    channels: channels.filter((id) => channelIds.has(id)),
  })),
  repeatMinutes: draft.reminds ? draft.repeatMinutes || Number.NaN : 0,
  repeatMax: draft.reminds ? draft.repeatMax || Number.NaN : 0,
  quiet: draft.isQuiet ? draft.quiet : null,
  groupSeconds: draft.groupSeconds,
});

/** The body that saves a policy. */
export const toPolicyBody = ({
  name,
  steps,
  repeatMinutes,
  repeatMax,
  quiet,
  groupSeconds,
}: AlertPolicy & { name: string }) => ({
  name,
  steps: steps.map(({ afterMinutes, channels }) => ({ after_minutes: afterMinutes, channels })),
  repeat_minutes: repeatMinutes,
  repeat_max: repeatMax,
  quiet: quiet && { days: quiet.days, from: quiet.from, to: quiet.to, time_zone: quiet.timeZone, mode: quiet.mode },
  group_seconds: groupSeconds,
});
export type PolicyBody = ReturnType<typeof toPolicyBody>;

/** Problems of a policy that only the hub can find. */
export const HUB_PROBLEMS = ["name_taken", "channel_unknown"] as const;
type Problem = PolicyProblemCode | (typeof HUB_PROBLEMS)[number];
/** The wrong fields of a policy, by their path in the API. */
export type Problems = Readonly<Record<string, Problem>>;

/** Errors of a policy, the first of each field. */
export const problemsOf = (policy: AlertPolicy & { name: string }): Problems =>
  Object.fromEntries(
    policyProblems(policy)
      .toReversed()
      .map(({ path, code }) => [path, code]),
  );

/** Messages of a policy, some minutes after the start of an outage. */
type Moment = { minutes: number; channels: number[] | "reminder" };

/** The messages of a policy about an endless outage: its steps, and two reminders after the last step. */
export const timelineOf = ({
  steps,
  repeatMinutes,
  repeatMax,
}: AlertPolicy): { moments: Moment[]; goesOn: boolean } => {
  const last = steps.at(-1)?.afterMinutes ?? 0;
  const most = repeatMinutes > 0 ? repeatMax || POLICY_LIMITS.repeatMax : 0;
  const reminderCount = Math.min(most, Math.floor(last / (repeatMinutes || 1)) + 2, 4);
  const reminders = Array.from({ length: reminderCount }, (_, index) => ({
    minutes: (index + 1) * repeatMinutes,
    channels: "reminder" as const,
  }));
  const sent = steps.map(({ afterMinutes, channels }) => ({ minutes: afterMinutes, channels }));
  return {
    moments: [...sent, ...reminders].sort((one, other) => one.minutes - other.minutes),
    goesOn: most > reminderCount,
  };
};
