import { createBlock, readTimes, writeTimes } from "../../../history/block";
import { createPack, type Decoded, readEntries } from "../../../history/pack";
import { firstOfEach } from "../../../history/shape";
import type { ByteReader } from "../../../lib/bytes";
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
 * Storage of samples: reports of the current hours are appended to their agent's pack; a past hour is one block. Only the first sample of each second is stored.
 *
 * An entry of a pack is the time in 6 bytes, whose highest bit marks an entry with further figures, and the five figures in
 * hundredths plus one (0 for none) as varints, before the further ones. A block has the time of each sample and the change of
 * each figure, and in the second version the changes of its further figures behind them, series by series.
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

const FIGURES = ["cpu", "memory", "disk", "rx", "tx"] as const;
const FURTHER_MARK = 2 ** 47;

const toNumber = (figure: number | null): number => (figure === null ? 0 : toHundredths(figure) + 1);
const toFigure = (number: number): number | null => (number === 0 ? null : (number - 1) / 100);

/** A figure with the resolution of stored samples. */
export const roundFigure = (figure: number | null): number | null => toFigure(toNumber(figure));

type Timed = Pick<StoredSample, "at">;

export const hourOf = ({ at }: Timed): number => Math.floor(at / HOUR);
/** The second of a sample, counted from the epoch. */
export const secondOf = ({ at }: Timed): number => Math.floor(at / SECOND);

/** The first sample of each second, in the order of their times. */
export const firstOfSeconds = <T extends Timed>(samples: readonly T[]): T[] => firstOfEach(samples, secondOf);

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

const withFurther = (sample: StoredSample, further: Further): StoredSample =>
  further.length > 0 ? { ...sample, further } : sample;

const readTime = (reader: ByteReader): { at: number; hasFurther: boolean } => {
  const time = reader.uint(6);
  return time >= FURTHER_MARK ? { at: time - FURTHER_MARK, hasFurther: true } : { at: time, hasFurther: false };
};

/** The samples of an agent's running hours. Packs may be appended to each other. */
export const samplePack = createPack<StoredSample>({
  write: (writer, sample) => {
    writer.uint(sample.further ? sample.at + FURTHER_MARK : sample.at, 6);
    for (const name of FIGURES) writer.varint(toNumber(sample[name]));
    if (sample.further) writeFurther(writer, sample.further);
  },
  read: (reader) => {
    const { at, hasFurther } = readTime(reader);
    const numbers = FIGURES.map(() => reader.varint());
    const sample = sampleOf(at, numbers);
    return hasFurther ? { ...sample, further: readFurther(reader) } : sample;
  },
});

/** Reads the times of the samples of a pack only. */
export const readPackedTimes = (pack: Uint8Array): Decoded<number> =>
  readEntries(pack, (reader) => {
    const { at, hasFurther } = readTime(reader);
    for (const _ of FIGURES) reader.varint();
    if (hasFurther) skipFurther(reader);
    return at;
  });

/** The bytes of a pack, and the hour of its oldest sample. */
export type SamplePack = { hour: number; bytes: Uint8Array };

/** Samples as a pack; null without any. */
export const packOf = (samples: readonly StoredSample[]): SamplePack | null =>
  samples.length > 0 ? { hour: Math.min(...samples.map(hourOf)), bytes: samplePack.encode(samples) } : null;

/** The samples of one agent and hour. */
export const sampleBlock = createBlock<StoredSample>({
  write: (writer, hour) => {
    const writeTime = writeTimes(writer, hour);
    const last = FIGURES.map(() => 0);
    return (sample) => {
      writeTime(sample.at);
      for (const [index, name] of FIGURES.entries()) {
        const number = toNumber(sample[name]);
        writer.signed(number - (last[index] as number));
        last[index] = number;
      }
    };
  },
  read: (reader, hour) => {
    const readTime = readTimes(reader, hour);
    const numbers = FIGURES.map(() => 0);
    return () => {
      const at = readTime();
      for (const index of numbers.keys()) numbers[index] = (numbers[index] as number) + reader.signed();
      return sampleOf(at, numbers);
    };
  },
  further: {
    isIn: ({ further }) => further !== undefined,
    write: (writer, samples) =>
      writeFurtherOfBlock(
        writer,
        samples.map(({ further }) => further),
      ),
    read: (reader, samples) => {
      const furtherFigures = readFurtherOfBlock(reader, samples.length);
      return samples.map((sample, index) => withFurther(sample, furtherFigures[index] as Further));
    },
  },
});
