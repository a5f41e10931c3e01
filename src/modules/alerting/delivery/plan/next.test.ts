import { describe, expect, it } from "bun:test";
import type { AlertPolicy, QuietHours } from "../../../../shared/alert-policy";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { DEFAULT_RULE, outageKindOf } from "../../../../shared/notifications";
import { START } from "../../../../testing/clock";
import { next } from "./next";
import {
  type Flapping,
  type FlappingRow,
  type Next,
  NOTHING_STORED,
  type PriorDelivery,
  type State,
  type Subject,
} from "./state";

const NOW = START + 10 * MINUTE;
const CHANNELS = [1, 2, 3].map((id) => ({ id, name: `chat ${id}`, type: "telegram", enabled: id !== 3 }));
const RULE = { ...DEFAULT_RULE, enabled: true, channels: [1] };
const POLICY: AlertPolicy = {
  steps: [{ afterMinutes: 0, channels: [1] }],
  repeatMinutes: 0,
  repeatMax: 0,
  quiet: null,
  groupSeconds: 0,
};
const TWO_STEPS = [...POLICY.steps, { afterMinutes: 15, channels: [1, 2] }];
const ALWAYS: QuietHours = { days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "00:00", timeZone: "UTC", mode: "hold" };
const OUTAGE = { id: 7, startedAt: START, endedAt: null, explainedBy: null, acknowledgedAt: null } as Subject["outage"];
const STABLE: Flapping = { row: null, changes: 0, limit: 6, quiet: 15 * MINUTE, informed: null };
const ROW = { eventId: 5, changes: 6, settlesAt: NOW } as FlappingRow;

type Case = {
  event?: Partial<Subject["event"]>;
  outage?: Partial<NonNullable<Subject["outage"]>> | null;
  rule?: Partial<Subject["rule"]>;
  policy?: Partial<AlertPolicy>;
  critical?: boolean;
  state?: Partial<State>;
};

const subjectOf = ({ event, outage, rule, policy, critical = false }: Case): Subject => {
  const full = {
    id: 5,
    kind: "down",
    at: START,
    drill: false,
    waitUntil: null,
    plannedAt: null,
    facts: null,
    ...event,
  };
  const kind = outageKindOf(full.kind as Subject["event"]["kind"]);
  return {
    event: full as Subject["event"],
    outage: outage === null ? null : { ...(OUTAGE as NonNullable<Subject["outage"]>), kind, ...outage },
    rule: { ...RULE, ...rule },
    policy: { ...POLICY, ...policy },
    critical,
    origin: "default",
    hasChannels: true,
    channelOf: (id) => CHANNELS.find((channel) => channel.id === id) ?? null,
  };
};

const STATE: State = { ...NOTHING_STORED, flapping: STABLE };

const decide = (given: Case) => next(subjectOf(given), { ...STATE, ...given.state }, NOW) as Next;

/** Each delivery as one line: its channel, why it is sent, and its reason or when it is due. */
const linesOf = (given: Case): string[] =>
  decide(given).deliveries.map(({ channel, purpose, sequence, reason, heldBy, dueAt }) =>
    [channel.id, purpose, sequence, reason ?? `in ${(dueAt - NOW) / SECOND}`, ...(heldBy ? [heldBy] : [])].join(" "),
  );

const prior = (channelId: number, changes: Partial<PriorDelivery> = {}): PriorDelivery => ({
  ...{ id: channelId * 10, channelId, purpose: "alert", sequence: 0, state: "sent", errorCode: null, isUntried: false },
  ...changes,
});
const untried = { state: "pending", isUntried: true } as const;
const opened = (...deliveries: PriorDelivery[]) => ({ prior: deliveries });
const recovery = (...deliveries: PriorDelivery[]): Case => ({
  event: { kind: "recovery" },
  state: opened(...deliveries),
});
const flapping = (changes: Partial<Flapping>): Pick<State, "flapping"> => ({ flapping: { ...STABLE, ...changes } });
const explained = (explainedBy: number | null, ...answers: { at: number; wait: number }[]) => ({
  dependencies: {
    ...{ explainedBy, own: null },
    answers: answers.map((answer) => ({ ...answer, target: { type: "monitor" as const, id: 2 } })),
  },
});
const due = (changes: object = {}): Partial<State> => ({
  ...opened(prior(2), prior(1), prior(3, untried)),
  escalation: {
    ...{ outageId: 7, eventId: 5, round: 0, nextAt: NOW },
    ...{ startedAt: START - 5 * MINUTE, nextStep: 1, reminders: 2, remindedAt: START, ...changes },
  },
});

