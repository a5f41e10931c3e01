import type { CheckErrorCode, ErrorDetail } from "../check-error";
import type { AlertFacts, EventGroup, TargetType } from "../notifications";

/** The unit of an event's figure; `number` has none. */
export type FigureUnit = "percent" | "celsius" | "number" | "days";

/** Events of one phase share their sentences and are counted together in a digest, in this order: the worst first. */
export const OPENING_PHASES = [
  "down",
  "offline",
  "high",
  "failed",
  "slow",
  "filling",
  "traffic",
  "burning",
  "spent",
  "expiring",
  "ending",
  "backup",
  "unwatched",
] as const;
export const CLOSING_PHASES = ["recovery", "online", "normal", "renewed", "extended"] as const;
export type OpeningPhase = (typeof OPENING_PHASES)[number];
export type ClosingPhase = (typeof CLOSING_PHASES)[number];

/** The facts of an example event. */
export type ExampleEvent = {
  errorCode?: CheckErrorCode;
  errorDetail?: ErrorDetail;
  figure?: number;
  threshold?: number;
  mount?: string;
  subject?: string;
  facts?: AlertFacts;
  /** When its outage began, or when a server last reported, in milliseconds before the event. */
  ago?: number;
};

export type OutageDescription = {
  target: TargetType;
  /** The kinds of its events. */
  events: readonly [opening: string, closing: string];
  phases: readonly [opening: OpeningPhase, closing: ClosingPhase];
  /** The group of its events; absent where a notification rule always selects them. */
  group?: EventGroup;
  /** The unit of the figure of its events: percent by default. */
  unit?: FigureUnit;
  /** Lasts for weeks, also while its target does not work. Several events may open one. */
  lasting?: true;
  /** Is about a part of a server: many of them at once are no sign that one is unstable. */
  part?: true;
  /** Its meaning in the API document. */
  about: string;
  /** Its events as previews of messages show them. */
  examples: readonly [opening: ExampleEvent, closing: ExampleEvent];
};

const EXHAUSTED = "2026-01-18T06:00:00.000Z";
const PROCESSES = {
  cpu: [
    { name: "ffmpeg", value: 61 },
    { name: "postgres", value: 22 },
  ],
  memory: [
    { name: "postgres", value: 3_221_225_472 },
    { name: "ffmpeg", value: 838_860_800 },
  ],
};

const FIGURE = {
  target: "agent",
  phases: ["high", "normal"],
  about: "a figure of a server is above its threshold",
} as const;
const PART = {
  target: "agent",
  phases: ["failed", "normal"],
  group: "problem",
  part: true,
  about: "a part of it does not work",
} as const;

/**
 * Every kind of outage. A new one is an entry here and an entry of `shared/words/<language>/outages.ts`; the code that
 * detects the outage opens and ends it.
 */
