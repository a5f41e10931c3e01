import { writeSync } from "node:fs";
import { isoTime } from "../shared/time";

/** Says one thing on one line. */
export type Say = (text: string) => void;

const OUT = 1;

/** Writes without the runtime's stream for it, which would take a megabyte for as long as the agent runs. */
export const write = (text: string): void => {
  try {
    writeSync(OUT, text);
  } catch {
    // Nobody reads it any more, or the disk is full: no reason to stop measuring.
  }
};

/** One line on standard output, with the time unless a journal adds it. */
export const sayTo =
  (timed: boolean, out = write): Say =>
  (text) =>
    out(`${timed ? `${isoTime(Date.now())} ` : ""}${text.replace(/[\r\n]+/g, " ")}\n`);
