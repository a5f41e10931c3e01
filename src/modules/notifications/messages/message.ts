import type { Deps } from "../../../core/deps";
import { readSetting } from "../../../db/app-settings";
import type { events } from "../../../db/schema";
import { checkErrorText, storedError } from "../../../shared/check-error";
import { durationIn } from "../../../shared/language";
import {
  type EventKind,
  figureUnitOf,
  isClosing,
  isOfPart,
  metricOf,
  type OutageCause,
  type OutageKind,
  outageKindOf,
  targetTypeOf,
} from "../../../shared/notifications";
import type { Message } from "../channels/text";
import { causeLine } from "./cause";
import {
  addressOf,
  dateIn,
  figureIn,
  MAX_ADDRESS,
  MAX_ERROR,
  machinesIn,
  oneLine,
  processesIn,
  type Reader,
  stateIn,
  timeIn,
  writtenDate,
} from "./format";
import { acknowledgeAction } from "./purpose";
import { type Phase, WORDS, type Words } from "./words";

type StoredEvent = typeof events.$inferSelect;
/** An event as messages present it. A drill describes no change. */
export type AlertEvent = Omit<StoredEvent, "plannedAt" | "holdUntil" | "outageId" | "drill"> & { drill?: boolean };

const FIGURE = ["high", "normal"] as const;
const PART = ["failed", "normal"] as const;

/** What the events that open and end an outage say of its target. */
const PHASES: Record<OutageKind, readonly [opening: Phase, closing: Phase]> = {
  down: ["down", "recovery"],
  slow: ["slow", "normal"],
  certificate: ["expiring", "renewed"],
  offline: ["offline", "online"],
  cpu: FIGURE,
  memory: FIGURE,
  swap: FIGURE,
  disk: FIGURE,
  load: FIGURE,
  temperature: FIGURE,
  container: PART,
  service: PART,
  array: PART,
  shared_key: PART,
  filling: ["filling", "normal"],
  traffic: ["traffic", "normal"],
  contract: ["ending", "extended"],
};

/** What an event says of its target. */
export const phaseOf = (kind: EventKind): Phase => {
  const [opening, closing] = PHASES[outageKindOf(kind)];
  return isClosing(kind) ? closing : opening;
};

/** The name of the server that all of these events are about parts of; null where they are not. */
export const serverOf = ([first, ...others]: readonly AlertEvent[]): string | null => {
  const isPart = (event: AlertEvent) => isOfPart(outageKindOf(event.kind)) && event.targetId === first?.targetId;
  return first && isPart(first) && others.every(isPart) ? oneLine(first.targetName) : null;
};

/** Whether an event has a reason, such as the error of a check. */
export const hasReason = (kind: EventKind): boolean => targetTypeOf(kind) === "monitor" && !isClosing(kind);

/** The mount point of a full disk, or the sensor of a high temperature; null for others. */
const partOf = ({ kind, mount, subject }: Pick<AlertEvent, "kind" | "mount" | "subject">): string | null =>
  mount ?? (metricOf(kind) === "temperature" && subject !== "" ? subject : null);

/** What is known of a server's figure, part or plan. */
const factsOf = (event: AlertEvent, reader: Reader, words: Words): string[] => {
  const { language } = reader;
  const { kind, figure, threshold, facts } = event;
  const metric = metricOf(kind);
  const value = (number: number) => figureIn(language, figureUnitOf(outageKindOf(kind)), number);
  const part = partOf(event);
  if (metric) {
    const processes = isClosing(kind) ? null : processesIn(language, metric, facts?.processes);
    return [
      ...(figure !== null && threshold !== null
        ? [words.figure(words.metrics[metric], value(figure), value(threshold), part && oneLine(part))]
        : []),
      ...(processes ? [words.processes(processes)] : []),
    ];
  }
  const date = facts?.exhausted_at && !isClosing(kind) ? dateIn(reader, Date.parse(facts.exhausted_at)) : null;
  const end = facts?.ends_on && writtenDate(language, facts.ends_on);
  const isContract = outageKindOf(kind) === "contract";
  return [
    ...(facts?.state ? [words.state(stateIn(language, facts.state))] : []),
    ...(facts?.machines && !isClosing(kind) ? [words.machines(machinesIn(language, facts.machines))] : []),
    ...(figure !== null && !isContract ? [words.used(value(figure))] : []),
    ...(date ? [outageKindOf(kind) === "filling" ? words.full(date) : words.usedUp(date)] : []),
    ...(end && figure !== null ? [words.ends(end, value(figure))] : []),
  ];
};

