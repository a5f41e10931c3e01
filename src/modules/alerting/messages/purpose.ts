/** Texts of a message by its purpose: its outage lasts or was acknowledged, or its target changes too often. */
import type { OutageEvent, outages } from "../../../db/schema";
import { stepOfSequence } from "../../../shared/alert-policy";
import { durationIn, type Language } from "../../../shared/language";
import { MINUTE } from "../../../shared/limits";
import { type DeliveryPurpose, FLAPPING, isClosing, outageKindOf, phaseOf } from "../../../shared/notifications";
import { forEvent, insertValues } from "../../../shared/outages/words";
import type { Message } from "../channels/text";
import { oneLine, type Reader, startIn, timeIn } from "./format";
import type { AlertEvent } from "./message";
import { stateWordsOf } from "./variants";
import { WORDS as COMMON, openSign } from "./words";

const MAX_NOTE = 500;

/** Of unstable targets, in minutes. */
const [WINDOW, QUIET, LASTING] = [FLAPPING.window / MINUTE, FLAPPING.quiet / MINUTE, FLAPPING.lasting / MINUTE];

type Words = {
  acknowledge: string;
  acknowledgeAll: (outages: number) => string;
  acknowledged: (name: string) => string;
  by: (name: string) => string;
  byLink: (channel: string, name: string | null) => string;
  until: (time: string) => string;
  untilRecovery: string;
  note: (note: string) => string;
  /** `now`: its state. */
  unstable: (name: string, now: string | undefined) => string;
  /** `state`: the state that is announced earlier if it lasts. */
  changed: (changes: number, state: string | undefined) => string;
  latest: (title: string) => string;
  /** `state`: its state and the number of changes before it, or else the name of the last event. */
  stable: (name: string, state: { after: string; changes: number } | { status: string }) => string;
  settled: (changes: number) => string;
  failed: (checks: number, time: string) => string;
  before: (line: string, changes: number) => string;
  unacknowledged: (duration: string) => string;
  lasting: (duration: string) => string;
  reminder: (number: number) => string;
};

const WORDS: Record<Language, Words> = {
  "en-US": {
    acknowledge: "Acknowledge",
    acknowledgeAll: (outages) => `Acknowledge all ${outages}`,
    acknowledged: (name) => `🟣 ${name}: acknowledged`,
    by: (name) => `Acknowledged by ${name}`,
    byLink: (channel, name) =>
      name ? `Acknowledged by ${name}, with the link in “${channel}”` : `Acknowledged with the link in “${channel}”`,
    until: (time) => `No reminders until ${time}`,
    untilRecovery: "No reminders until it recovers",
    note: (note) => `Note: ${note}`,
    unstable: (name, now) => `🟠 ${name} keeps changing${now ? `, now ${now}` : ""}`,
    changed: (changes, state) =>
      `It changed ${changes} times within ${WINDOW} minutes. Short changes are not sent: the next message comes ${state ? `once it has been ${state} for ${LASTING} minutes, or ` : ""}after ${QUIET} minutes without a change.`,
    latest: (title) => `Latest: ${title}`,
    stable: (name, state) =>
      `🟢 ${name} is stable again: ${"status" in state ? state.status : `${state.after} for ${QUIET} minutes after ${state.changes} changes`}`,
    settled: (changes) => `It changed ${changes} times, and has been stable for ${QUIET} minutes.`,
    failed: (checks, time) => `${checks} checks in a row failed since ${time}`,
    before: (line, changes) => `${line} (before that it changed ${changes} ${changes === 1 ? "time" : "times"})`,
    unacknowledged: (duration) => `Not acknowledged for ${duration}`,
    lasting: (duration) => ` · for ${duration}`,
    reminder: (number) => `Reminder ${number}`,
  },
  "zh-CN": {
    acknowledge: "确认",
    acknowledgeAll: (outages) => `确认全部 ${outages} 个故障`,
    acknowledged: (name) => `🟣 ${name}：已确认`,
    by: (name) => `确认人：${name}`,
    byLink: (channel, name) => (name ? `确认人：${name}（通过“${channel}”中的链接）` : `通过“${channel}”中的链接确认`),
    until: (time) => `${time} 前不再提醒`,
    untilRecovery: "恢复前不再提醒",
    note: (note) => `备注：${note}`,
    unstable: (name, now) => `🟠 ${name} 状态反复变化${now ? `，目前${now}` : ""}`,
    changed: (changes, state) =>
      `${WINDOW} 分钟内变化了 ${changes} 次。短暂的变化不再通知：${state ? `持续${state} ${LASTING} 分钟，或` : ""}连续 ${QUIET} 分钟没有变化后再通知。`,
    latest: (title) => `最近一次：${title}`,
    stable: (name, state) =>
      `🟢 ${name} 恢复稳定：${"status" in state ? state.status : `${state.changes} 次变化后已${state.after} ${QUIET} 分钟`}`,
    settled: (changes) => `共变化 ${changes} 次，已稳定 ${QUIET} 分钟。`,
    failed: (checks, time) => `自 ${time} 起连续 ${checks} 次检查失败`,
    before: (line, changes) => `${line}（此前状态变化了 ${changes} 次）`,
    unacknowledged: (duration) => `已 ${duration}无人确认`,
    lasting: (duration) => ` · 已持续 ${duration}`,
    reminder: (number) => `第 ${number} 次提醒`,
  },
};

