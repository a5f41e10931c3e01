import { type Language, spaceFigures } from "../../../shared/language";
import { isTimeZone } from "../../../shared/time-zone";

/** Who reads a message: its language, and the IANA name of the time zone of its times. */
export type Reader = { language: Language; timeZone?: string | null };

/** Characters of parts of a message. */
const MAX_NAME = 120;
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
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "shortOffset" });
  const offset = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return offset.replace("GMT", "UTC").replace(/\+0$/, "");
};

/** A time in the reader's time zone with its distance from UTC; in UTC where the time zone is unknown. */
export const timeIn = (reader: Reader, time: number): string => {
  const [language, zone] = [reader.language, zoneOf(reader)];
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium", timeZone: zone });
  return `${format.format(time)} ${offsetOf(zone, time)}`;
};

/** A time without its date, for what happened at about the time that the message names. */
export const clockTimeIn = (reader: Reader, time: number): string => {
  const [language, zone] = [reader.language, zoneOf(reader)];
  const format = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: zone,
  });
  return `${format.format(time)} ${offsetOf(zone, time)}`;
};

/** A length of time in its two largest units. */
export const durationIn = (language: Language, milliseconds: number): string => {
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

/** A figure in percent, with one decimal at most. */
export const percentIn = (language: Language, figure: number) =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(figure / 100);
