import { writeSync } from "node:fs";
import { isoTime } from "../lib/time";

/** Says one thing on one line. */
export type Logger = (text: string) => void;

const OUT = 1;

/** Writes without the runtime's stream for it, which would take a megabyte for as long as the agent runs. */
export const write = (text: string): void => {
  try {
    writeSync(OUT, text);
  } catch {
    // Nobody reads it any more, or the disk is full: no reason to stop measuring.
  }
};

/** Line breaks, control characters, and signs that change the direction of what follows. */
const UNSAFE = /[\s\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** A text from outside as one line that a terminal shows as it is. */
export const oneLine = (text: string): string => text.replace(UNSAFE, " ");

/** One line on standard output, with the time unless a journal adds it. */
export const createLogger =
  (timed: boolean, out = write): Logger =>
  (text) =>
    out(`${timed ? `${isoTime(Date.now())} ` : ""}${oneLine(text)}\n`);
