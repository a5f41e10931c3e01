import type { TopProcesses } from "./agents/report";
import { THRESHOLD_METRICS, type ThresholdMetric } from "./agents/thresholds";
import type { ErrorDetail } from "./check-error";
import { fill, type Language, listFormat, type ParamNames } from "./language";
import { MINUTE } from "./limits";
import type { PresentedPhases } from "./monitor";
import {
  type ClosingPhase,
  type ExampleEvent,
  type FigureUnit,
  type OpeningPhase,
  OUTAGES,
  type OutageDescription,
} from "./outages/kinds";
import type { HubGapReason } from "./outages/unknown";
import type { ReportInterval } from "./reports/schedule";
import { deliveryWords as english } from "./words/en-US/deliveries";
import { deliveryWords as chinese } from "./words/zh-CN/deliveries";

/** Kinds of targets of alerts. */
export const TARGET_TYPES = ["monitor", "agent"] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** The most targets that one depends on. */
export const MAX_PARENTS = 5;

export const METRICS = ["cpu", "memory", "disk"] as const;
export type Metric = (typeof METRICS)[number];

/** Groups of events that a notification rule selects, for each kind of target. */
export const EVENT_GROUPS = {
  monitor: ["down", "recovery", "slow", "certificate"],
  agent: ["offline", "recovery", ...METRICS, "problem", "plan"],
} as const;
export type EventGroup = (typeof EVENT_GROUPS)[TargetType][number];

/** A kind of outage: `OUTAGES` describes each. */
export type OutageKind = keyof typeof OUTAGES;
export const OUTAGE_KINDS = Object.keys(OUTAGES) as OutageKind[];
const describe = (kind: OutageKind): OutageDescription => OUTAGES[kind];

/** Kinds of events: each opens or ends an outage. */
export type EventKind = (typeof OUTAGES)[OutageKind]["events"][number];

const KIND_OF = Object.fromEntries(
  OUTAGE_KINDS.flatMap((kind) => OUTAGES[kind].events.map((event) => [event, kind])),
) as Record<EventKind, OutageKind>;
export const EVENT_KINDS = Object.keys(KIND_OF) as [EventKind, ...EventKind[]];

/**
 * The kind of a stored event that is about no outage: a report is due. Unlike other events, it is planned when it is written, to
 * the channels of its schedule.
 */
export const REPORT_EVENT = "report";
export type StoredEventKind = EventKind | typeof REPORT_EVENT;

/** The kind of the outage that an event opens or ends. */
export const outageKindOf = (kind: EventKind): OutageKind => KIND_OF[kind];

/** The kinds of the events that open and end an outage of a kind. */
export const eventKindsOf = (kind: OutageKind): { opening: EventKind; closing: EventKind } => {
  const [opening, closing] = OUTAGES[kind].events;
  return { opening, closing };
};

/** The kinds of events that end an outage; every other one opens an outage. */
const CLOSING_KINDS: readonly EventKind[] = OUTAGE_KINDS.map((kind) => OUTAGES[kind].events[1]);
export const isClosing = (kind: EventKind): boolean => CLOSING_KINDS.includes(kind);

/** The kind of target that an event is about. */
export const targetTypeOf = (kind: EventKind): TargetType => OUTAGES[KIND_OF[kind]].target;

/** The figure that an event is about; null for other events. */
export const metricOf = (kind: EventKind): ThresholdMetric | null =>
  THRESHOLD_METRICS.find((metric) => metric === KIND_OF[kind]) ?? null;

/** The unit of the figures of an outage. */
export const figureUnitOf = (kind: OutageKind): FigureUnit => describe(kind).unit ?? "percent";

/** The phase of an event, which selects its words. */
export const phaseOf = (kind: EventKind): OpeningPhase | ClosingPhase =>
  OUTAGES[KIND_OF[kind]].phases[isClosing(kind) ? 1 : 0];

/** The facts of the example of an event. */
export const exampleEvent = (kind: EventKind): ExampleEvent =>
  describe(KIND_OF[kind]).examples[isClosing(kind) ? 1 : 0];

