import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from "../../../lib/bytes";

/*
 * Further figures: those that only some agents send, such as the usage of one mount point. An agent's series are numbered by
 * their position in its list of names, and a figure is stored in hundredths.
 */

/** The most series of one agent. A figure beyond them has no history. */
export const MOST_SERIES = 200;

/** The largest stored figure: the sum of one in each second of an hour is exact. In KB/s it is 20 TB/s. */
export const MOST_HUNDREDTHS = Math.floor(Number.MAX_SAFE_INTEGER / 4096);

/** A figure in hundredths, at most the largest that is stored. */
export const toHundredths = (figure: number): number =>
  Math.min(MOST_HUNDREDTHS, Math.max(0, Math.round(figure * 100)));

/** The further figures of a sample in the order of their series. */
export type Further = readonly (readonly [series: number, hundredths: number])[];
/** Of a span of time: in each series the number of samples with the figure, and their sum. */
export type FurtherSums = readonly (readonly [series: number, count: number, hundredths: number])[];

/** Reads the number of a series, which is stored as the difference to the previous one. */
const readSeries = (reader: ByteReader, previous: number): number => {
  const series = previous + reader.varint();
  if (series >= MOST_SERIES) throw new RangeError("there is no such series");
  return series;
};

/** Writes the figures of one sample behind the number of their bytes. */
export const writeFurther = (writer: ByteWriter, further: Further): void => {
  const pairs = createByteWriter();
  let previous = 0;
  for (const [series, hundredths] of further) {
    pairs.varint(series - previous);
    pairs.varint(hundredths);
    previous = series;
  }
  const bytes = pairs.done();
  writer.varint(bytes.length);
  writer.bytes(bytes);
};

/** Passes over the figures of one sample. */
export const skipFurther = (reader: ByteReader): void => reader.skip(reader.varint());

/** Reads the figures of one sample. @throws {RangeError} for damaged bytes */
export const readFurther = (reader: ByteReader): Further => {
  const pairs = createByteReader(reader.bytes(reader.varint()));
  const figures: [number, number][] = [];
  for (let series = 0; !pairs.atEnd(); ) {
    series = readSeries(pairs, series);
    figures.push([series, pairs.varint()]);
  }
  return figures;
};

/** Writes the change of each number. Equal numbers are counted, because many figures rarely change. */
const writeChanges = (writer: ByteWriter, numbers: readonly number[]): void => {
  let [previous, equal] = [0, 0];
  const writeEqual = () => {
    if (equal === 0) return;
    writer.varint(0);
    writer.varint(equal - 1);
    equal = 0;
  };
  for (const number of numbers) {
    if (number === previous) equal++;
    else {
      writeEqual();
      writer.signed(number - previous);
    }
    previous = number;
  }
  writeEqual();
};

const readChanges = (reader: ByteReader, count: number): number[] => {
  const numbers: number[] = [];
  for (let number = 0; numbers.length < count; ) {
    const change = reader.signed();
    number += change;
    const times = change === 0 ? reader.varint() + 1 : 1;
    if (times > count - numbers.length) throw new RangeError("there are more numbers than announced");
    for (let time = 0; time < times; time++) numbers.push(number);
  }
  return numbers;
};

/** Series by series: of each row its numbers of that series, or zeros. `width` is the count of these numbers. */
type Table = readonly (readonly (readonly number[])[] | undefined)[];

const seriesOf = (rows: Table): number[] =>
  [...new Set(rows.flatMap((row) => (row ?? []).map(([series]) => series as number)))].sort((a, b) => a - b);

/** Writes the further figures of rows, each with some numbers of some series. A number of zero is like an absent one. */
const writeColumns = (writer: ByteWriter, rows: Table, width: number): void => {
  const all = seriesOf(rows);
  writer.varint(all.length);
  const places = new Map(all.map((series, place) => [series, place]));
  const columns = Array.from({ length: all.length * width }, () => new Array<number>(rows.length).fill(0));
  for (const [index, row] of rows.entries())
    for (const [series = 0, ...numbers] of row ?? []) {
      const place = (places.get(series) as number) * width;
      for (const [offset, number] of numbers.entries()) (columns[place + offset] as number[])[index] = number;
    }
  let previous = 0;
  for (const [place, series] of all.entries()) {
    writer.varint(series - previous);
    previous = series;
    for (const column of columns.slice(place * width, (place + 1) * width)) writeChanges(writer, column);
  }
};

/** Reads what writeColumns wrote of this many rows: those with a first number in a series. */
const readColumns = (reader: ByteReader, count: number, width: number): number[][][] => {
  const rows: number[][][] = Array.from({ length: count }, () => []);
  for (let left = reader.varint(), series = 0; left > 0; left--) {
    series = readSeries(reader, series);
    const columns = Array.from({ length: width }, () => readChanges(reader, count));
    for (const [index, row] of rows.entries()) {
      const numbers = columns.map((column) => column[index] as number);
      if (numbers[0] !== 0) row.push([series, ...numbers]);
    }
  }
  return rows;
};

/** Writes the further figures of the samples of a block. */
export const writeFurtherOfBlock = (writer: ByteWriter, samples: readonly (Further | undefined)[]): void =>
  writeColumns(
    writer,
    samples.map((further) => further?.map(([series, hundredths]) => [series, hundredths + 1])),
    1,
  );

/** Reads the further figures of this many samples; an empty list of a sample without any. */
export const readFurtherOfBlock = (reader: ByteReader, count: number): Further[] =>
  readColumns(reader, count, 1).map((row) => row.map(([series = 0, number = 0]) => [series, number - 1] as const));

/** Writes the sums of further figures of spans. */
export const writeFurtherSums = (writer: ByteWriter, spans: readonly (FurtherSums | undefined)[]): void =>
  writeColumns(writer, spans, 2);

/** Reads the sums of this many spans; an empty list of a span without any. */
export const readFurtherSums = (reader: ByteReader, count: number): FurtherSums[] =>
  readColumns(reader, count, 2) as unknown as FurtherSums[];

/** Adds up the further figures of samples; undefined without any. */
export const sumFurther = (samples: readonly (Further | undefined)[]): FurtherSums | undefined =>
  addFurther(samples.map((further) => further?.map(([series, hundredths]) => [series, 1, hundredths] as const)));

/** Adds up sums of further figures; undefined without any. */
export const addFurther = (parts: readonly (FurtherSums | undefined)[]): FurtherSums | undefined => {
  const sums = new Map<number, [number, number, number]>();
  for (const part of parts)
    for (const [series, count, hundredths] of part ?? []) {
      const sum = sums.get(series);
      if (!sum) sums.set(series, [series, count, hundredths]);
      else {
        sum[1] += count;
        sum[2] += hundredths;
      }
    }
  return sums.size === 0 ? undefined : [...sums.values()].sort(([a], [b]) => a - b);
};
