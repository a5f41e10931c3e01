import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../core/deps";
import { readSetting } from "../../db/app-settings";
import type { events } from "../../db/schema";
import { isTimeZone } from "../../lib/time";
import { boolean, component, id, oneOf, text } from "../../server/answers";
import { LANGUAGES, type Language, spaceFigures } from "../../shared/language";
import { checkErrorText, storedError } from "../../shared/monitor";
import { EVENT_KINDS, type EventKind, type Metric } from "../../shared/notifications";
import type { Message } from "./channels/text";

type StoredEvent = typeof events.$inferSelect;
/** An event as messages present it. A drill describes no change. */
export type AlertEvent = Omit<StoredEvent, "plannedAt" | "holdUntil" | "outageId" | "drill"> & { drill?: boolean };

/** Who reads a message: its language, and the IANA name of the time zone of its times. */
export type Reader = { language: Language; timeZone?: string | null };

/** The texts of a language. Names are inserted unescaped: the channel kind escapes them. */
type Words = {
  titles: Record<EventKind, (name: string) => string>;
  metrics: Record<Metric, string>;
  /** When it began, or when it ended. */
  times: Record<"down" | "recovery" | "offline" | "online" | "high" | "normal", (time: string) => string>;
  lasted: Record<"recovery" | "online" | "normal", (duration: string) => string>;
  address: (address: string) => string;
  reason: (error: string) => string;
  lastReport: (time: string) => string;
  figure: (metric: string, figure: string, threshold: string, mount: string | null) => string;
  test: { title: string; line: string; time: (time: string) => string };
};

const WORDS: Record<Language, Words> = {
  "en-US": {
    titles: {
      down: (name) => `🔴 ${name} is down`,
      recovery: (name) => `🟢 ${name} is up again`,
      offline: (name) => `🔴 Server ${name} is offline`,
      online: (name) => `🟢 Server ${name} reports again`,
      cpu_high: (name) => `🟠 ${name}: CPU is high`,
      cpu_normal: (name) => `🟢 ${name}: CPU is back to normal`,
      memory_high: (name) => `🟠 ${name}: memory is nearly full`,
      memory_normal: (name) => `🟢 ${name}: memory is back to normal`,
      disk_high: (name) => `🟠 ${name}: disk is nearly full`,
      disk_normal: (name) => `🟢 ${name}: disk is back to normal`,
    },
    metrics: { cpu: "CPU", memory: "Memory", disk: "Disk" },
    times: {
      down: (time) => `Down since ${time}`,
      recovery: (time) => `Up again at ${time}`,
      offline: (time) => `Offline since ${time}`,
      online: (time) => `Back at ${time}`,
      high: (time) => `Since ${time}`,
      normal: (time) => `Back to normal at ${time}`,
    },
    lasted: {
      recovery: (duration) => `It was down for ${duration}.`,
      online: (duration) => `It was silent for ${duration}.`,
      normal: (duration) => `It lasted ${duration}.`,
    },
    address: (address) => `Address: ${address}`,
    reason: (error) => `Reason: ${error}`,
    lastReport: (time) => `Last report: ${time}`,
    figure: (metric, figure, threshold, mount) =>
      `${metric}${mount ? ` ${mount}` : ""}: ${figure} (threshold ${threshold})`,
    test: {
      title: "✅ Wakeful test message",
      line: "If you can read this, alerts arrive here.",
      time: (time) => `Sent at ${time}`,
    },
  },
  "zh-CN": {
    titles: {
      down: (name) => `🔴 ${name} 无法访问`,
      recovery: (name) => `🟢 ${name} 已恢复`,
      offline: (name) => `🔴 服务器 ${name} 已离线`,
      online: (name) => `🟢 服务器 ${name} 已恢复上报`,
      cpu_high: (name) => `🟠 ${name}：CPU 使用率过高`,
      cpu_normal: (name) => `🟢 ${name}：CPU 使用率恢复正常`,
      memory_high: (name) => `🟠 ${name}：内存使用率过高`,
      memory_normal: (name) => `🟢 ${name}：内存使用率恢复正常`,
      disk_high: (name) => `🟠 ${name}：磁盘空间不足`,
      disk_normal: (name) => `🟢 ${name}：磁盘使用率恢复正常`,
    },
    metrics: { cpu: "CPU", memory: "内存", disk: "磁盘" },
    times: {
      down: (time) => `故障开始时间：${time}`,
      recovery: (time) => `恢复时间：${time}`,
      offline: (time) => `离线开始时间：${time}`,
      online: (time) => `恢复上报时间：${time}`,
      high: (time) => `发生时间：${time}`,
      normal: (time) => `恢复时间：${time}`,
    },
    lasted: {
      recovery: (duration) => `故障持续：${duration}`,
      online: (duration) => `离线时长：${duration}`,
      normal: (duration) => `持续时间：${duration}`,
    },
    address: (address) => `地址：${address}`,
    reason: (error) => `原因：${error}`,
    lastReport: (time) => `最后上报：${time}`,
    figure: (metric, figure, threshold, mount) =>
      `${metric}${mount ? ` ${mount}` : ""}：${figure}（阈值 ${threshold}）`,
    test: {
      title: "✅ Wakeful 测试消息",
      line: "看到这条消息，说明告警可以送达这里。",
      time: (time) => `发送时间：${time}`,
    },
  },
};

