/** The built-in messages as templates, and the example events that previews show. */
import type { Static } from "@sinclair/typebox";
import { boolean, component, id, oneOf, text } from "../../../server/answers";
import type { ThresholdMetric } from "../../../shared/agents/thresholds";
import { LANGUAGES, type Language } from "../../../shared/language";
import {
  EVENT_KINDS,
  type EventKind,
  isClosing,
  metricOf,
  outageKindOf,
  targetTypeOf,
} from "../../../shared/notifications";
import type { Reader } from "../messages/format";
import { type AlertEvent, hasReason, type MessageSubject, messageOf, phaseOf } from "../messages/message";
import { WORDS, type Words } from "../messages/words";

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

/** What is special in the example event of each kind; `since` is relative to its time. */
const EXAMPLES: Record<EventKind, Partial<AlertEvent>> = {
  down: { errorCode: "status", errorDetail: { actual: 503, expected: 200 } },
  recovery: { since: -125_000 },
  slow: { errorCode: "slow_response", errorDetail: { limit: 800, slow: 3, checks: 5 } },
  slow_normal: { since: -1_500_000 },
  cert_expiring: { errorCode: "certificate_expiring", errorDetail: { days: 7 } },
  cert_renewed: { since: -259_200_000 },
  offline: { since: -180_000 },
  online: { since: -600_000 },
  cpu_high: { figure: 96.5, threshold: 90, facts: { processes: PROCESSES } },
  cpu_normal: { figure: 71, threshold: 90, since: -1_260_000 },
  memory_high: { figure: 88.1, threshold: 85, facts: { processes: PROCESSES } },
  memory_normal: { figure: 62.4, threshold: 85, since: -2_700_000 },
  disk_high: { figure: 93.2, threshold: 90, mount: "/var" },
  disk_normal: { figure: 81, threshold: 90, mount: "/var", since: -5_400_000 },
  swap_high: { figure: 91, threshold: 80 },
  swap_normal: { figure: 40, threshold: 80, since: -2_700_000 },
  load_high: { figure: 2.4, threshold: 1.5, facts: { processes: PROCESSES } },
  load_normal: { figure: 0.8, threshold: 1.5, since: -1_260_000 },
  temperature_high: { figure: 91.5, threshold: 85, subject: "coretemp/Package" },
  temperature_normal: { figure: 72, threshold: 85, subject: "coretemp/Package", since: -1_260_000 },
  container_failed: { subject: "nginx", facts: { state: "exited" } },
  container_recovered: { subject: "nginx", since: -300_000 },
  service_failed: { subject: "postgresql.service" },
  service_recovered: { subject: "postgresql.service", since: -600_000 },
  array_degraded: { subject: "md0", facts: { state: "degraded" } },
  key_shared: { facts: { machines: ["web-1", "web-1-clone"] } },
  key_unshared: { since: -86_400_000 },
  array_recovered: { subject: "md0", since: -86_400_000 },
  disk_filling: { figure: 87, subject: "/var", mount: "/var", facts: { exhausted_at: EXHAUSTED } },
  disk_filling_ended: { figure: 64, subject: "/var", mount: "/var", since: -7_200_000 },
  traffic_high: { figure: 91, threshold: 90, facts: { exhausted_at: EXHAUSTED } },
  traffic_normal: { figure: 0.4, since: -604_800_000 },
  contract_ending: { figure: 14, threshold: 14, facts: { ends_on: "2026-01-29" } },
  contract_renewed: { since: -259_200_000, facts: { ends_on: "2027-01-29" } },
};

/** The example event of a kind at `now`. */
export const exampleOf = (kind: EventKind, now: number): MessageSubject => {
  const isMonitors = targetTypeOf(kind) === "monitor";
  const { since, ...facts } = EXAMPLES[kind];
  const event: AlertEvent = {
    id: 0,
    userId: 0,
    kind,
    targetType: isMonitors ? "monitor" : "agent",
    targetId: 1,
    targetName: isMonitors ? "Shop" : "web-1",
    at: now,
    errorCode: null,
    errorDetail: null,
    figure: null,
    threshold: null,
    mount: null,
    subject: "",
    facts: null,
    ...facts,
    since: since ? now + since : null,
  };
  const cause = { kind: "agent_silent", agentId: 1, name: "web-1", at: now - 60_000 } as const;
  return { event, target: isMonitors ? "https://shop.example.com/health" : null, cause };
};

const PARTS: Partial<Record<ThresholdMetric, string>> = { disk: "{{mount}}", temperature: "{{subject}}" };

/** The lines about a server's figure, part or plan. */
const figureLines = (kind: EventKind, words: Words): (string | false)[] => {
  const metric = metricOf(kind);
  const opening = !isClosing(kind);
  if (metric)
    return [
      words.figure(words.metrics[metric], "{{figure}}", "{{threshold}}", PARTS[metric] ?? null),
      opening && metric !== "disk" && metric !== "temperature" && words.processes("{{processes}}"),
    ];
  switch (outageKindOf(kind)) {
    case "container":
    case "array":
      return [opening && words.state("{{state}}")];
    case "shared_key":
      return [opening && words.machines("{{subject}}")];
    case "filling":
      return [words.used("{{figure}}"), opening && words.full("{{exhausted_at}}")];
    case "traffic":
      return [words.used("{{figure}}"), opening && words.usedUp("{{exhausted_at}}")];
    case "contract":
      return [opening && words.ends("{{ends_on}}", "{{figure}}")];
    default:
      return [];
  }
};

/** The template that gives the built-in message of a kind: where one begins to change it. */
export const builtInTemplate = (kind: EventKind, language: Language): { title: string; body: string } => {
  const words = WORDS[language];
  const phase = phaseOf(kind);
  const lines = [
    targetTypeOf(kind) === "monitor" && words.address("{{address}}"),
    ...figureLines(kind, words),
    hasReason(kind) && words.reason("{{error}}"),
    kind === "offline" && words.lastReport("{{last_report}}"),
    (phase === "recovery" || phase === "online" || phase === "normal") && words.lasted[phase]("{{duration}}"),
    words.times[phase]("{{time}}"),
    kind === "down" && "{{cause}}",
  ];
  return {
    title: words.titles[kind]("{{name}}", "{{subject}}"),
    body: lines.filter((line) => line !== false).join("\n"),
  };
};

export const Template = component("Template", {
  id: id("The template's number.", 9),
  name: oneOf("The event it is for.", EVENT_KINDS),
  type: oneOf("Its language.", LANGUAGES, "en-US"),
  subject: text("The first line of an example.", "🔴 Shop is down"),
  content: text("The rest of the example.", "Reason: status 503, expected 200"),
  is_default: boolean("Always true: it is built in.", true),
  title: text("The template of the first line.", "🔴 {{name}} is down"),
  body: text("The template of the rest, to which the link is added.", "Reason: {{error}}"),
});

/** The built-in messages in all languages, with example events at `now`. */
export const listTemplates = (now: number, base: string, timeZone: Reader["timeZone"]): Static<typeof Template>[] =>
  LANGUAGES.flatMap((language, place) =>
    EVENT_KINDS.map((kind, index) => {
      const { title, lines, link } = messageOf(exampleOf(kind, now), { language, timeZone }, base);
      return {
        id: place * EVENT_KINDS.length + index + 1,
        name: kind,
        type: language,
        subject: title,
        content: [...lines, ...(link ? [link] : [])].join("\n"),
        is_default: true,
        ...builtInTemplate(kind, language),
      };
    }),
  );