describe("what is sent about an event", () => {
  const cases: [string, Case, string[]][] = [
    ["goes to the first step of the policy", { policy: { steps: TWO_STEPS } }, ["1 alert 0 in 0"]],
    ["is nothing when the rule is switched off", { rule: { enabled: false } }, []],
    ["is nothing when the rule does not select it", { rule: { events: [] } }, []],
    ["is nothing to a channel that is switched off", { policy: { steps: [{ afterMinutes: 0, channels: [3] }] } }, []],
    ["is nothing to a channel that is gone", { policy: { steps: [{ afterMinutes: 0, channels: [9] }] } }, []],
    ["is withheld while the target is muted", { state: { isMuted: true } }, ["1 alert 0 muted"]],
    ["is withheld when its outage has ended", { outage: { endedAt: NOW } }, ["1 alert 0 recovered"]],
    ["is withheld when its outage is acknowledged", { outage: { acknowledgedAt: START } }, ["1 alert 0 acknowledged"]],
    [
      "is sent when the acknowledgement is over",
      { outage: { acknowledgedAt: START, acknowledgedUntil: NOW } },
      ["1 alert 0 in 0"],
    ],
    [
      "is sent of a certificate that was acknowledged at an earlier threshold",
      { event: { kind: "cert_expiring" }, outage: { acknowledgedAt: START } },
      ["1 alert 0 in 0"],
    ],
    ["waits for others of its policy", { policy: { groupSeconds: 60 } }, ["1 alert 0 in 2"]],
    ["waits for other parts of its server", { state: { hasSiblings: true } }, ["1 alert 0 in 1"]],
    [
      "waits for the end of quiet hours",
      { policy: { quiet: { ...ALWAYS, from: "00:00", to: "23:59" } } },
      [`1 alert 0 in ${(Date.UTC(2026, 0, 15, 23, 59) - NOW) / SECOND} quiet_hours`],
    ],
    [
      "is withheld in quiet hours that drop",
      { policy: { quiet: { ...ALWAYS, mode: "drop" } } },
      ["1 alert 0 quiet_hours"],
    ],
    ["ignores quiet hours when critical", { policy: { quiet: ALWAYS }, critical: true }, ["1 alert 0 in 0"]],
    ["is withheld when a parent explains it", { state: explained(3) }, ["1 alert 0 explained"]],
    [
      "is withheld when it was explained until its end",
      { outage: { endedAt: NOW, explainedBy: 3 } },
      ["1 alert 0 explained"],
    ],
    ["is nothing while the answer of a parent is awaited", { state: explained(null, { at: START - 1, wait: 9 }) }, []],
    ["is sent when the parents have answered", { state: explained(null, { at: START, wait: 9 }) }, ["1 alert 0 in 0"]],
    [
      "is sent when the hold for its parents is over",
      { event: { waitUntil: NOW }, state: explained(null, { at: START - 1, wait: 9 }) },
      ["1 alert 0 in 0"],
    ],
    ["announces an unstable target", { state: flapping({ changes: 6 }) }, ["1 flapping 6 in 0"]],
    ["announces none when that is switched off", { state: flapping({ changes: 6, limit: 0 }) }, ["1 alert 0 in 0"]],
    [
      "is withheld while the target is unstable",
      { state: flapping({ row: { ...ROW, eventId: 4 } }) },
      ["1 alert 0 flapping"],
    ],
    ["is sent again once the target is stable", { state: flapping({ row: ROW }) }, ["1 settled 6 in 0"]],
    [
      "goes to the channels that know that the target was unstable",
      { state: flapping({ row: ROW, informed: [2] }) },
      ["2 settled 6 in 0"],
    ],
    [
      "of a recovery goes to the channels that were notified",
      recovery(prior(2), prior(1)),
      ["2 alert 0 in 0", "1 alert 0 in 0"],
    ],
    ["of a recovery is withheld with an alert that was not sent", recovery(prior(1, untried)), ["1 alert 0 recovered"]],
    [
      "of a recovery follows an alert that may have been sent",
      recovery(prior(1, { state: "pending" })),
      ["1 alert 0 in 0"],
    ],
    [
      "of a recovery is sent after an alert that quiet hours held",
      recovery(prior(1, { ...untried, errorCode: "quiet_hours" })),
      ["1 alert 0 in 0"],
    ],
    [
      "of a recovery is withheld for the reason of the alert",
      recovery(prior(1, { state: "withheld", errorCode: "acknowledged" })),
      ["1 alert 0 acknowledged"],
    ],
    [
      "of a recovery is withheld after an alert that failed",
      recovery(prior(1, { state: "failed" })),
      ["1 alert 0 not_notified"],
    ],
    ["of a recovery is nothing when no channel has an alert", recovery(), []],
    [
      "of a recovery is sent by a rule for recoveries alone",
      { ...recovery(), rule: { events: ["recovery"] } },
      ["1 alert 0 in 0"],
    ],
    [
      "of a drill is every step and a reminder at once",
      { event: { drill: true }, outage: null, policy: { steps: TWO_STEPS, repeatMinutes: 5, quiet: ALWAYS } },
      ["1 alert 0 in 0", "1 alert 1 in 0", "2 alert 1 in 0", "1 reminder 1 in 0", "2 reminder 1 in 0"],
    ],
    [
      "of the end of a drill goes to all channels of the policy",
      { event: { drill: true, kind: "recovery" }, outage: null, policy: { steps: TWO_STEPS } },
      ["1 alert 0 in 0", "2 alert 0 in 0"],
    ],
  ];
  it.each(cases)("%s", (_, given, lines) => expect(linesOf(given)).toEqual(lines));
});

