import { writeSync } from "node:fs";
import { isoTime } from "../lib/time";

/** Writes one message as one line. */
export type Logger = (text: string) => void;

const OUT = 1;

/** Writes to standard output without process.stdout, which holds a megabyte for as long as the agent runs. */
export const write = (text: string): void => {
  try {
    writeSync(OUT, text);
  } catch {
    // A closed pipe or a full disk must not stop the agent.
  }
};

/** Line breaks, control characters and bidirectional formatting characters. */
const UNSAFE = /[\s\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** Makes text from outside safe to print on one line of a terminal. */
export const oneLine = (text: string): string => text.replace(UNSAFE, " ");

/** Logs to standard output, with the time unless the journal adds it. */
export const createLogger =
  (timed: boolean, out = write): Logger =>
  (text) =>
    out(`${timed ? `${isoTime(Date.now())} ` : ""}${oneLine(text)}\n`);
