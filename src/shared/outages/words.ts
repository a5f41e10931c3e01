import { type EventKind, isClosing, type OutageKind } from "../notifications";
import type { ClosingPhase, OpeningPhase } from "./kinds";

/** The texts of the two events of an outage. */
type Edges<T> = readonly [opening: T, closing: T];

/** The texts of a kind of outage, with the variables of templates (`shared/template/variables.ts`) as placeholders. */
export type OutageWords = {
  /** Its name. */
  label: string;
  /** The names of its events. */
  status: Edges<string>;
  /** The titles of messages about its events, without the sign of their severity. */
  title: Edges<string>;
  /** The lines of these messages about a figure, a part or a plan. */
  lines?: Edges<readonly string[]>;
  /** The title of a reminder. */
  still: string;
  /** The headings of its timeline. */
  timeline: Edges<string>;
  /** The name of its figure. */
  metric?: string;
  /** Why it is open, on the page: by default the lines of its message. */
  reason?: readonly string[];
  /** Stands for the first sentence of `reason` where a placeholder of it has no value. */
  part?: string;
  /** When its target is unstable: its state during the outage and after it, and the title where the outage lasts. */
  stays?: { state: string; after: string; title: string };
};

/** The texts about a job that did not report, did not end, or reported a failure. */
type JobWords = Pick<OutageWords, "still"> & Required<Pick<OutageWords, "stays">> & { title: string };

/** The texts about jobs, by the error of their heartbeat, and of their recovery. */
export type JobTexts = Record<"heartbeat_missed" | "heartbeat_running" | "heartbeat_failed", JobWords> & {
  recovered: string;
  /** When its report was due. */
  expected: string;
};

/** The sentences that kinds of events share. */
type PhaseWords = {
  /** When it began or ended. */
  time: string;
  /** How long the outage lasted. */
  lasted?: string;
  /** How many there are in a digest, with the placeholder `count`. */
  count: string;
  /** How many parts of one server there are in a digest. */
  parts?: string;
};

export type KindTexts = Record<OutageKind, OutageWords>;
export type KindLabels = Record<OutageKind, Pick<OutageWords, "label">>;
export type PhaseTexts = Record<OpeningPhase | ClosingPhase, PhaseWords>;

/** The name of the text about monitors on a host or under a domain: some of an unknown number, some of a number, or all. */
type SharedCauseText = `${"on" | "under"}${"" | "_of" | "_all"}`;

/** The texts of probable causes: a server, its disk with and without a name, and others on a host or under a domain. */
export type CauseTexts = Record<
  "agent_silent" | "agent_rebooted" | "agent_disk_full" | "disk" | SharedCauseText,
  string
>;

/** Chooses the text of a cause that several monitors share. `others`: how many are down besides the first. */
export const sharedCauseText = (isDomain: boolean, others: number, total: number | null | undefined): SharedCauseText =>
  `${isDomain ? "under" : "on"}${total == null ? "" : total > others + 1 ? "_of" : "_all"}`;

/** Chooses the text of an event. */
export const forEvent = <T>([opening, closing]: Edges<T>, kind: EventKind): T => (isClosing(kind) ? closing : opening);

type Values = Readonly<Record<string, string | number | undefined>>;
const PLACEHOLDER = /( ?)\{\{(\w+)\}\}/g;

/** Replaces each `{{name}}` by its value, or removes it with the space before it. Values are not expanded again. */
export const insertValues = (text: string, values: Values): string =>
  text.replace(PLACEHOLDER, (_, space: string, name: string) => (values[name] ? space + values[name] : ""));

const namesIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, , name = ""]) => name);

/** Whether every placeholder of a text has a value. */
export const isComplete = (text: string, values: Values): boolean => namesIn(text).every((name) => values[name]);

/** The part of a target that a figure is about: a line does without its name. */
const OPTIONAL = ["mount", "subject"];

/** The lines with their values. A line is left out where it has none, or lacks one other than the name of a part. */
export const insertLines = (lines: readonly string[], values: Values): string[] =>
  lines
    .filter((line) => {
      const names = namesIn(line);
      return names.some((name) => values[name]) && names.every((name) => values[name] || OPTIONAL.includes(name));
    })
    .map((line) => insertValues(line, values));
