/** Texts that depend on more than the kind of an event: on its error, and on whether its monitor waits for a job. */
import type { Language } from "../../../shared/language";
import { outageKindOf, phaseOf } from "../../../shared/notifications";
import type { OutageWords } from "../../../shared/outages/words";
import { clockTimeIn, type Reader } from "./format";
import type { AlertEvent } from "./message";
import { WORDS } from "./words";

type Varied = Pick<AlertEvent, "kind" | "errorCode">;

/** The words of a job that is down; undefined for other targets. */
const jobWordsOf = ({ kind, errorCode }: Varied, isJob: boolean, language: Language) => {
  const { jobs } = WORDS[language];
  if (!isJob || outageKindOf(kind) !== "down") return undefined;
  return jobs[errorCode === "heartbeat_missed" || errorCode === "heartbeat_running" ? errorCode : "heartbeat_failed"];
};

/** How reminders and messages about unstable targets name the state of a target. */
export const stateWordsOf = (
  event: Varied,
  isJob: boolean,
  language: Language,
): Pick<OutageWords, "still" | "stays" | "status"> => ({
  ...WORDS[language].kinds[outageKindOf(event.kind)],
  ...jobWordsOf(event, isJob, language),
});

/** A title and lines in place of the built-in ones of the kind, and values for their placeholders beside the usual ones. */
type Variant = { title: string; lines?: string[]; values?: Record<string, string> };

/** Texts that replace the usual ones of a kind for this event; null where the usual ones fit. */
export const variantOf = (event: AlertEvent, isJob: boolean, reader: Reader): Variant | null => {
  const { kind, errorCode, at, since } = event;
  const { jobs, losesPackets, offline, phases, reason } = WORDS[reader.language];
  if (kind === "slow" && errorCode === "ping_loss") return { title: losesPackets };
  if (kind === "offline" && since === null) return { title: offline, lines: [phases.offline.time] };
  const job = jobWordsOf(event, isJob, reader.language);
  if (!job) return null;
  if (kind === "recovery")
    return { title: jobs.recovered, lines: [phases.normal.lasted ?? "", phases[phaseOf("online")].time] };
  if (job === jobs.heartbeat_failed) return { title: job.title, lines: [reason, phases.high.time] };
  return { title: job.title, lines: [jobs.expected], values: { expected: clockTimeIn(reader, at, "seconds") } };
};