export const OUTAGES = {
  down: {
    target: "monitor",
    events: ["down", "recovery"],
    phases: ["down", "recovery"],
    group: "down",
    about: "a monitor is down",
    examples: [{ errorCode: "status", errorDetail: { actual: 503, expected: 200 } }, { ago: 125_000 }],
  },
  slow: {
    target: "monitor",
    events: ["slow", "slow_normal"],
    phases: ["slow", "normal"],
    group: "slow",
    about: "it answers slowly",
    examples: [{ errorCode: "slow_response", errorDetail: { limit: 800, slow: 3, checks: 5 } }, { ago: 1_500_000 }],
  },
  certificate: {
    target: "monitor",
    events: ["cert_expiring", "cert_renewed"],
    phases: ["expiring", "renewed"],
    group: "certificate",
    lasting: true,
    about: "its certificate expires soon",
    examples: [{ errorCode: "certificate_expiring", errorDetail: { days: 7 } }, { ago: 259_200_000 }],
  },
  domain: {
    target: "monitor",
    events: ["domain_expiring", "domain_renewed"],
    phases: ["expiring", "renewed"],
    group: "certificate",
    lasting: true,
    about: "its domain expires soon",
    examples: [{ errorCode: "domain_expiring", errorDetail: { days: 14 } }, { ago: 259_200_000 }],
  },
  budget_burning: {
    target: "monitor",
    events: ["budget_burning", "budget_steady"],
    phases: ["burning", "normal"],
    lasting: true,
    about: "its downtime grows so fast that it will miss its uptime objective",
    examples: [{ errorCode: "budget_burning", errorDetail: { target: 99.9, used: 34 } }, { ago: 5_400_000 }],
  },
  budget_spent: {
    target: "monitor",
    events: ["budget_spent", "budget_restored"],
    phases: ["spent", "normal"],
    lasting: true,
    about: "it has missed its uptime objective",
    examples: [{ errorCode: "budget_spent", errorDetail: { target: 99.9, used: 104 } }, { ago: 864_000_000 }],
  },
  unwatched: {
    target: "monitor",
    events: ["hub_unwatched", "hub_watching"],
    phases: ["unwatched", "normal"],
    lasting: true,
    about:
      "the hub itself could know nothing for a while; it has no outage, and is sent to administrators when that is over",
    examples: [
      { ago: 720_000, facts: { gap: { reason: "hub_offline", monitors: 84, heartbeats: 5, servers: 7 } } },
      { ago: 720_000 },
    ],
  },
  backup: {
    target: "monitor",
    events: ["backup_failed", "backup_made"],
    phases: ["backup", "normal"],
    lasting: true,
    about: "the hub could not make its nightly backup; it has no outage, and is sent to administrators",
    examples: [{ errorCode: "backup_no_space" }, { ago: 86_400_000 }],
  },
  offline: {
    target: "agent",
    events: ["offline", "online"],
    phases: ["offline", "online"],
    group: "offline",
    about: "a server does not report",
    examples: [{ ago: 180_000 }, { ago: 600_000 }],
  },
  cpu: {
    ...FIGURE,
    events: ["cpu_high", "cpu_normal"],
    group: "cpu",
    examples: [
      { figure: 96.5, threshold: 90, facts: { processes: PROCESSES } },
      { figure: 71, threshold: 90, ago: 1_260_000 },
    ],
  },
  memory: {
    ...FIGURE,
    events: ["memory_high", "memory_normal"],
    group: "memory",
    examples: [
      { figure: 88.1, threshold: 85, facts: { processes: PROCESSES } },
      { figure: 62.4, threshold: 85, ago: 2_700_000 },
    ],
  },
  swap: {
    ...FIGURE,
    events: ["swap_high", "swap_normal"],
    examples: [
      { figure: 91, threshold: 80 },
      { figure: 40, threshold: 80, ago: 2_700_000 },
    ],
  },
  disk: {
    ...FIGURE,
    events: ["disk_high", "disk_normal"],
    group: "disk",
    examples: [
      { figure: 93.2, threshold: 90, mount: "/var" },
      { figure: 81, threshold: 90, mount: "/var", ago: 5_400_000 },
    ],
  },
  load: {
    ...FIGURE,
    events: ["load_high", "load_normal"],
    unit: "number",
    examples: [
      { figure: 2.4, threshold: 1.5, facts: { processes: PROCESSES } },
      { figure: 0.8, threshold: 1.5, ago: 1_260_000 },
    ],
  },
  temperature: {
    ...FIGURE,
    events: ["temperature_high", "temperature_normal"],
    unit: "celsius",
    examples: [
      { figure: 91.5, threshold: 85, subject: "coretemp/Package" },
      { figure: 72, threshold: 85, subject: "coretemp/Package", ago: 1_260_000 },
    ],
  },
  container: {
    ...PART,
    events: ["container_failed", "container_recovered"],
    examples: [
      { subject: "nginx", facts: { state: "exited" } },
      { subject: "nginx", ago: 300_000 },
    ],
  },
  service: {
    ...PART,
    events: ["service_failed", "service_recovered"],
    examples: [{ subject: "postgresql.service" }, { subject: "postgresql.service", ago: 600_000 }],
  },
  array: {
    ...PART,
    events: ["array_degraded", "array_recovered"],
    examples: [
      { subject: "md0", facts: { state: "degraded" } },
      { subject: "md0", ago: 86_400_000 },
    ],
  },
  shared_key: {
    target: "agent",
    events: ["key_shared", "key_unshared"],
    phases: ["failed", "normal"],
    group: "problem",
    about: "two machines report with its key",
    examples: [{ facts: { machines: ["web-1", "web-1-clone"] } }, { ago: 86_400_000 }],
  },
  filling: {
    target: "agent",
    events: ["disk_filling", "disk_filling_ended"],
    phases: ["filling", "normal"],
    group: "problem",
    part: true,
    about: "a disk will be full soon",
    examples: [
      { figure: 87, subject: "/var", mount: "/var", facts: { exhausted_at: EXHAUSTED } },
      { figure: 64, subject: "/var", mount: "/var", ago: 7_200_000 },
    ],
  },
  traffic: {
    target: "agent",
    events: ["traffic_high", "traffic_normal"],
    phases: ["traffic", "normal"],
    group: "plan",
    lasting: true,
    about: "much of its quota is used",
    examples: [
      { figure: 91, threshold: 90, facts: { exhausted_at: EXHAUSTED } },
      { figure: 0.4, ago: 604_800_000 },
    ],
  },
  contract: {
    target: "agent",
    events: ["contract_ending", "contract_renewed"],
    phases: ["ending", "extended"],
    group: "plan",
    unit: "days",
    lasting: true,
    about: "it ends soon",
    examples: [
      { figure: 14, threshold: 14, facts: { ends_on: "2026-01-29" } },
      { ago: 259_200_000, facts: { ends_on: "2027-01-29" } },
    ],
  },
} as const satisfies Record<string, OutageDescription>;
