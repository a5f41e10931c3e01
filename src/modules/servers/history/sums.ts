import { sampleHours, sampleTens } from "../../../db/schema";
import { createBlock } from "../../../history/block";
import { stepsOf } from "../../../history/series";
import { blockTable, type SumTable } from "../../../history/shape";
import { count, createSums, highest, type SumsOf, totalOfHundredths } from "../../../history/sums";
import { HOUR, MINUTE } from "../../../shared/limits";
import { addFurther, type FurtherSums, readFurtherSums, sumFurther, writeFurtherSums } from "./further";
import type { StoredSample } from "./samples";

/** The number of samples with each figure, and its sum. */
const FIGURES = {
  cpuCount: count,
  cpuTotal: totalOfHundredths,
  memoryCount: count,
  memoryTotal: totalOfHundredths,
  diskCount: count,
  diskTotal: totalOfHundredths,
  networkCount: count,
  rxTotal: totalOfHundredths,
  txTotal: totalOfHundredths,
  cpuMax: highest,
};
/** Figures of the samples in a span of time. */
export type Sums = SumsOf<typeof FIGURES>;
const columns = createSums<Sums>(FIGURES);

export const sumOf = (samples: readonly StoredSample[]): Sums => {
  const sums = columns.add([]);
  for (const { cpu, memory, disk, rx, tx } of samples) {
    if (cpu !== null) sums.cpuCount++;
    if (memory !== null) sums.memoryCount++;
    if (disk !== null) sums.diskCount++;
    if (rx !== null) sums.networkCount++;
    sums.cpuTotal += cpu ?? 0;
    sums.memoryTotal += memory ?? 0;
    sums.diskTotal += disk ?? 0;
    sums.rxTotal += rx ?? 0;
    sums.txTotal += tx ?? 0;
  }
  sums.cpuMax = highest.add(samples.map(({ cpu }) => cpu));
  // Rounds the totals.
  return columns.add([sums]);
};

export const addSums = columns.add;

/** The length of the short spans of an hour that have sums of their own. */
export const TEN_MINUTES = 10 * MINUTE;
const PER_HOUR = HOUR / TEN_MINUTES;

/** Sums of a span that starts at a time in epoch milliseconds. */
export type Span = { at: number; sums: Sums; further?: FurtherSums };

const spanOf = (at: number, sums: Sums, further: FurtherSums | undefined): Span =>
  further?.length ? { at, sums, further } : { at, sums };

/** The sums of the ten minutes of samples that are ordered by time. */
export const sumTens = (samples: readonly StoredSample[]): Span[] =>
  stepsOf(samples, TEN_MINUTES, ({ at }) => at).map(([at, part]) =>
    spanOf(at, sumOf(part), sumFurther(part.map(({ further }) => further))),
  );

/** Adds up the sums of equal spans. */
const addSpans = (spans: readonly Span[]): Span[] =>
  [...Map.groupBy(spans, ({ at }) => at)]
    .map(([at, found]) =>
      found.length === 1
        ? (found[0] as Span)
        : spanOf(at, addSums(found.map(({ sums }) => sums)), addFurther(found.map(({ further }) => further))),
    )
    .sort((a, b) => a.at - b.at);

type Added = Omit<Sums, "cpuMax">;
const ADDED = (Object.keys(FIGURES) as (keyof Sums)[]).filter((name): name is keyof Added => name !== "cpuMax");
/** Totals are stored in hundredths, the resolution of samples. */
const scaleOf = (name: keyof Added): number => (FIGURES[name] === count ? 1 : 100);

/** The sums of the ten minutes of one agent and hour. */
export const tensBlock = createBlock<Span>({
  write:
    (writer) =>
    ({ at, sums }) => {
      writer.varint(Math.floor(at / TEN_MINUTES) % PER_HOUR);
      for (const name of ADDED) writer.varint(Math.round(sums[name] * scaleOf(name)));
      writer.varint(sums.cpuMax === null ? 0 : Math.round(sums.cpuMax * 100) + 1);
    },
  read: (reader, hour) => () => {
    const at = hour * HOUR + reader.varint() * TEN_MINUTES;
    const added = Object.fromEntries(ADDED.map((name) => [name, reader.varint() / scaleOf(name)]));
    const peak = reader.varint();
    return { at, sums: { ...(added as Added), cpuMax: peak === 0 ? null : (peak - 1) / 100 } };
  },
  further: {
    isIn: ({ further }) => further !== undefined,
    write: (writer, spans) =>
      writeFurtherSums(
        writer,
        spans.map(({ further }) => further),
      ),
    read: (reader, spans) => {
      const furtherSums = readFurtherSums(reader, spans.length);
      return spans.map(({ at, sums }, index) => spanOf(at, sums, furtherSums[index]));
    },
  },
});

export const tenSums: SumTable<StoredSample, Span[]> = blockTable(sampleTens, tensBlock, {
  sum: sumTens,
  add: (parts) => addSpans(parts.flat()),
});

export const hourSums: SumTable<StoredSample, Sums> = {
  table: sampleHours,
  bucket: "bucket",
  length: HOUR,
  sum: sumOf,
  ...columns,
};

export const readSums = columns.read;
