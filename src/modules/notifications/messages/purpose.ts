/** What the purpose of a message changes in it: that its outage lasts or was acknowledged, or that its target changes too often. */
import type { events, outages } from "../../../db/schema";
import { durationIn, type Language } from "../../../shared/language";
import { MINUTE } from "../../../shared/limits";
import {
  type DeliveryPurpose,
  type EventKind,
  FLAPPING,
  type OutageKind,
  outageKindOf,
} from "../../../shared/notifications";
import type { Message } from "../channels/text";
import { oneLine, type Reader, timeIn } from "./format";
import { WORDS as COMMON } from "./words";

const MAX_NOTE = 500;

/** Outages of targets that do not work. */
type LastingKind = "down" | "offline";

type Words = {
  acknowledge: string;
  acknowledged: (name: string) => string;
  by: (name: string) => string;
  byLink: (channel: string, name: string | null) => string;
  until: (time: string) => string;
  untilRecovery: string;
  note: (note: string) => string;
  unstable: (name: string) => string;
  /** `kind`: the outage that is announced earlier if it lasts. */
  changed: (changes: number, minutes: number, quiet: number, kind: LastingKind | null) => string;
  latest: (title: string) => string;
  settled: (changes: number, quiet: number) => string;
  lastingTitle: Record<LastingKind, (name: string) => string>;
  failed: (checks: number, time: string) => string;
  before: (line: string, changes: number) => string;
  still: Record<OutageKind, (name: string, subject: string) => string>;
  lasting: (duration: string) => string;
  reminder: (number: number) => string;
};

const WORDS: Record<Language, Words> = {
  "en-US": {
    acknowledge: "Acknowledge",
    acknowledged: (name) => `🟣 ${name}: acknowledged`,
    by: (name) => `Acknowledged by ${name}`,
    byLink: (channel, name) =>
      name ? `Acknowledged by ${name}, with the link in “${channel}”` : `Acknowledged with the link in “${channel}”`,
    until: (time) => `No reminders until ${time}`,
    untilRecovery: "No reminders until it recovers",
    note: (note) => `Note: ${note}`,
    unstable: (name) => `🟠 ${name} is unstable`,
    changed: (changes, minutes, quiet, kind) =>
      `It changed ${changes} times within ${minutes} minutes. The next message comes ${kind ? `once it stays ${kind}, or ` : ""}after ${quiet} minutes without a change.`,
    latest: (title) => `Latest: ${title}`,
    settled: (changes, quiet) => `It changed ${changes} times, and has been stable for ${quiet} minutes.`,
    lastingTitle: {
      down: (name) => `🔴 ${name} is down, and stays down`,
      offline: (name) => `🔴 Server ${name} is offline, and stays offline`,
    },
    failed: (checks, time) => `${checks} checks in a row failed since ${time}`,
    before: (line, changes) => `${line} (before that it changed ${changes} ${changes === 1 ? "time" : "times"})`,
    still: {
      down: (name) => `🔴 Still down: ${name}`,
      slow: (name) => `🟠 Still slow: ${name}`,
      certificate: (name) => `🟠 Certificate still expires soon: ${name}`,
      offline: (name) => `🔴 Still offline: ${name}`,
      cpu: (name) => `🟠 CPU usage is still high: ${name}`,
      memory: (name) => `🟠 Memory usage is still high: ${name}`,
      swap: (name) => `🟠 Swap usage is still high: ${name}`,
      disk: (name) => `🟠 Disk usage is still high: ${name}`,
      load: (name) => `🟠 Load is still high: ${name}`,
      temperature: (name) => `🟠 Temperature is still high: ${name}`,
      container: (name, subject) => `🟠 Container ${subject} still does not work: ${name}`,
      service: (name, subject) => `🟠 Service ${subject} is still failed: ${name}`,
      array: (name, subject) => `🟠 Disk array ${subject} is still degraded: ${name}`,
      shared_key: (name) => `🟠 Two machines still report with one key: ${name}`,
      filling: (name, subject) => `🟠 Disk ${subject} still fills up: ${name}`,
      traffic: (name) => `🟠 Traffic quota is still low: ${name}`,
      contract: (name) => `🟠 The contract still ends soon: ${name}`,
    },
    lasting: (duration) => ` · for ${duration}`,
    reminder: (number) => `Reminder ${number}`,
  },
  "zh-CN": {
    acknowledge: "确认",
    acknowledged: (name) => `🟣 ${name}：已确认`,
    by: (name) => `确认人：${name}`,
    byLink: (channel, name) => (name ? `确认人：${name}（通过“${channel}”中的链接）` : `通过“${channel}”中的链接确认`),
    until: (time) => `${time} 前不再提醒`,
    untilRecovery: "恢复前不再提醒",
    note: (note) => `备注：${note}`,
    unstable: (name) => `🟠 ${name} 状态不稳定`,
    changed: (changes, minutes, quiet, kind) =>
      `${minutes} 分钟内变化了 ${changes} 次，${kind ? `持续${kind === "down" ? "无法访问" : "离线"}，或` : ""}连续 ${quiet} 分钟没有变化后再通知。`,
    latest: (title) => `最近一次：${title}`,
    settled: (changes, quiet) => `共变化 ${changes} 次，已稳定 ${quiet} 分钟。`,
    lastingTitle: {
      down: (name) => `🔴 ${name} 持续无法访问`,
      offline: (name) => `🔴 服务器 ${name} 持续离线`,
    },
    failed: (checks, time) => `自 ${time} 起连续 ${checks} 次检查失败`,
    before: (line, changes) => `${line}（此前状态变化了 ${changes} 次）`,
    still: {
      down: (name) => `🔴 仍无法访问：${name}`,
      slow: (name) => `🟠 响应仍缓慢：${name}`,
      certificate: (name) => `🟠 证书仍未更新：${name}`,
      offline: (name) => `🔴 仍离线：${name}`,
      cpu: (name) => `🟠 CPU 使用率仍过高：${name}`,
      memory: (name) => `🟠 内存使用率仍过高：${name}`,
      swap: (name) => `🟠 交换空间使用率仍过高：${name}`,
      disk: (name) => `🟠 磁盘使用率仍过高：${name}`,
      load: (name) => `🟠 负载仍过高：${name}`,
      temperature: (name) => `🟠 温度仍过高：${name}`,
      container: (name, subject) => `🟠 容器 ${subject} 仍异常：${name}`,
      service: (name, subject) => `🟠 服务 ${subject} 仍未恢复：${name}`,
      array: (name, subject) => `🟠 磁盘阵列 ${subject} 仍未恢复：${name}`,
      shared_key: (name) => `🟠 两台机器仍使用同一密钥上报：${name}`,
      filling: (name, subject) => `🟠 磁盘 ${subject} 仍将写满：${name}`,
      traffic: (name) => `🟠 流量配额用量仍过高：${name}`,
      contract: (name) => `🟠 仍未续期：${name}`,
    },
    lasting: (duration) => ` · 已持续 ${duration}`,
    reminder: (number) => `第 ${number} 次提醒`,
  },
};

