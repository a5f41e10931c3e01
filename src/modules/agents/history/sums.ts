import { createByteWriter, openBytes, sealBytes } from "../../../lib/bytes";
import { HOUR, MINUTE } from "../../../shared/limits";
import { addFurther, type FurtherSums, readFurtherSums, sumFurther, writeFurtherSums } from "./further";
import type { StoredSample } from "./samples";

/** What is known of the samples of a span of time: the number of those with a figure, and its sum. */
export type Sums = {
  cpuCount: number;
  cpuTotal: number;
  cpuMax: number | null;
  memoryCount: number;
  memoryTotal: number;
  diskCount: number;
  diskTotal: number;
  networkCount: number;
  rxTotal: number;
  txTotal: number;
};

/** The names of the added figures, and of their columns. */
const ADDED = {
  cpuCount: "cpu_count",
  cpuTotal: "cpu_total",
  memoryCount: "memory_count",
  memoryTotal: "memory_total",
  diskCount: "disk_count",
  diskTotal: "disk_total",
  networkCount: "network_count",
  rxTotal: "rx_total",
  txTotal: "tx_total",
} as const;
const NAMES = Object.keys(ADDED) as (keyof typeof ADDED)[];

/** The columns that are added up, under their stored names. */
export const ADDED_COLUMNS: readonly string[] = Object.values(ADDED);
export const SUM_COLUMNS = [...ADDED_COLUMNS, "cpu_max"].join(", ");

const exact = (total: number): number => Math.round(total * 100) / 100;
const most = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));

/** The values of SUM_COLUMNS. */
export const sumValues = (sums: Sums): (number | null)[] => [...NAMES.map((name) => sums[name]), sums.cpuMax];

/** Converts a row of SUM_COLUMNS of either engine. */
export const readSums = (row: Record<string, unknown>): Sums => {
  // The database adds up hundredths without rounding.
  const sums = Object.fromEntries(NAMES.map((name) => [name, exact(Number(row[ADDED[name]]))])) as Omit<Sums, "cpuMax">;
  return { ...sums, cpuMax: row.cpu_max === null ? null : Number(row.cpu_max) };
};

export const sumOf = (samples: readonly StoredSample[]): Sums => {
  const sums: Sums = {
    cpuCount: 0,
    cpuTotal: 0,
    cpuMax: null,
    memoryCount: 0,
    memoryTotal: 0,
    diskCount: 0,
    diskTotal: 0,
    networkCount: 0,
    rxTotal: 0,
    txTotal: 0,
  };
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
    sums.cpuMax = most(sums.cpuMax, cpu);
  }
  for (const name of NAMES) sums[name] = exact(sums[name]);
  return sums;
};

export const addSums = (parts: readonly Sums[]): Sums => {
  const sums = sumOf([]);
  for (const part of parts) {
    for (const name of NAMES) sums[name] += part[name];
    sums.cpuMax = most(sums.cpuMax, part.cpuMax);
  }
  for (const name of NAMES) sums[name] = exact(sums[name]);
  return sums;
};

/** The length of the short spans of an hour that have sums of their own. */
export const TEN_MINUTES = 10 * MINUTE;
const PER_HOUR = HOUR / TEN_MINUTES;

/** Sums of a span that starts at a time in epoch milliseconds. */
export type Span = { at: number; sums: Sums; further?: FurtherSums };

const spanOf = (at: number, sums: Sums, further: FurtherSums | undefined): Span =>
  further?.length ? { at, sums, further } : { at, sums };

const spansOf = (
  samples: readonly StoredSample[],
  length: number,
  sum: (at: number, found: StoredSample[]) => Span,
): Span[] =>
  [...Map.groupBy(samples, ({ at }) => Math.floor(at / length))].map(([bucket, found]) => sum(bucket * length, found));

/** The sums of the hours of samples that are ordered by time, without further figures. */
export const sumHours = (samples: readonly StoredSample[]): Span[] =>
  spansOf(samples, HOUR, (at, found) => ({ at, sums: sumOf(found) }));

/** The sums of the ten minutes of samples that are ordered by time. */
export const sumTens = (samples: readonly StoredSample[]): Span[] =>
  spansOf(samples, TEN_MINUTES, (at, found) =>
    spanOf(at, sumOf(found), sumFurther(found.map(({ further }) => further))),
  );

/** Adds up the sums of equal spans. */
export const addSpans = (spans: readonly Span[]): Span[] =>
  [...Map.groupBy(spans, ({ at }) => at)]
    .map(([at, found]) =>
      found.length === 1
        ? (found[0] as Span)
        : spanOf(at, addSums(found.map(({ sums }) => sums)), addFurther(found.map(({ further }) => further))),
    )
    .sort((a, b) => a.at - b.at);

const VERSION = 1;
/** The version of those with further figures. */
const FURTHER_VERSION = 2;
/** Totals are stored in hundredths, the resolution of samples. */
const scaleOf = (name: keyof typeof ADDED): number => (name.endsWith("Total") ? 100 : 1);

/** Encodes the sums of the ten minutes of one hour. */
export const encodeTens = (spans: readonly Span[]): Uint8Array => {
  const writer = createByteWriter();
  writer.varint(spans.length);
  for (const { at, sums } of spans) {
    writer.varint(Math.floor(at / TEN_MINUTES) % PER_HOUR);
    for (const name of NAMES) writer.varint(Math.round(sums[name] * scaleOf(name)));
    writer.varint(sums.cpuMax === null ? 0 : Math.round(sums.cpuMax * 100) + 1);
  }
  if (!spans.some(({ further }) => further)) return sealBytes(VERSION, writer.done());
  writeFurtherSums(
    writer,
    spans.map(({ further }) => further),
  );
  return sealBytes(FURTHER_VERSION, writer.done());
};

/** Reads what encodeTens wrote. Null for damaged bytes. */
export const decodeTens = (hour: number, bytes: Uint8Array | null): Span[] | null => {
  if (!bytes) return [];
  const hasFurther = bytes[0] === FURTHER_VERSION;
  const reader = openBytes(hasFurther ? FURTHER_VERSION : VERSION, bytes);
  if (!reader) return null;
  const spans = Array.from({ length: reader.varint() }, () => {
    const at = hour * HOUR + reader.varint() * TEN_MINUTES;
    const sums = Object.fromEntries(NAMES.map((name) => [name, reader.varint() / scaleOf(name)])) as Omit<
      Sums,
      "cpuMax"
    >;
    const highest = reader.varint();
    return { at, sums: { ...sums, cpuMax: highest === 0 ? null : (highest - 1) / 100 } };
  });
  if (!hasFurther) return spans;
  const further = readFurtherSums(reader, spans.length);
  return spans.map(({ at, sums }, index) => spanOf(at, sums, further[index]));
};