const detailsOf = (event: AlertEvent, reader: Reader, words: Words): string[] => {
  const { language } = reader;
  const { kind, at, since } = event;
  const error = storedError(event);
  const phase = phaseOf(kind);
  const lasted = phase === "recovery" || phase === "online" || phase === "normal" ? words.lasted[phase] : null;
  return [
    ...factsOf(event, reader, words),
    ...(error && hasReason(kind) ? [words.reason(oneLine(checkErrorText(error, language), MAX_ERROR))] : []),
    ...(kind === "offline" && since !== null ? [words.lastReport(timeIn(reader, since))] : []),
    ...(lasted && since !== null ? [lasted(durationIn(language, at - since))] : []),
    words.times[phase](timeIn(reader, at)),
  ];
};

/** What is down, or was, because of the target of an event. */
const explainedLine = (
  event: AlertEvent,
  { names, total }: { names: readonly string[]; total: number },
  words: Words,
) =>
  words.explained[isClosing(event.kind) ? "ended" : "open"](
    words.some(
      names.map((name) => oneLine(name)),
      total,
    ),
  );

/** What a message is about. */
export type MessageSubject = {
  event: AlertEvent;
  /** What the monitor checks; absent for other events. */
  target?: string | null;
  /** What probably explains its outage; shown while the target is down. */
  cause?: OutageCause | null;
  /** The page that acknowledges its outage. */
  acknowledgeLink?: string | null;
  /** The first names of what its outage explains, and how many there are. */
  explained?: { names: readonly string[]; total: number } | undefined;
};

const titleOf = ({ kind, errorCode, targetName, subject }: AlertEvent, words: Words): string =>
  kind === "slow" && errorCode === "ping_loss"
    ? words.losesPackets(oneLine(targetName))
    : words.titles[kind](oneLine(targetName), oneLine(subject));

/** The message of an event. `base` is the address of the hub's pages without a trailing slash, or empty. */
export const messageOf = (
  { event, target = null, cause = null, acknowledgeLink = null, explained }: MessageSubject,
  reader: Reader,
  base: string,
): Message => {
  const words = WORDS[reader.language];
  const address = target === null ? null : addressOf(target);
  const path = event.targetType === "monitor" ? "monitors" : "agents";
  return {
    title: (event.drill ? words.drill.mark : "") + titleOf(event, words),
    lines: [
      ...(event.drill ? [words.drill.line] : []),
      ...(address ? [words.address(oneLine(address, MAX_ADDRESS))] : []),
      ...detailsOf(event, reader, words),
      ...(cause && event.kind === "down" ? [causeLine(cause, reader)] : []),
      ...(explained && explained.total > 0 ? [explainedLine(event, explained, words)] : []),
    ],
    link: base ? `${base}/${path}/${event.targetId}` : null,
    ...(acknowledgeLink && { action: acknowledgeAction(acknowledgeLink, reader) }),
  };
};

/** A test message that is sent at `now`. */
export const testMessage = (reader: Reader, base: string, now: number): Message => {
  const { title, line, time } = WORDS[reader.language].test;
  return { title, lines: [line, time(timeIn(reader, now))], link: base ? `${base}/notifications` : null };
};

/** The address that links in messages begin with, without a trailing slash; empty when none is known. */
export const linkBase = async ({ config, db }: Pick<Deps, "config" | "db">): Promise<string> =>
  config.publicUrl || ((await readSetting(db, "seen_url")) ?? "");
