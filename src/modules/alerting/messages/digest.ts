/** One message about several events: the latest state of each monitor and server, the worst first. */

import { checkErrorText, storedError } from "../../../shared/check-error";
import {
  type DeliveryPurpose,
  figureUnitOf,
  isClosing,
  type OutageCause,
  outageKindOf,
  phaseOf,
} from "../../../shared/notifications";
import { insertValues } from "../../../shared/outages/words";
import { type Severity, severityOf } from "../channels/kind";
import type { Message, MessageAction } from "../channels/text";
import { causeTitle, sharedCauseLine } from "./cause";
import { DIGEST_WORDS, GROUPS, type Group, type Phase } from "./digest-words";
import { figureIn, MAX_ERROR, oneLine, type Reader, startIn, timeIn } from "./format";
import { type MessageSubject, serverOf } from "./message";
import { signOf, WORDS } from "./words";

/** An event in a message with others, and why it is sent. */
export type DigestSubject = MessageSubject & { purpose?: DeliveryPurpose };

/** Characters of a name in a list of names. */
const MAX_NAME = 40;
/** Times within this many milliseconds are shown as one. */
const SAME_TIME = 60_000;
/** Groups that the title names, and causes and children that the text does. */
const [TITLE_GROUPS, CAUSES, EXPLAINED] = [2, 3, 3];
/** How many names a group has, from the most to the fewest: as many as fit. */
const NAMES = [10, 5, 3, 1] as const;
const SEVERITIES: readonly Severity[] = ["critical", "warning", "resolved", "info"];

/** The last of each target, where its state, each of its figures and each of its parts count by themselves. */
export const latestOf = <Subject extends DigestSubject>(subjects: readonly Subject[]): Subject[] => {
  const last = new Map<string, Subject>();
  for (const subject of subjects) {
    const { targetType, targetId, kind, subject: part } = subject.event;
    const key = `${targetType} ${targetId} ${outageKindOf(kind)} ${part}`;
    last.delete(key);
    last.set(key, subject);
  }
  return [...last.values()];
};

/** A target that stays down is among those that are down. */
const groupOf = ({ event, purpose }: DigestSubject): Group =>
  purpose === "flapping" || purpose === "acknowledged" || (purpose === "settled" && isClosing(event.kind))
    ? purpose
    : phaseOf(event.kind);

const isPhase = (group: Group): group is Phase =>
  group !== "flapping" && group !== "settled" && group !== "acknowledged";

const nameOf = ({ event }: DigestSubject, { language }: Reader, server: string | null = null): string => {
  const { targetName, kind, figure, mount, subject } = event;
  if (server !== null) return oneLine(mount ?? subject, MAX_NAME);
  const name = oneLine(targetName, MAX_NAME);
  const parts = [
    WORDS[language].kinds[outageKindOf(kind)].metric,
    oneLine(mount ?? subject, MAX_NAME),
    figure !== null && figureIn(language, figureUnitOf(outageKindOf(kind)), figure),
  ].filter(Boolean);
  return parts.length > 0 ? DIGEST_WORDS[language].figure(name, parts.join(" ")) : name;
};

