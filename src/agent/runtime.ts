import { writeSync } from "node:fs";
import { isoTime } from "../lib/time";

/** Time as the agent knows it, so that a test can hold it still. */
export type Time = {
  /** Epoch milliseconds of the system clock. */
  now: () => number;
  /** Milliseconds of the monotonic clock. */
  monotonic: () => number;
  /** Resolves early, without an error, when the signal aborts. */
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

export const systemTime: Time = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener("abort", end);
    }),
};

/** Reads a text of at most `largest` bytes; null for a longer one, whose rest is not read. */
export const readBounded = async (
  stream: AsyncIterable<Uint8Array> | Uint8Array[],
  largest: number,
): Promise<string | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > largest) return null;
  }
  return Buffer.concat(chunks).toString("utf8");
};

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
