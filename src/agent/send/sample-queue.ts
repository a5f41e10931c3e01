import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Sample } from "../../shared/agents/report";
import type { Logger } from "../runtime";
import { writeWhole } from "../state";

/** Maximum queued samples: a day at one a minute. */
export const CAPACITY = 1440;

const isSample = (value: unknown): value is Sample => {
  const { at, memory, disk } = Object(value) as Partial<Sample>;
  return typeof at === "string" && typeof memory === "object" && typeof disk === "object";
};

/** A line truncated by a crash is skipped. */
const parseLine = (line: string): Sample[] => {
  try {
    const value: unknown = JSON.parse(line);
    return isSample(value) ? [value] : [];
  } catch {
    return [];
  }
};

const load = (path: string): Sample[] => {
  try {
    return readFileSync(path, "utf8").split("\n").flatMap(parseLine);
  } catch {
    return [];
  }
};

// The line break comes first, so that a truncated line does not damage the next.
const lineOf = (sample: Sample): string => `\n${JSON.stringify(sample)}`;

/**
 * The samples to be sent, oldest first. They are also stored on disk from the first failed report until
 * the queue is empty; while reports succeed nothing is written.
 */
export const openSampleQueue = (folder: string, log: Logger) => {
  const path = join(folder, "samples");
  let samples = load(path).slice(-CAPACITY);
  /** Lines of the file, 0 while it does not exist. */
  let lines = samples.length;
  let overflowing = false;
  let failing = false;

  const onDisk = (write: () => void) => {
    try {
      write();
      failing = false;
    } catch (error) {
      if (!failing)
        log(`Cannot keep samples in ${path} (${(error as NodeJS.ErrnoException).code}); they are kept in memory.`);
      failing = true;
    }
  };
  const rewrite = () =>
    onDisk(() => {
      writeWhole(path, samples.map(lineOf).join(""));
      lines = samples.length;
    });
  const remove = () =>
    onDisk(() => {
      rmSync(path, { force: true });
      lines = 0;
    });

  return {
    get size() {
      return samples.length;
    },
    get newest() {
      return samples.at(-1);
    },
    add: (sample: Sample): void => {
      samples.push(sample);
      if (samples.length > CAPACITY) {
        if (!overflowing) log(`More than ${CAPACITY} samples are queued; the oldest are dropped.`);
        overflowing = true;
        samples.shift();
      }
      if (lines >= 2 * CAPACITY) rewrite();
      else if (lines > 0)
        onDisk(() => {
          appendFileSync(path, lineOf(sample));
          lines++;
        });
    },
    /** The oldest samples, up to `count`, ending where the machine's clock was set back. */
    oldest: (count: number): Sample[] => {
      const batch = samples.slice(0, count);
      const back = batch.findIndex(({ at }, index) => index > 0 && at <= (batch[index - 1] as Sample).at);
      return back > 0 ? batch.slice(0, back) : batch;
    },
    drop: (gone: Sample[]): void => {
      const all = new Set(gone);
      samples = samples.filter((sample) => !all.has(sample));
      if (samples.length > 0) return;
      overflowing = false;
      if (lines > 0) remove();
    },
    /** Also stores the queue on disk from now on. */
    keep: (): void => {
      if (lines === 0) rewrite();
    },
    /** Stores the queue for the next start. */
    close: (): void => {
      if (samples.length > 0) rewrite();
      else if (lines > 0) remove();
    },
  };
};

export type SampleQueue = ReturnType<typeof openSampleQueue>;

/** Number of samples stored on disk. */
export const countWaiting = (folder: string): number => load(join(folder, "samples")).slice(-CAPACITY).length;
