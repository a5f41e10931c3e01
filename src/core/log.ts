import type { LogLevel } from "./config";

type Fields = Record<string, string | number | boolean | null | undefined>;
type Write = (message: string, fields?: Fields) => void;
/** The operator's log. It must not contain passwords, tokens, keys or monitored URLs. */
export type Log = Record<"debug" | "info" | "warn" | "error", Write>;

const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** Text from outside must not contain terminal control characters. */
const harmless = (value: Fields[string]) =>
  String(value).replace(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

const plain = (level: string, message: string, fields: Fields) => {
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${harmless(value)}`);
  return `${new Date().toISOString()} ${level.padEnd(5)} ${message}${details.join("")}\n`;
};

const json = (level: string, message: string, fields: Fields) =>
  `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`;

/** Writes one JSON object per line, or plain text to a terminal. */
export const createLog = (level: LogLevel, terminal: boolean, write: (line: string) => void): Log => {
  const format = terminal ? plain : json;
  const at = (name: keyof Log): Write =>
    LEVELS.indexOf(name) < LEVELS.indexOf(level)
      ? () => {}
      : (message, fields = {}) => write(format(name, message, fields));
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
};

const MAX_LOGGED_ONCE = 1000;
const loggedOnce = new WeakMap<object, Set<string>>();

/** Logs an error once for each message with its fields, for conditions that every later read meets again. */
export const logErrorOnce = (log: Pick<Log, "error">, message: string, fields: Fields): void => {
  const key = JSON.stringify([message, fields]);
  const logged = loggedOnce.get(log) ?? new Set();
  if (logged.has(key)) return;
  if (logged.size >= MAX_LOGGED_ONCE) logged.clear();
  loggedOnce.set(log, logged.add(key));
  log.error(message, fields);
};
