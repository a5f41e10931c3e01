import { createByteReader, createByteWriter, openBytes, sealBytes } from "../../../lib/bytes";
import { HOUR, SECOND } from "../../../shared/limits";

/*
 * How samples are stored: those of the running hours in a pack of their agent, to which each report is appended, and
 * those of a past hour in one block. At most one sample of each second is stored, the first.
 *
 * An entry of a pack is the time in 6 bytes, and the five figures in hundredths plus one (0 for none) as varints. A block
 * is sealed and ordered by time: the number of samples, then of each the change of its distance to the sample before (the
 * first: to the start of the hour), and the change of each figure.
 */

/** A sample as it is stored. Figures have a resolution of 0.01. */
export type StoredSample = {
  /** Epoch milliseconds. */
  at: number;
  /** Percent. */
  cpu: number | null;
  memory: number | null;
  disk: number | null;
  /** KB/s. */
  rx: number | null;
  tx: number | null;
};

/** Samples that were read from stored bytes. `corrupt` if some of them could not be read. */
export type Decoded = { samples: StoredSample[]; corrupt: boolean };

const FIGURES = ["cpu", "memory", "disk", "rx", "tx"] as const;
const VERSION = 1;
const MOST_HUNDREDTHS = Number.MAX_SAFE_INTEGER / 16;

const toNumber = (figure: number | null): number =>
  figure === null ? 0 : Math.min(MOST_HUNDREDTHS, Math.max(0, Math.round(figure * 100))) + 1;
const toFigure = (number: number): number | null => (number === 0 ? null : (number - 1) / 100);

/** A figure with the resolution of stored samples. */
export const roundFigure = (figure: number | null): number | null => toFigure(toNumber(figure));

export const hourOf = ({ at }: StoredSample): number => Math.floor(at / HOUR);
const secondOf = ({ at }: StoredSample): number => Math.floor(at / SECOND);

/** Samples in the order in which they were stored, as the first of each second in the order of their times. */
export const firstOfSeconds = (samples: readonly StoredSample[]): StoredSample[] => {
  const known = new Set<number>();
  return samples
    .filter((sample) => !known.has(secondOf(sample)) && known.add(secondOf(sample)))
    .sort((a, b) => a.at - b.at);
};

/** A pack of samples, to which other packs may be appended. */
export const encodePack = (samples: readonly StoredSample[]): Uint8Array => {
  const writer = createByteWriter();
  for (const sample of samples) {
    writer.uint(sample.at, 6);
    for (const name of FIGURES) writer.varint(toNumber(sample[name]));
  }
  return writer.done();
};

type Reader = ReturnType<typeof createByteReader>;

const sampleOf = (at: number, numbers: number[]): StoredSample => {
  const [cpu = 0, memory = 0, disk = 0, rx = 0, tx = 0] = numbers;
  return {
    at,
    cpu: toFigure(cpu),
    memory: toFigure(memory),
    disk: toFigure(disk),
    rx: toFigure(rx),
    tx: toFigure(tx),
  };
};

/** Reads a pack in the order in which its samples were appended, as far as it is readable. */
export const decodePack = (pack: Uint8Array | null): Decoded => {
  const samples: StoredSample[] = [];
  if (!pack) return { samples, corrupt: false };
  const reader = createByteReader(pack);
  try {
    while (!reader.atEnd()) {
      const at = reader.uint(6);
      samples.push(
        sampleOf(
          at,
          FIGURES.map(() => reader.varint()),
        ),
      );
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { samples, corrupt: true };
  }
  return { samples, corrupt: false };
};

/** Encodes the samples of one hour, which are ordered by time. */
export const encodeBlock = (hour: number, samples: readonly StoredSample[]): Uint8Array => {
  const writer = createByteWriter();
  writer.varint(samples.length);
  let [previous, distance] = [hour * HOUR, 0];
  const last = FIGURES.map(() => 0);
  for (const sample of samples) {
    writer.signed(sample.at - previous - distance);
    [distance, previous] = [sample.at - previous, sample.at];
    for (const [index, name] of FIGURES.entries()) {
      const number = toNumber(sample[name]);
      writer.signed(number - (last[index] as number));
      last[index] = number;
    }
  }
  return sealBytes(VERSION, writer.done());
};

const readSamples = (hour: number, reader: Reader): StoredSample[] => {
  let [at, distance] = [hour * HOUR, 0];
  const numbers = FIGURES.map(() => 0);
  return Array.from({ length: reader.varint() }, () => {
    distance += reader.signed();
    at += distance;
    for (const index of numbers.keys()) numbers[index] = (numbers[index] as number) + reader.signed();
    return sampleOf(at, numbers);
  });
};

/** Reads the samples of a block, ordered by time. A block that was damaged has none. */
export const decodeBlock = (hour: number, bytes: Uint8Array | null): Decoded => {
  if (!bytes) return { samples: [], corrupt: false };
  const reader = openBytes(VERSION, bytes);
  return reader ? { samples: readSamples(hour, reader), corrupt: false } : { samples: [], corrupt: true };
};
