import { isoTime } from "../shared/time";

/** Says one thing on one line. */
export type Say = (text: string) => void;

/** A line on standard output, with the time unless a journal adds it. */
export const sayTo =
  (write: (line: string) => void, timed: boolean): Say =>
  (text) =>
    write(`${timed ? `${isoTime(Date.now())} ` : ""}${text.replace(/[\r\n]+/g, " ")}\n`);