/** The link of a message that acknowledges its outage. */
export const acknowledgeAction = (url: string, { language }: Reader) => ({ label: WORDS[language].acknowledge, url });

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
  /** Of `flapping` and `settled`: how often the target changed. Of a reminder: its number. */
  sequence: number;
  event: Pick<typeof events.$inferSelect, "kind" | "at" | "subject"> & { drill?: boolean };
  /** When the message was due, in epoch milliseconds: the same for each attempt. */
  dueAt: number;
  /** How many of the last checks of the target failed in a row. */
  failures?: number;
  /** The name of the target. */
  name: string;
  outage: Acknowledged | null;
};

const lastingKindOf = (kind: OutageKind | EventKind): LastingKind | null =>
  kind === "down" || kind === "offline" ? kind : null;

/** The message that an unstable target does not work for longer. */
const lastingMessage = (
  message: Message,
  { sequence, event, failures = 0, name }: Purpose,
  kind: LastingKind,
  reader: Reader,
): Message => {
  const words = WORDS[reader.language];
  const time = timeIn(reader, event.at);
  const begin = COMMON[reader.language].times[kind](time);
  const line = failures >= FLAPPING.checks ? words.failed(failures, time) : begin;
  return {
    ...message,
    title: words.lastingTitle[kind](oneLine(name)),
    // The last change is the outage itself.
    lines: [
      sequence > 1 ? words.before(line, sequence - 1) : line,
      ...message.lines.filter((one) => one !== begin && one !== line),
    ],
  };
};

/** The message of an event as it is sent for a purpose. */
export const messageFor = (message: Message, given: Purpose, reader: Reader): Message => {
  const { purpose, sequence, event, dueAt, name, outage } = given;
  const words = WORDS[reader.language];
  const [minutes, quiet] = [FLAPPING.window / MINUTE, FLAPPING.quiet / MINUTE];
  if (purpose === "acknowledged")
    return {
      ...message,
      title: words.acknowledged(oneLine(name)),
      lines: [...(outage ? acknowledgementLines(outage, reader) : []), ...message.lines.slice(-1)],
      action: null,
    };
  if (purpose === "flapping") {
    const rule = words.changed(sequence, minutes, quiet, lastingKindOf(outageKindOf(event.kind)));
    return {
      ...message,
      title: words.unstable(oneLine(name)),
      lines: [rule, words.latest(message.title), ...message.lines],
    };
  }
  if (purpose === "reminder") {
    // Unknown after the clock was set back.
    const lasted = dueAt > event.at ? words.lasting(durationIn(reader.language, dueAt - event.at)) : "";
    const mark = event.drill ? COMMON[reader.language].drill.mark : "";
    const title = mark + words.still[outageKindOf(event.kind)](oneLine(name), oneLine(event.subject)) + lasted;
    return { ...message, title, lines: [words.reminder(sequence), ...message.lines] };
  }
  if (purpose !== "settled") return message;
  const lasting = lastingKindOf(event.kind);
  if (lasting) return lastingMessage(message, given, lasting, reader);
  return { ...message, lines: [words.settled(sequence, quiet), ...message.lines] };
};