/** The kinds of outages with their meanings, for the API document. */
export const outageMeanings = (): string => {
  const meanings = [...Map.groupBy(OUTAGE_KINDS, (kind) => OUTAGES[kind].about)].map(([about, kinds]) => {
    const names = listFormat("en-GB", {}).format(kinds.map((kind) => `\`${kind}\``));
    return `${names}: ${about}`;
  });
  return `${meanings.join("; ")}.`;
};

/** The group of the events of an outage; null where a rule always selects them. */
export const eventGroupOf = (kind: OutageKind): EventGroup | null => describe(kind).group ?? null;

/** Whether an outage lasts for weeks, also while its target does not work. Several events may open one. */
export const isLasting = (kind: OutageKind): boolean => describe(kind).lasting ?? false;
export const LASTING_KINDS = OUTAGE_KINDS.filter(isLasting);

/** Whether an outage is about a part of a server: many of them at once are no sign that one is unstable. */
export const isOfPart = (kind: OutageKind): boolean => describe(kind).part ?? false;

/** Whether a target that changes in this way too often is unstable. */
export const mayFlap = (kind: OutageKind): boolean => !isLasting(kind) && !isOfPart(kind);

/** Whether a target does not work during an outage of this kind. Other kinds are problems of a working target. */
export const isBroken = (kind: OutageKind): boolean => kind === "down" || kind === "offline";

/**
 * A target whose state, or whose figure, changes too often within `window` ms is unstable: single changes are not sent until
 * it has been in one state for `quiet` ms. That it does not work is sent after `checks` checks in a row that failed, and at
 * least `lasting` ms.
 */
export const FLAPPING = { window: 30 * MINUTE, quiet: 15 * MINUTE, lasting: 3 * MINUTE, checks: 3 } as const;

/** The channel whose link acknowledged an outage, with its name at that time. */
export type AcknowledgedVia = { type: string; name: string };

/**
 * Why a message about an event is sent: the event itself or a step of its policy, a reminder that its outage lasts, that
 * the outage was acknowledged, that its target changes too often, or that it has been in one state again for a while.
 */
export const DELIVERY_PURPOSES = ["alert", "reminder", "acknowledged", "flapping", "settled"] as const;
export type DeliveryPurpose = (typeof DELIVERY_PURPOSES)[number];

/**
 * What probably explains an outage, from what is stored. `agent_*`: the server that runs the target, with the time of its
 * last report, its start, or its full disk; `shared_*`: how many others have an outage on the same address, host or
 * domain. `total`: how many monitors are on it, where that is known; of a silent server, only while none of them is up.
 */
export type OutageCause =
  | { kind: "agent_silent"; agentId: number; name: string; at: number; total?: number }
  | { kind: "agent_rebooted"; agentId: number; name: string; at: number }
  | { kind: "agent_disk_full"; agentId: number; name: string; mount: string | null; percent: number }
  | { kind: "shared_address" | "shared_host" | "shared_domain"; value: string; others: number; total?: number };

/**
 * Details stored with an event about a server and with its outage; for a monitor's outage, phases only. All fields are
 * bounded, for servers as in reports.
 */
export type AlertFacts = {
  /** The programs that used the most when a figure became too high. */
  processes?: TopProcesses;
  /** Of a container, a unit or an array: its state as it was reported. */
  state?: string;
  /** The two machines that report with one key. */
  machines?: string[];
  /** Of a server that reports again: when it was restarted since its last report; ISO 8601. */
  restarted_at?: string;
  /** Of a server that is offline or reports again: by how many seconds its clock is ahead of the hub's; negative: behind. */
  clock_offset?: number;
  /** When the quota is used up or the disk is full at the present rate; ISO 8601. */
  exhausted_at?: string;
  /** When the contract ends, YYYY-MM-DD. */
  ends_on?: string;
  /** The phases of the check that began a monitor's outage. */
  phases?: PresentedPhases;
  /** A gap of the hub: why it could know nothing, and how many active monitors, heartbeats and servers there were. */
  gap?: { reason: HubGapReason; monitors: number; heartbeats: number; servers: number };
  /** The threshold that was crossed, of those that a user set besides the notification rules. */
  threshold_id?: number;
  /** Of a report: its period and scope. */
  report?: ReportFacts;
};