/** The link of a message that acknowledges its outages. */
export const acknowledgeAction = (url: string, { language }: Reader, outages = 1) => ({
  label: outages === 1 ? WORDS[language].acknowledge : WORDS[language].acknowledgeAll(outages),
  url,
});

type Acknowledged = Pick<
  typeof outages.$inferSelect,
  "acknowledgedBy" | "acknowledgedVia" | "acknowledgedUntil" | "acknowledgedNote"
>;

/** Who acknowledged an outage, until when and why, as lines. */
const acknowledgementLines = (outage: Acknowledged, reader: Reader): string[] => {
  const words = WORDS[reader.language];
  const { acknowledgedUntil: until, acknowledgedNote: note, acknowledgedVia: via } = outage;
  const by = outage.acknowledgedBy && oneLine(outage.acknowledgedBy);
  return [
    ...(via ? [words.byLink(oneLine(via.name), by)] : by ? [words.by(by)] : []),
    until === null ? words.untilRecovery : words.until(timeIn(reader, until)),
    ...(note ? [words.note(oneLine(note, MAX_NOTE))] : []),
  ];
};

export type Purpose = {
  purpose: DeliveryPurpose;
  /** Of an alert: its step. Of `flapping` and `settled`: how often the target changed. Of a reminder: its number. */
  sequence: number;
  event: Pick<OutageEvent, "kind" | "at" | "subject" | "errorCode"> & Pick<AlertEvent, "drill" | "startedAfter">;
  /** When the message was due, in epoch milliseconds: the same for each attempt. */
  dueAt: number;
  /** How many of the last checks of the target failed in a row. */
  failures?: number;
  /** The name of the target. */
  name: string;
  /** Whether it is a monitor that waits for reports of a job. */
  isJob?: boolean;
  outage: Acknowledged | null;
};

/** The message that an unstable target stays down. */
const lastingMessage = (
  message: Message,
  { sequence, event, failures = 0, name }: Purpose,
  lastingTitle: string,
  reader: Reader,
): Message => {
  const words = WORDS[reader.language];
  const time = timeIn(reader, event.at);
  const start = startIn(reader, event.at, event.startedAfter);
  const begin = insertValues(COMMON[reader.language].phases[phaseOf(event.kind)].time, { time: start });
  const line = failures >= FLAPPING.checks ? words.failed(failures, time) : begin;
  return {
    ...message,
    title: `${openSign(outageKindOf(event.kind))} ${insertValues(lastingTitle, { name: oneLine(name) })}`,
    // The last change is the outage itself.
    lines: [
      sequence > 1 ? words.before(line, sequence - 1) : line,
      ...message.lines.filter((one) => one !== begin && one !== line),
    ],
  };
};

/** The message of an event as it is sent for a purpose. */
export const messageFor = (message: Message, given: Purpose, reader: Reader): Message => {
  const { purpose, sequence, event, dueAt, name, outage, isJob = false } = given;
  const words = WORDS[reader.language];
  const { still, stays, status } = stateWordsOf(event, isJob, reader.language);
  const minutes = Math.round((dueAt - event.at) / MINUTE);
  if (purpose === "alert" && stepOfSequence(sequence) > 0 && !isClosing(event.kind) && !event.drill && minutes > 0)
    return {
      ...message,
      lines: [words.unacknowledged(durationIn(reader.language, minutes * MINUTE)), ...message.lines],
    };
  if (purpose === "acknowledged")
    return {
      ...message,
      title: words.acknowledged(oneLine(name)),
      lines: [...(outage ? acknowledgementLines(outage, reader) : []), ...message.lines.slice(-1)],
      action: null,
    };
  if (purpose === "flapping") {
    const rule = words.changed(sequence, stays?.state);
    return {
      ...message,
      title: words.unstable(oneLine(name), stays && (isClosing(event.kind) ? stays.after : stays.state)),
      lines: [rule, words.latest(message.title), ...message.lines],
    };
  }
  if (purpose === "reminder") {
    // Unknown after the clock was set back.
    const lasted = dueAt > event.at ? words.lasting(durationIn(reader.language, dueAt - event.at)) : "";
    const mark = event.drill ? COMMON[reader.language].drill.mark : "";
    const named = insertValues(still, { name: oneLine(name), subject: oneLine(event.subject) });
    const title = `${mark}${openSign(outageKindOf(event.kind))} ${named}${lasted}`;
    return { ...message, title, lines: [words.reminder(sequence), ...message.lines] };
  }
  if (purpose !== "settled") return message;
  if (stays && !isClosing(event.kind)) return lastingMessage(message, given, stays.title, reader);
  const settled = words.settled(sequence);
  if (!isClosing(event.kind)) return { ...message, lines: [settled, ...message.lines] };
  const state = stays ? { after: stays.after, changes: sequence } : { status: forEvent(status, event.kind) };
  return {
    ...message,
    title: words.stable(oneLine(name), state),
    lines: stays ? message.lines : [settled, ...message.lines],
  };
};
