import type { Deps } from "../../../core/deps";
import { readSetting } from "../../../db/app-settings";
import type { OutageEvent } from "../../../db/schema";
import type { Language } from "../../../shared/language";
import {
  type EventKind,
  isClosing,
  isOfPart,
  type OutageCause,
  outageKindOf,
  phaseOf,
  targetTypeOf,
} from "../../../shared/notifications";
import { forEvent, insertLines, insertValues } from "../../../shared/outages/words";
import type { Message } from "../channels/text";
import { oneLine, type Reader, timeIn } from "./format";
import { acknowledgeAction } from "./purpose";
import { eventValues, hasReason } from "./values";
import { variantOf } from "./variants";
import { signOf, WORDS } from "./words";

/** The target of an event about the hub itself. */
export const NO_TARGET = 0;

/** An event as messages present it. A drill describes no change. */
export type AlertEvent = Omit<OutageEvent, "plannedAt" | "unsentReason" | "waitUntil" | "outageId" | "drill"> & {
  drill?: boolean;
  /** The last good check before the outage of a monitor, which began between it and its first failed check. */
  startedAfter?: number | null;
};

/** The name of the server that all of these events are about parts of; null where they are not. */
export const serverOf = ([first, ...others]: readonly AlertEvent[]): string | null => {
  const isPart = (event: AlertEvent) => isOfPart(outageKindOf(event.kind)) && event.targetId === first?.targetId;
  return first && isPart(first) && others.every(isPart) ? oneLine(first.targetName) : null;
};

/** The title and the lines of the messages about a kind of event, with the variables of templates as placeholders. */
export const builtInTexts = (kind: EventKind, language: Language): { title: string; lines: string[] } => {
  const { kinds, phases, address, reason } = WORDS[language];
  const words = kinds[outageKindOf(kind)];
  const { lasted, time } = phases[phaseOf(kind)];
  return {
    title: `${signOf(kind)} ${forEvent(words.title, kind)}`,
    lines: [
      ...(targetTypeOf(kind) === "monitor" ? [address] : []),
      ...(words.lines ? forEvent(words.lines, kind) : []),
      ...(hasReason(kind) ? [reason] : []),
      ...(lasted ? [lasted] : []),
      // Its lines name the last report instead.
      ...(kind === "offline" ? [] : [time]),
      ...(kind === "down" ? ["{{cause}}"] : []),
    ],
  };
};

/** Names the targets that are or were down because of an event's target. */
const explainedLine = (
  event: AlertEvent,
  { names, total }: { names: readonly string[]; total: number },
  words: (typeof WORDS)[Language],
) =>
  words.explained[isClosing(event.kind) ? "ended" : "open"](
    words.some(
      names.map((name) => oneLine(name)),
      total,
    ),
  );

/** The subject of a message. */
export type MessageSubject = {
  event: AlertEvent;
  /** The target of the monitor's checks; absent for other events. */
  target?: string | null;
  /** Whether its monitor waits for reports of a job. */
  isJob?: boolean;
  /** What probably explains its outage; shown while the target is down. */
  cause?: OutageCause | null;
  /** Of a server that does not report: how many monitors have it as their host, and how many of them are up since. */
  answering?: { total: number; up: number };
  /** The page that acknowledges its outage. */
  acknowledgeLink?: string | null;
  /** The first names of what its outage explains, and how many there are. */
  explained?: { names: readonly string[]; total: number } | undefined;
};

/** The message of an event. `base` is the address of the hub's pages without a trailing slash, or empty. */
export const messageOf = (subject: MessageSubject, reader: Reader, base: string): Message => {
  const { event, acknowledgeLink = null, answering, explained, isJob = false } = subject;
  const words = WORDS[reader.language];
  const values = Object.fromEntries(
    Object.entries(eventValues(subject, reader)).map(([key, value]) => [key, value?.text]),
  );
  const variant = variantOf(event, isJob, reader);
  const texts = builtInTexts(event.kind, reader.language);
  const title = variant ? `${signOf(event.kind)} ${variant.title}` : texts.title;
  const all = { ...values, ...variant?.values };
  const path = event.targetType === "monitor" ? "monitors" : "agents";
  const ofHub = outageKindOf(event.kind) === "backup" ? "/system" : "";
  const page = event.targetId === NO_TARGET ? ofHub : `/${path}/${event.targetId}`;
  return {
    title: (event.drill ? words.drill.mark : "") + insertValues(title, all),
    lines: [
      ...(event.drill ? [words.drill.line] : []),
      ...insertLines(variant?.lines ?? texts.lines, all),
      ...(answering && answering.up > 0 ? [words.answering(answering)] : []),
      ...(explained && explained.total > 0 ? [explainedLine(event, explained, words)] : []),
    ],
    link: base ? `${base}${page}` : null,
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
