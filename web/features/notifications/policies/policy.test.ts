import { expect, test } from "bun:test";
import type { AlertPolicy } from "../../../../src/shared/alert-policy";
import { draftOf, newDraft, nextStep, policyOfDraft, problemsOf, timelineOf, toPolicyBody } from "./policy";

const POLICY: AlertPolicy & { name: string } = {
  name: "Night",
  steps: [{ afterMinutes: 0, channels: [1] }],
  repeatMinutes: 0,
  repeatMax: 0,
  quiet: null,
  groupSeconds: 10,
};
const stored = { ...POLICY, id: 4, deletedChannels: [], neededBy: 0, usedBy: 0, version: "" };
const known = new Set([1, 2]);

test("a stored policy is saved unchanged by the editor, except that a limit is written out", () => {
  expect(policyOfDraft(draftOf(stored, "UTC"), known)).toEqual(POLICY);
  const reminding = { ...stored, repeatMinutes: 30 };
  expect(policyOfDraft(draftOf(reminding, "UTC"), known)).toEqual({ ...POLICY, repeatMinutes: 30, repeatMax: 50 });
  expect(toPolicyBody(POLICY)).toEqual({
    name: "Night",
    steps: [{ after_minutes: 0, channels: [1] }],
    repeat_minutes: 0,
    repeat_max: 0,
    quiet: null,
    group_seconds: 10,
  });
});

test("channels that do not exist any more are left out when a policy is saved", () => {
  const steps = [{ afterMinutes: 0, channels: [9, 2] }];
  expect(policyOfDraft(draftOf({ ...stored, steps }, "UTC"), known).steps).toEqual([
    { afterMinutes: 0, channels: [2] },
  ]);
});

test("reminders that are switched on need their figures", () => {
  const draft = { ...newDraft("Night", [1], "UTC"), repeatMinutes: 0, repeatMax: Number.NaN };
  expect(problemsOf(policyOfDraft(draft, known))).toEqual({
    repeat_minutes: "repeat_range",
    repeat_max: "repeat_max_range",
  });
  expect(problemsOf(policyOfDraft({ ...draft, reminds: false }, known))).toEqual({});
});

test("a further step comes ten minutes after the last one, and not after more than a day", () => {
  expect(nextStep(POLICY.steps)).toMatchObject({ afterMinutes: 10, channels: [] });
  expect(nextStep([{ afterMinutes: Number.NaN, channels: [] }]).afterMinutes).toBe(10);
  expect(nextStep([{ afterMinutes: 1435, channels: [] }]).afterMinutes).toBe(1440);
});

test.each([
  ["a single message", {}, "0:1", false],
  ["steps in order", { steps: [...POLICY.steps, { afterMinutes: 10, channels: [2] }] }, "0:1 10:2", false],
  ["all of a few reminders", { repeatMinutes: 30, repeatMax: 2 }, "0:1 30:reminder 60:reminder", false],
  ["the first of many reminders", { repeatMinutes: 30 }, "0:1 30:reminder 60:reminder", true],
  [
    "reminders between steps",
    { steps: [...POLICY.steps, { afterMinutes: 10, channels: [2] }], repeatMinutes: 5, repeatMax: 9 },
    "0:1 5:reminder 10:2 10:reminder 15:reminder 20:reminder",
    true,
  ],
] as const)("the preview of a policy shows %s", (_, change, expected, goesOn) => {
  const timeline = timelineOf({ ...POLICY, ...change } as AlertPolicy);
  expect(timeline.moments.map(({ minutes, channels }) => `${minutes}:${channels}`).join(" ")).toBe(expected);
  expect(timeline.goesOn).toBe(goesOn);
});
