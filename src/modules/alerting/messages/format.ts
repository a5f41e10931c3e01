import type { Deps } from "../../../core/deps";
import type { TopProcesses } from "../../../shared/agents/report";
import type { ThresholdMetric } from "../../../shared/agents/thresholds";
import {
  dateTimeFormat,
  durationIn,
  type Language,
  listFormat,
  numberFormat,
  spaceFigures,
} from "../../../shared/language";
import type { FigureUnit } from "../../../shared/outages/kinds";
import { isTimeZone } from "../../../shared/time-zone";

/** Who reads a message: its language, and the IANA name of the time zone of its times. */
export type Reader = { language: Language; timeZone?: string | null };

/** A user as the reader of messages; undefined for a user who was deleted. */
export const readerOf = (
  { config }: Pick<Deps, "config">,
  user: { language: Language | null; timeZone: string | null } | undefined,
): Reader => ({ language: user?.language ?? config.defaultLanguage, timeZone: user?.timeZone });

/** Characters of parts of a message. */
const MAX_NAME = 120;
const MAX_PROGRAM = 40;
export const MAX_ERROR = 500;
export const MAX_ADDRESS = 300;

/**
 * Names are one line: user input must not look like another part of the message, nor reverse its
 * direction. Cut between characters, because providers refuse half of one.
 */
export const oneLine = (text: string, longest = MAX_NAME) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get through.
  const unwanted = /[\s\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;
  const signs = [...text.toWellFormed().replace(unwanted, " ").trim()];
  return signs.length > longest ? `${signs.slice(0, longest - 1).join("")}…` : signs.join("");
};

