import { createByteReader, createByteWriter, openBytes, sealBytes } from "../../../lib/bytes";
import { HOUR, SECOND } from "../../../shared/limits";
import {
  type Further,
  readFurther,
  readFurtherOfBlock,
  skipFurther,
  toHundredths,
  writeFurther,
  writeFurtherOfBlock,
} from "./further";

/*
 * How samples are stored: those of the running hours in a pack of their agent, to which each report is appended, and
 * those of a past hour in one block. At most one sample of each second is stored, the first.
 *
 * An entry of a pack is the time in 6 bytes, whose highest bit marks an entry with further figures, and the five figures in
 * hundredths plus one (0 for none) as varints, before the further ones. A block is sealed and ordered by time: the number of
 * samples, then of each the change of its distance to the sample before (the first: to the start of the hour), and the change
 * of each figure. A block of the second version has the changes of its further figures behind them, series by series.
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
  /** Absent without any. */
  further?: Further;
};

/** Samples that were read from stored bytes. `corrupt` if some of them could not be read. */
type Decoded = { samples: StoredSample[]; corrupt: boolean };

const FIGURES = ["cpu", "memory", "disk", "rx", "tx"] as const;
const VERSION = 1;
/** The version of blocks with further figures. */
const FURTHER_VERSION = 2;
const FURTHER_MARK = 2 ** 47;

const toNumber = (figure: number | null): number => (figure === null ? 0 : toHundredths(figure) + 1);
const toFigure = (number: number): number | null => (number === 0 ? null : (number - 1) / 100);

/** A figure with the resolution of stored samples. */
export const roundFigure = (figure: number | null): number | null => toFigure(toNumber(figure));

type Timed = Pick<StoredSample, "at">;

export const hourOf = ({ at }: Timed): number => Math.floor(at / HOUR);
const secondOf = ({ at }: Timed): number => Math.floor(at / SECOND);

/** Samples in the order in which they were stored, as the first of each second in the order of their times. */
export const firstOfSeconds = <T extends Timed>(samples: readonly T[]): T[] => {
  const known = new Set<number>();
  return samples
    .filter((sample) => !known.has(secondOf(sample)) && known.add(secondOf(sample)))
    .sort((a, b) => a.at - b.at);
};

/** A pack of samples, to which other packs may be appended. */
export const encodePack = (samples: readonly StoredSample[]): Uint8Array => {
  const writer = createByteWriter();
  for (const sample of samples) {
    writer.uint(sample.further ? sample.at + FURTHER_MARK : sample.at, 6);
    for (const name of FIGURES) writer.varint(toNumber(sample[name]));
    if (sample.further) writeFurther(writer, sample.further);
  }
  return writer.done();
};

/** The bytes of a pack, and the hour of its oldest sample. */
export type SamplePack = { hour: number; bytes: Uint8Array };

/** Samples as a pack; null without any. */
export const packOf = (samples: readonly StoredSample[]): SamplePack | null =>
  samples.length > 0 ? { hour: Math.min(...samples.map(hourOf)), bytes: encodePack(samples) } : null;

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

/** Reads entries of a pack in the order in which they were appended, as far as they are readable. */
const readPack = <T>(pack: Uint8Array | null, read: (at: number, reader: Reader, hasFurther: boolean) => T) => {
  const found: T[] = [];
  if (!pack) return { found, corrupt: false };
  const reader = createByteReader(pack);
  try {
    while (!reader.atEnd()) {
      const time = reader.uint(6);
      const hasFurther = time >= FURTHER_MARK;
      found.push(read(hasFurther ? time - FURTHER_MARK : time, reader, hasFurther));
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { found, corrupt: true };
  }
  return { found, corrupt: false };
};

/** Reads a pack in the order in which its samples were appended, as far as it is readable. */
export const decodePack = (pack: Uint8Array | null): Decoded => {
  const { found, corrupt } = readPack(pack, (at, reader, hasFurther) => {
    const numbers = FIGURES.map(() => reader.varint());
    const sample = sampleOf(at, numbers);
    return hasFurther ? { ...sample, further: readFurther(reader) } : sample;
  });
  return { samples: found, corrupt };
};

/** Reads the times of the samples of a pack only. */
export const decodeTimes = (pack: Uint8Array): { times: number[]; corrupt: boolean } => {
  const { found, corrupt } = readPack(pack, (at, reader, hasFurther) => {
    for (const _ of FIGURES) reader.varint();
    if (hasFurther) skipFurther(reader);
    return at;
  });
  return { times: found, corrupt };
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
  if (!samples.some(({ further }) => further)) return sealBytes(VERSION, writer.done());
  writeFurtherOfBlock(
    writer,
    samples.map(({ further }) => further),
  );
  return sealBytes(FURTHER_VERSION, writer.done());
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

const withFurther = (sample: StoredSample, further: Further): StoredSample =>
  further.length > 0 ? { ...sample, further } : sample;

/** Reads the samples of a block, ordered by time. A block that was damaged has none. */
export const decodeBlock = (hour: number, bytes: Uint8Array | null): Decoded => {
  if (!bytes) return { samples: [], corrupt: false };
  const hasFurther = bytes[0] === FURTHER_VERSION;
  const reader = openBytes(hasFurther ? FURTHER_VERSION : VERSION, bytes);
  if (!reader) return { samples: [], corrupt: true };
  const samples = readSamples(hour, reader);
  if (!hasFurther) return { samples, corrupt: false };
  const further = readFurtherOfBlock(reader, samples.length);
  return { samples: samples.map((sample, index) => withFurther(sample, further[index] as Further)), corrupt: false };
};