describe("an outage is looked at again", () => {
  const steps = { steps: TWO_STEPS };
  const cases: [string, Case, number | null][] = [
    ["never with one step and no reminders", {}, null],
    ["for its second step", { policy: steps }, START + 15 * MINUTE],
    ["for its first reminder, counted from the first message", { policy: { repeatMinutes: 5 } }, NOW + 5 * MINUTE],
    ["never while it is muted", { policy: steps, state: { isMuted: true } }, null],
    [
      "never of a certificate, which has an event for each threshold",
      { event: { kind: "cert_expiring" }, policy: steps },
      null,
    ],
    ["never after its end", { ...recovery(prior(1)), policy: steps }, null],
    [
      "for its second step when the channels of the first are gone",
      { policy: { steps: [{ afterMinutes: 0, channels: [9] }, ...TWO_STEPS.slice(1)] } },
      START + 15 * MINUTE,
    ],
    ["at the end of the wait for its parents", { state: explained(null, { at: START - 1, wait: 9 }) }, NOW + 9],
    ["never after its last step", { policy: steps, state: due() }, null],
    ["for its next reminder after a reminder", { policy: { repeatMinutes: 5 }, state: due() }, NOW + 5 * MINUTE],
    [
      "when its acknowledgement is over",
      { policy: steps, outage: { acknowledgedAt: START, acknowledgedUntil: NOW + 1 }, state: due() },
      NOW + 1,
    ],
    [
      "soon while its steps are muted, because the mute may end early",
      { policy: steps, state: { ...due(), isMuted: true } },
      NOW + 5 * MINUTE,
    ],
  ];
  it.each(cases)("%s", (_, given, at) => expect(decide(given).wakeAt).toBe(at));
});

describe("steps and reminders that are due", () => {
  const policy = { steps: TWO_STEPS, repeatMinutes: 5 };
  const cases: [string, Case, string[]][] = [
    ["send each channel one message", { policy, state: due() }, ["1 alert 1 in 0", "2 alert 1 in 0"]],
    [
      "remind the channels that have a message",
      { policy, state: due({ nextStep: 2 }) },
      ["1 reminder 3 in 0", "2 reminder 3 in 0"],
    ],
    [
      "number the steps by the round",
      { policy: { steps: TWO_STEPS }, state: due({ round: 1 }) },
      ["1 alert 6 in 0", "2 alert 6 in 0"],
    ],
    ["are nothing after the end of the outage", { policy, outage: { endedAt: NOW }, state: due() }, []],
    ["are nothing while a parent explains the outage", { policy, outage: { explainedBy: 3 }, state: due() }, []],
    ["are nothing once it is acknowledged", { policy, outage: { acknowledgedAt: START }, state: due() }, []],
    ["are nothing while the target is unstable", { policy, state: { ...due(), ...flapping({ row: ROW }) } }, []],
    ["are nothing when the rule is switched off", { policy, rule: { enabled: false }, state: due() }, []],
    ["are nothing while the target is muted", { policy, state: { ...due(), isMuted: true } }, []],
    ["rest in quiet hours", { policy: { ...policy, quiet: ALWAYS }, state: due() }, []],
    [
      "are withheld in quiet hours that drop, without a reminder",
      { policy: { ...policy, quiet: { ...ALWAYS, mode: "drop" } }, state: due() },
      ["1 alert 1 quiet_hours", "2 alert 1 quiet_hours"],
    ],
  ];
  it.each(cases)("%s", (_, given, lines) => expect(linesOf(given)).toEqual(lines));

  it("count no reminder that no channel gets", () => {
    const state = { ...due(), ...opened(prior(3)) };
    expect(decide({ policy: { repeatMinutes: 5 }, state })).toMatchObject({
      deliveries: [],
      progress: { reminders: 2, remindedAt: NOW },
    });
  });
});

describe("with an event", () => {
  it("messages about the outage that it ends are withdrawn unless a provider may have got them", () => {
    const unsent = [prior(2, untried), prior(3, { ...untried, purpose: "flapping" })];
    const withheld = { ids: [20], reason: "recovered" };
    expect(decide(recovery(prior(1), ...unsent))).toMatchObject({ isOver: true, withheld });
  });

  it("a reminder that was not sent before the next one is withheld", () => {
    const reminder = { ...untried, purpose: "reminder", sequence: 2 } as const;
    const state = {
      ...due(),
      ...opened(prior(1), prior(1, { ...reminder, id: 11 }), prior(2, { ...reminder, id: 21 })),
    };
    const withheld = { ids: [11], reason: "superseded" };
    expect(decide({ policy: { repeatMinutes: 5 }, state })).toMatchObject({ isOver: false, withheld });
  });
});