/** A monitor's target; of a URL without user information, query and fragment, where secrets may be. */
export const addressOf = (target: string): string | null => {
  if (!target.includes("://")) return target;
  const parsed = URL.parse(target);
  return parsed && `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
};

/** The time zone of a reader's times: UTC where it is unknown. */
export const zoneOf = ({ timeZone }: Pick<Reader, "timeZone">): string =>
  timeZone && isTimeZone(timeZone) ? timeZone : "UTC";

/** The distance of a time zone from UTC at a time, such as `UTC+8`. */
const offsetOf = (timeZone: string, time: number): string => {
  const format = dateTimeFormat("en-US", { timeZone, timeZoneName: "shortOffset" });
  const offset = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return offset.replace("GMT", "UTC").replace(/\+0$/, "");
};

/** A time in the reader's time zone with its distance from UTC; in UTC where the time zone is unknown. */
export const timeIn = (reader: Reader, time: number): string => {
  const [language, zone] = [reader.language, zoneOf(reader)];
  const format = dateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium", timeZone: zone });
  return `${format.format(time)} ${offsetOf(zone, time)}`;
};

/** Times and durations that are known more exactly are written as one (ms). */
const EXACT = 10_000;

/** When an outage began, as timeIn writes it: as a range where it is known less exactly. */
export const startIn = (reader: Reader, startedAt: number, startedAfter: number | null = null): string => {
  if (startedAfter === null || startedAt - startedAfter <= EXACT) return timeIn(reader, startedAt);
  const [language, zone] = [reader.language, zoneOf(reader)];
  const format = dateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium", timeZone: zone });
  const clock = dateTimeFormat(language, { timeStyle: "medium", timeZone: zone });
  const isSameDay = dateIn(reader, startedAfter) === dateIn(reader, startedAt);
  return isSameDay
    ? `${format.format(startedAfter)}–${clock.format(startedAt)} ${offsetOf(zone, startedAt)}`
    : `${format.format(startedAfter)} – ${timeIn(reader, startedAt)}`;
};

/** Units of durations, each up to twice the next larger one. */
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** A length of time between two bounds, in its largest unit; as durationIn writes it where they differ by little. */
export const durationBetween = (language: Language, least: number, most: number): string => {
  if (most - least <= Math.max(EXACT, most / 20)) return durationIn(language, least);
  const [unit, length] = UNITS.find(([, length]) => most >= 2 * length) ?? UNITS[3];
  const unitDisplay = language === "zh-CN" ? "short" : "long";
  const format = numberFormat(language, { style: "unit", unit, unitDisplay });
  const [from, to] = [Math.floor(least / length), Math.ceil(most / length)];
  return spaceFigures(format.format(to).replace(String(to), from === to ? String(to) : `${from}–${to}`));
};

/** A time without its date, for what happened at about the time that the message names. */
export const clockTimeIn = (reader: Reader, time: number, precision: "minutes" | "seconds" = "minutes"): string => {
  const [language, zone] = [reader.language, zoneOf(reader)];
  const format = dateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    ...(precision === "seconds" && { second: "2-digit" }),
    timeZone: zone,
  });
  return `${format.format(time)} ${offsetOf(zone, time)}`;
};

/** The date of a time in the reader's time zone. */
export const dateIn = (reader: Reader, time: number): string =>
  dateTimeFormat(reader.language, { dateStyle: "medium", timeZone: zoneOf(reader) }).format(time);

/** A date YYYY-MM-DD as the language writes it; null if it is not a date. */
export const writtenDate = (language: Language, date: string): string | null => {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? null : dateIn({ language, timeZone: "UTC" }, time);
};

/** A figure in percent, with one decimal at most. */
export const percentIn = (language: Language, figure: number) =>
  numberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(figure / 100);

/** A figure of a server by what it is in, with one decimal at most. */
export const figureIn = (language: Language, unit: FigureUnit, figure: number): string => {
  if (unit === "percent") return percentIn(language, figure);
  if (unit === "number") return numberFormat(language, { maximumFractionDigits: 2 }).format(figure);
  const [name, display] = unit === "days" ? (["day", "long"] as const) : (["celsius", "short"] as const);
  const format = { style: "unit", unit: name, unitDisplay: display, maximumFractionDigits: 1 } as const;
  return spaceFigures(numberFormat(language, format).format(figure));
};

/** Bytes in the largest binary unit that is at most the number. */
export const bytesIn = (language: Language, bytes: number): string => {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const number = numberFormat(language, { maximumFractionDigits: 1 }).format(bytes / 1024 ** power);
  return `${number} ${units[power]}`;
};

/** The states of containers with alerts; other states, and states of arrays, are written as reported. */
const CHINESE_STATES: Readonly<Record<string, string>> = {
  exited: "已退出",
  unhealthy: "不健康",
  restarting: "反复重启",
  dead: "已失效",
};

/** The state of a container or an array on one line, as in `exited (137)`. */
export const stateIn = (language: Language, state: string): string => {
  const line = oneLine(state);
  return language === "zh-CN" ? line.replace(/^\w+/, (word) => CHINESE_STATES[word] ?? word) : line;
};

/** The names of machines that report with one key. */
export const machinesIn = (language: Language, names: readonly string[]): string =>
  listFormat(language, {}).format(names.map((name) => oneLine(name)));

/** Programs in a message. */
const MAX_PROCESSES = 3;

/** The programs that use the most of a figure, `ffmpeg 61%, postgres 22%`; null where none are known of it. */
export const processesIn = (
  language: Language,
  metric: ThresholdMetric | null,
  processes: TopProcesses | undefined,
): string | null => {
  const isMemory = metric === "memory" || metric === "swap";
  const list = isMemory ? processes?.memory : metric === "cpu" || metric === "load" ? processes?.cpu : undefined;
  const texts = (list ?? []).slice(0, MAX_PROCESSES).map(({ name, value }) => {
    const amount = isMemory ? bytesIn(language, value) : percentIn(language, Math.round(value));
    return `${oneLine(name, MAX_PROGRAM)} ${amount}`;
  });
  return texts.length > 0 ? texts.join(language === "zh-CN" ? "、" : ", ") : null;
};