const MAX_NAME = 120;
const MAX_ERROR = 500;
const MAX_ADDRESS = 300;

/**
 * Names are one line: user input must not look like another part of the message, nor reverse its
 * direction. Cut between characters, because providers refuse half of one.
 */
const oneLine = (text: string, longest = MAX_NAME) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get through.
  const unwanted = /[\s\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;
  const signs = [...text.toWellFormed().replace(unwanted, " ").trim()];
  return signs.length > longest ? `${signs.slice(0, longest - 1).join("")}…` : signs.join("");
};

/** A monitor's target; of a URL without user information, query and fragment, where secrets may be. */
const addressOf = (target: string): string | null => {
  if (!target.includes("://")) return target;
  const parsed = URL.parse(target);
  return parsed && `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
};

/** The distance of a time zone from UTC at a time, such as `UTC+8`. */
const offsetOf = (timeZone: string, time: number): string => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "shortOffset" });
  const offset = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return offset.replace("GMT", "UTC").replace(/\+0$/, "");
};

/** A time in the reader's time zone with its distance from UTC; in UTC where the time zone is unknown. */
const timeIn = ({ language, timeZone }: Reader, time: number): string => {
  const zone = timeZone && isTimeZone(timeZone) ? timeZone : "UTC";
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium", timeZone: zone });
  return `${format.format(time)} ${offsetOf(zone, time)}`;
};

const durationIn = (language: Language, milliseconds: number): string => {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "day"],
    [Math.floor((seconds % 86_400) / 3600), "hour"],
    [Math.floor((seconds % 3600) / 60), "minute"],
    [seconds % 60, "second"],
  ];
  const shown = parts.filter(([amount]) => amount > 0).slice(0, 2);
  const unitDisplay = language === "zh-CN" ? "short" : "long";
  const words = shown.map(([amount, unit]) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay }).format(amount),
  );
  return spaceFigures(new Intl.ListFormat(language, { type: "unit", style: "narrow" }).format(words));
};

const percentIn = (language: Language, figure: number) =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(figure / 100);

/** A figure's events share their words, whichever figure it is. */
const phaseOf = (kind: EventKind) => (kind.includes("_") ? kind.split("_")[1] : kind) as keyof Words["times"];

const detailsOf = (event: AlertEvent, reader: Reader, words: Words): string[] => {
  const { language } = reader;
  const { kind, at, since, figure, threshold, mount } = event;
  const error = storedError(event);
  const [phase, [metric]] = [phaseOf(kind), kind.split("_") as [Metric]];
  const percent = (value: number) => percentIn(language, value);
  const known = figure !== null && threshold !== null;
  const lasted = phase === "recovery" || phase === "online" || phase === "normal" ? words.lasted[phase] : null;
  return [
    ...(known
      ? [words.figure(words.metrics[metric], percent(figure), percent(threshold), mount && oneLine(mount))]
      : []),
    ...(error && kind === "down" ? [words.reason(oneLine(checkErrorText(error, language), MAX_ERROR))] : []),
    ...(kind === "offline" && since !== null ? [words.lastReport(timeIn(reader, since))] : []),
    ...(lasted && since !== null ? [lasted(durationIn(language, at - since))] : []),
    words.times[phase](timeIn(reader, at)),
  ];
};

/**
 * The message of an event. `base` is the address of the hub's pages without a trailing slash, or empty; `target` is what
 * the monitor checks, or null for other events.
 */
export const messageOf = (event: AlertEvent, reader: Reader, base: string, target: string | null = null): Message => {
  const words = WORDS[reader.language];
  const address = target === null ? null : addressOf(target);
  const path = event.targetType === "monitor" ? "monitors" : "agents";
  return {
    title: words.titles[event.kind](oneLine(event.targetName)),
    lines: [...(address ? [words.address(oneLine(address, MAX_ADDRESS))] : []), ...detailsOf(event, reader, words)],
    link: base ? `${base}/${path}/${event.targetId}` : null,
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

/** An example event of each kind, for message previews. */
const EXAMPLES: { kind: EventKind; facts: Partial<AlertEvent> }[] = [
  { kind: "down", facts: { errorCode: "status", errorDetail: { actual: 503, expected: 200 } } },
  { kind: "recovery", facts: { since: -125_000 } },
  { kind: "offline", facts: { since: -180_000 } },
  { kind: "online", facts: { since: -600_000 } },
  { kind: "cpu_high", facts: { figure: 96.5, threshold: 90 } },
  { kind: "memory_high", facts: { figure: 88.1, threshold: 85 } },
  { kind: "disk_high", facts: { figure: 93.2, threshold: 90, mount: "/var" } },
  { kind: "disk_normal", facts: { figure: 81, threshold: 90, mount: "/var", since: -5_400_000 } },
];

export const Template = component("Template", {
  id: id("The template's number.", 9),
  name: oneOf("The event it is for.", EVENT_KINDS),
  type: oneOf("Its language.", LANGUAGES, "en-US"),
  subject: text("The first line.", "Down: Shop"),
  content: text("The rest.", "status 503, expected 200"),
  is_default: boolean("Always true: templates can't be changed.", true),
});

/** The built-in messages in all languages with example events at `now`. */
export const listTemplates = (now: number, base: string, timeZone: string | null): Static<typeof Template>[] =>
  LANGUAGES.flatMap((language, place) =>
    EXAMPLES.map(({ kind, facts }, index) => {
      const agent = !["down", "recovery"].includes(kind);
      const event: AlertEvent = {
        id: 0,
        userId: 0,
        kind,
        targetType: agent ? "agent" : "monitor",
        targetId: 1,
        targetName: agent ? "web-1" : "Shop",
        at: now,
        errorCode: null,
        errorDetail: null,
        figure: null,
        threshold: null,
        mount: null,
        ...facts,
        since: facts.since ? now + facts.since : null,
      };
      const { title, lines, link } = messageOf(
        event,
        { language, timeZone },
        base,
        agent ? null : "https://shop.example.com/health",
      );
      const content = [...lines, ...(link ? [link] : [])].join("\n");
      return {
        id: place * EXAMPLES.length + index + 1,
        name: kind,
        type: language,
        subject: title,
        content,
        is_default: true,
      };
    }),
  );