/** A scheduled report. Times are in ISO 8601. */
export type ReportFacts = {
  schedule_id: number;
  every: ReportInterval;
  from: string;
  to: string;
  zone: string;
  scope: string;
  /** Percent. */
  target: number | null;
};

/** The thresholds of a notification rule, in percent. */
export type RuleThresholds = Record<Metric, number>;
export const DEFAULT_THRESHOLDS: RuleThresholds = { cpu: 90, memory: 85, disk: 90 };

/** Digits, a colon, then 30 or more letters, digits, underscores and hyphens. */
export const BOT_TOKEN = /^\d+:[A-Za-z0-9_-]{30,}$/;

/** A notification rule for all monitors or agents of a user, or for one. Each kind of target ignores the other's groups. */
export type NotificationRule = {
  enabled: boolean;
  overrideGlobal: boolean;
  /** The groups of events that it selects, in the order of `ALL_EVENT_GROUPS`. */
  events: EventGroup[];
  channels: number[];
  /** The policy that says whom to notify when; null: `channels`, at once. */
  policyId: number | null;
  /** Whether quiet hours do not apply to this target. */
  critical: boolean;
};

export const ALL_EVENT_GROUPS = [...new Set(Object.values(EVENT_GROUPS).flat())];

/** No notifications by default. */
export const DEFAULT_RULE: NotificationRule = {
  enabled: false,
  overrideGlobal: false,
  events: ["down", "recovery", "slow", "certificate", "offline", "problem", "plan"],
  channels: [],
  policyId: null,
  critical: false,
};

/** A reason why a message was not delivered, or is held. */
export type DeliveryErrorCode = keyof typeof english.errors;
export const DELIVERY_ERROR_CODES = Object.keys(english.errors) as DeliveryErrorCode[];

export type DeliveryWords = { errors: Readonly<Record<DeliveryErrorCode, string>>; noReason: string };
const WORDS: Record<Language, DeliveryWords> = { "en-US": english, "zh-CN": chinese };

type Params<Code extends DeliveryErrorCode> = ParamNames<(typeof english.errors)[Code]>;
type Detail<Code extends DeliveryErrorCode> = Readonly<
  Record<Exclude<Params<Code>, "reply">, string | number> & Partial<Record<Extract<Params<Code>, "reply">, string>>
>;
type Rest<Code extends DeliveryErrorCode> = Params<Code> extends never ? [] : [detail: Detail<Code>];

/** Why a message was not delivered, as it is stored. The detail is bounded and holds no secret of the channel. */
export type DeliveryError = { code: DeliveryErrorCode; detail: ErrorDetail | null };

/** A reason with the parameters of its text. */
export const deliveryError = <Code extends DeliveryErrorCode>(code: Code, ...[detail]: Rest<Code>): DeliveryError => ({
  code,
  detail: (detail as ErrorDetail | undefined) ?? null,
});

/** Whether an error is the answer of the provider itself, which is quoted. */
export const isAnswer = ({ code }: Pick<DeliveryError, "code">): boolean =>
  code === "rejected" || code === "rate_limited";

/** Renders why a message was not delivered, in lower case where the language has it. */
export const deliveryErrorText = ({ code, detail }: DeliveryError, language: Language): string => {
  const { errors, noReason } = WORDS[language];
  return fill(errors[code] ?? code, { reply: noReason, ...detail });
};

/** The outcomes of messages by which the history is filtered; `withheld` stands for events without a message too. */
export const OUTCOMES = ["sent", "failed", "pending", "withheld"] as const;
export type Outcome = (typeof OUTCOMES)[number];
