/** Alert policies: who is notified when, reminders, and quiet hours. */

import { isTimeZone } from "./time-zone";

/** Channels to notify once an outage has lasted `afterMinutes`. The first step of a policy has 0. */
export type PolicyStep = { afterMinutes: number; channels: number[] };

/** Weekdays are 1 for Monday to 7 for Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/**
 * Quiet hours, as wall-clock times `HH:mm` of an IANA time zone. Hours that end at or before their start end on the following
 * day; `days` are the days of the start. `hold` sends the alerts that still apply at the end, and `drop` sends nothing. Critical
 * targets are exempt.
 */
export type QuietHours = {
  days: Weekday[];
  from: string;
  to: string;
  timeZone: string;
  mode: (typeof QUIET_MODES)[number];
};

/** What becomes of messages in quiet hours. */
export const QUIET_MODES = ["hold", "drop"] as const;

/** The content of a policy, without its name. */
export type AlertPolicy = {
  steps: PolicyStep[];
  /** Minutes between reminders while an outage is open; 0 for none. */
  repeatMinutes: number;
  /** Reminders for one outage at most; 0 for as many as POLICY_LIMITS allows. */
  repeatMax: number;
  quiet: QuietHours | null;
  /** Seconds that a message waits for others, to be sent as one; 0 sends each at once. */
  groupSeconds: number;
};

/** The bounds of policies. */
export const POLICY_LIMITS = {
  /** Policies of one user. */
  policies: 50,
  nameLength: 100,
  steps: 5,
  channelsPerStep: 20,
  afterMinutes: 1440,
  repeatMinutes: { min: 5, max: 1440 },
  repeatMax: 50,
  groupSeconds: 300,
} as const;

/** What may be wrong with a field of a policy. Codes never change once released. */
const ENGLISH_PROBLEMS = {
  name_required: "a name is required",
  too_long: `expected at most ${POLICY_LIMITS.nameLength} characters`,
  step_count: `expected 1 to ${POLICY_LIMITS.steps} steps`,
  first_step: "the first step is after 0 minutes",
  step_order: "each step is later than the one before it",
  minutes_range: `expected a whole number from 0 to ${POLICY_LIMITS.afterMinutes}`,
  channels_required: "each step needs a channel",
  channel_count: `expected at most ${POLICY_LIMITS.channelsPerStep} channels`,
  repeat_range: `expected 0, or a whole number from ${POLICY_LIMITS.repeatMinutes.min} to ${POLICY_LIMITS.repeatMinutes.max}`,
  repeat_max_range: `expected a whole number from 0 to ${POLICY_LIMITS.repeatMax}`,
  days_invalid: "expected at least one day, each once, from 1 for Monday to 7 for Sunday",
  time_invalid: "expected a time of day as HH:mm",
  time_zone_invalid: "expected the IANA name of a time zone, such as Europe/Berlin",
  mode_invalid: `expected one of ${QUIET_MODES.join(", ")}`,
  group_range: `expected a whole number from 0 to ${POLICY_LIMITS.groupSeconds}`,
} as const;
export type PolicyProblemCode = keyof typeof ENGLISH_PROBLEMS;

/** A field of a policy that is wrong, by its path in the API: `steps.1.after_minutes`. */
type PolicyProblem = { path: string; code: PolicyProblemCode };

/** A problem as an English sentence. */
export const policyProblemText = (code: PolicyProblemCode): string => ENGLISH_PROBLEMS[code];

/** A time of day: 00:00 to 23:59. */
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** The problem of a field where `valid` does not hold. */
const unless = (valid: boolean, path: string, code: PolicyProblemCode): PolicyProblem[] =>
  valid ? [] : [{ path, code }];

const minutesProblem = (steps: readonly PolicyStep[], index: number): PolicyProblemCode | null => {
  const minutes = steps[index]?.afterMinutes ?? 0;
  if (!isWhole(minutes, 0, POLICY_LIMITS.afterMinutes)) return "minutes_range";
  if (index === 0) return minutes === 0 ? null : "first_step";
  return minutes > (steps[index - 1]?.afterMinutes ?? 0) ? null : "step_order";
};

const quietProblems = ({ days, from, to, timeZone, mode }: QuietHours): PolicyProblem[] => [
  ...unless(
    days.length > 0 && new Set(days).size === days.length && days.every((day) => isWhole(day, 1, 7)),
    "quiet.days",
    "days_invalid",
  ),
  ...unless(TIME_OF_DAY.test(from), "quiet.from", "time_invalid"),
  ...unless(TIME_OF_DAY.test(to), "quiet.to", "time_invalid"),
  ...unless(isTimeZone(timeZone), "quiet.time_zone", "time_zone_invalid"),
  ...unless(QUIET_MODES.includes(mode), "quiet.mode", "mode_invalid"),
];

/** Errors of a policy. Hub and page both validate with it; it does not check whether channels exist. */
export const policyProblems = (policy: AlertPolicy & { name: string }): PolicyProblem[] => {
  const { name, steps, repeatMinutes, repeatMax, quiet, groupSeconds } = policy;
  const { min, max } = POLICY_LIMITS.repeatMinutes;
  return [
    ...unless(name.trim() !== "", "name", "name_required"),
    ...unless(name.trim().length <= POLICY_LIMITS.nameLength, "name", "too_long"),
    ...unless(isWhole(steps.length, 1, POLICY_LIMITS.steps), "steps", "step_count"),
    ...steps.flatMap(({ channels }, index) => {
      const problem = minutesProblem(steps, index);
      return [
        ...(problem ? [{ path: `steps.${index}.after_minutes`, code: problem }] : []),
        ...unless(channels.length > 0, `steps.${index}.channels`, "channels_required"),
        ...unless(channels.length <= POLICY_LIMITS.channelsPerStep, `steps.${index}.channels`, "channel_count"),
      ];
    }),
    ...unless(repeatMinutes === 0 || isWhole(repeatMinutes, min, max), "repeat_minutes", "repeat_range"),
    ...unless(isWhole(repeatMax, 0, POLICY_LIMITS.repeatMax), "repeat_max", "repeat_max_range"),
    ...(quiet ? quietProblems(quiet) : []),
    ...unless(isWhole(groupSeconds, 0, POLICY_LIMITS.groupSeconds), "group_seconds", "group_range"),
  ];
};

/** The sequence of the messages of a step: each time the steps of an outage begin again, they are other messages. */
export const sequenceOfStep = (round: number, step: number): number => round * POLICY_LIMITS.steps + step;

/** The step of a message, counted from 0. */
export const stepOfSequence = (sequence: number): number => sequence % POLICY_LIMITS.steps;