/** When a group began, or when it ended. */
const timeOf = (group: Phase, list: readonly DigestSubject[], reader: Reader): string => {
  const times = list.map(({ event }) => event.at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const words = DIGEST_WORDS[reader.language];
  const begins = list.every(({ event }) => !isClosing(event.kind));
  const earliest = list.find(({ event }) => event.at === first)?.event;
  const time = begins ? startIn(reader, first, earliest?.startedAfter) : timeIn(reader, last);
  const line = insertValues(WORDS[reader.language].phases[group].time, { time });
  if (last - first < SAME_TIME) return line;
  return begins ? words.earliest(line) : words.latest(line);
};

/** Monitors by the reason of their failure, the most frequent reason first, without monitors that have no reason. */
const groupByReason = (list: readonly DigestSubject[], { language }: Reader): [string, DigestSubject[]][] => {
  const reasonOf = ({ event }: DigestSubject): string => {
    const error = storedError(event);
    return error ? oneLine(checkErrorText(error, language), MAX_ERROR) : "";
  };
  return [...Map.groupBy(list, reasonOf)]
    .filter(([reason]) => reason !== "")
    .toSorted(([, one], [, other]) => other.length - one.length);
};

/** The reason that all monitors of a list or most of them share. */
const reasonOf = (list: readonly DigestSubject[], reader: Reader): string[] => {
  const [most] = groupByReason(list, reader);
  if (!most) return [];
  const [reason, { length }] = most;
  return [
    length === list.length
      ? insertValues(WORDS[reader.language].reason, { error: reason })
      : DIGEST_WORDS[reader.language].mostly(reason, length),
  ];
};

/** A line with the names for each of several reasons, at most half as many as there are names; none where all share one. */
const linesByReason = (list: readonly DigestSubject[], reader: Reader, names: number): string[] => {
  const words = DIGEST_WORDS[reader.language];
  const reasons = groupByReason(list, reader);
  const most = Math.ceil(names / 2);
  if (most === 1 || reasons.length === 0 || reasons[0]?.[1].length === list.length) return [];
  const frequent = reasons.slice(0, most);
  const rest = list.length - frequent.flatMap(([, subjects]) => subjects).length;
  const lines = frequent.map(([reason, subjects]) => {
    const some = subjects.slice(0, most).map((subject) => nameOf(subject, reader));
    return words.named(WORDS[reader.language].some(some, subjects.length), reason);
  });
  return rest > 0 ? [...lines, words.others(rest)] : lines;
};

const subjectOf = (cause: OutageCause): string => `${cause.kind} ${"value" in cause ? cause.value : cause.agentId}`;

/** The probable causes, each once: of others that are down, with the highest number of them. */
const causesOf = (list: readonly DigestSubject[], reader: Reader): string[] => {
  const causes = list.flatMap(({ cause }) => (cause ? [cause] : []));
  const bySubject = [...Map.groupBy(causes, subjectOf).values()].toSorted((one, other) => other.length - one.length);
  return bySubject
    .slice(0, CAUSES)
    .flatMap(([cause, ...others]) => (cause ? [sharedCauseLine(cause, others.length + 1, list.length, reader)] : []));
};

/**
 * The title of a message whose outages all have one cause, which may be in it itself: a server that does not report. Null
 * where they have not, or where there is anything else in the message.
 */
const causeTitleOf = (latest: readonly DigestSubject[], reader: Reader): string | null => {
  const down = latest.filter(({ event }) => event.kind === "down");
  const [{ cause = null } = {}] = down;
  if (cause === null || down.length < 2 || latest.some(({ purpose = "alert" }) => purpose !== "alert")) return null;
  const isSame = (one: DigestSubject) => one.cause != null && subjectOf(one.cause) === subjectOf(cause);
  const isServer = ({ event }: DigestSubject) =>
    event.kind === "offline" && "agentId" in cause && event.targetId === cause.agentId;
  if (!down.every(isSame) || !latest.every((one) => one.event.kind === "down" || isServer(one))) return null;
  const codes = down.map(({ event }) => event.errorCode);
  const title = causeTitle(cause, codes, reader);
  return title && `${signOf("down")} ${title}`;
};

/** The targets that are down because of these. */
const explainedOf = (list: readonly DigestSubject[], { language }: Reader): string[] => {
  const children = list.flatMap(({ explained }) => (explained ? [explained] : []));
  const total = children.reduce((sum, one) => sum + one.total, 0);
  const names = children.flatMap((one) => one.names.map((name) => oneLine(name, MAX_NAME))).slice(0, EXPLAINED);
  return total > 0 ? [DIGEST_WORDS[language].explained(WORDS[language].some(names, total))] : [];
};

/** How many events a group has, or how many parts where all are about one server. */
const countOf = (group: Group, list: readonly DigestSubject[], server: string | null, { language }: Reader): string => {
  const count = list.length;
  if (!isPhase(group)) return DIGEST_WORDS[language].counts[group](count);
  const { count: counted, parts } = WORDS[language].phases[group];
  const text = insertValues((server !== null && parts) || counted, { name: server ?? undefined, count });
  return list[0] ? `${signOf(list[0].event.kind)} ${text}` : text;
};

type LineOptions = {
  /** How many names the group has at most. */
  names: number;
  /**
   * What its lines begin with: nothing where it is the only group, its sign where the title counts it and no other group has that sign, or else
   * its count.
   */
  mark: "none" | "sign" | "count";
  /** Whether the title names the probable cause. */
  isExplained: boolean;
  server: string | null;
};

/** The lines of a group. Counts of the title are not repeated. */
const linesOf = (
  group: Group,
  list: readonly DigestSubject[],
  reader: Reader,
  { names, mark, isExplained, server }: LineOptions,
): string[] => {
  const words = DIGEST_WORDS[reader.language];
  const count = countOf(group, list, server, reader);
  const sign = mark === "sign" ? `${count.split(" ", 1)[0]} ` : "";
  const firstNames = list.slice(0, names).map((subject) => nameOf(subject, reader, server));
  const listed = WORDS[reader.language].some(firstNames, list.length);
  const first = mark === "count" ? words.named(count, listed) : sign + listed;
  if (group === "settled") return [first, words.stable(timeIn(reader, Math.max(...list.map(({ event }) => event.at))))];
  if (!isPhase(group)) return [first];
  const children = group === "down" || group === "offline" ? explainedOf(list, reader) : [];
  if (group !== "down") return [first, timeOf(group, list, reader), ...children];
  const byReason = linesByReason(list, reader, names).map((line) => sign + line);
  const time = timeOf(group, list, reader);
  const causes = isExplained ? [] : causesOf(list, reader);
  if (byReason.length === 0) return [first, time, ...reasonOf(list, reader), ...causes, ...children];
  return [...(mark === "count" ? [count] : []), ...byReason, time, ...causes, ...children];
};

/** The message of several events in order, with at most `names` names for each state. */
const write = (subjects: readonly DigestSubject[], reader: Reader, base: string, names: number): Message => {
  const latest = latestOf(subjects);
  const [groups, server] = [Map.groupBy(latest, groupOf), serverOf(latest.map(({ event }) => event))];
  const present = GROUPS.filter((group) => groups.has(group));
  const words = DIGEST_WORDS[reader.language];
  const counts = present.map((group) => countOf(group, groups.get(group) ?? [], server, reader));
  const counted = counts.slice(0, TITLE_GROUPS).join(words.separator) + (counts.length > TITLE_GROUPS ? " …" : "");
  const cause = causeTitleOf(latest, reader);
  const signs = counts.map((count) => count.split(" ", 1)[0]);
  const markOf = (index: number): LineOptions["mark"] => {
    if (present.length === 1) return "none";
    const isUnique = signs.indexOf(signs[index]) === signs.lastIndexOf(signs[index]);
    return index < TITLE_GROUPS && isUnique ? "sign" : "count";
  };
  const isExplained = cause !== null;
  return {
    title: cause ?? counted,
    lines: [
      ...present.flatMap((group, index) =>
        linesOf(group, groups.get(group) ?? [], reader, { names, mark: markOf(index), isExplained, server }),
      ),
      ...(subjects.length > latest.length ? [words.changes(subjects.length)] : []),
    ],
    link: base ? `${base}/${server === null ? "dashboard" : `agents/${latest[0]?.event.targetId}`}` : null,
  };
};

const urgencyOf = ({ event, purpose }: DigestSubject): Severity =>
  purpose === "acknowledged" ? "info" : severityOf({ event, ...(purpose === "flapping" && { severity: "warning" }) });

/**
 * The message of several events in order, as urgent as the worst state in it. It has as many names as `fits` allows. `action`
 * acknowledges its outages.
 */
export const digestOf = (
  subjects: readonly DigestSubject[],
  reader: Reader,
  base: string,
  { fits, action }: { fits: (message: Message) => boolean; action?: MessageAction | null },
): Message & { severity: Severity } => {
  const urgencies = latestOf(subjects).map(urgencyOf);
  const severity = SEVERITIES.find((one) => urgencies.includes(one)) ?? "info";
  const messages = NAMES.map((names) => ({ ...write(subjects, reader, base, names), ...(action && { action }) }));
  return { ...((messages.find(fits) ?? messages.at(-1)) as Message), severity };
};
