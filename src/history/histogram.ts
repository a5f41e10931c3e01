import { createByteReader, createByteWriter } from "../lib/bytes";

/**
 * A sparse histogram of positive values: counts of logarithmic buckets. Each bucket is 10 % wider than the previous one, so a
 * quantile is within 5 % of the value, also after histograms were added up.
 */
export type Histogram = ReadonlyMap<number, number>;

const FACTOR = 1.1;
/** The upper end of bucket 0. */
const SMALLEST = 0.1;
const STEP = Math.log(FACTOR);

const bucketOf = (value: number): number => Math.max(0, Math.ceil(Math.log(value / SMALLEST) / STEP - 1e-9));

/** The middle of a bucket: at most 5 % from each of its ends. */
const middleOf = (bucket: number): number => (SMALLEST * FACTOR ** bucket * 2) / (1 + FACTOR);

export const histogramOf = (values: Iterable<number>): Histogram => {
  const counts = new Map<number, number>();
  for (const value of values) {
    const bucket = bucketOf(value);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return counts;
};

export const addHistograms = (histograms: Iterable<Histogram>): Histogram => {
  const sum = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [bucket, count] of histogram) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  }
  return sum;
};

/** The value below which a share of the values lie, within 5 %. Null for an empty histogram. */
export const quantile = (histogram: Histogram, share: number): number | null => {
  let total = 0;
  for (const count of histogram.values()) total += count;
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(share * total));
  let seen = 0;
  let last = 0;
  for (const bucket of [...histogram.keys()].sort((a, b) => a - b)) {
    seen += histogram.get(bucket) ?? 0;
    last = bucket;
    if (seen >= rank) break;
  }
  return middleOf(last);
};

/** Pairs of numbers: the distance to the bucket before, and the count. */
export const encodeHistogram = (histogram: Histogram): Uint8Array => {
  const writer = createByteWriter();
  let previous = 0;
  for (const bucket of [...histogram.keys()].sort((a, b) => a - b)) {
    writer.varint(bucket - previous);
    writer.varint(histogram.get(bucket) ?? 0);
    previous = bucket;
  }
  return writer.done();
};

/** Reads what encodeHistogram wrote. Truncated bytes are read as far as they go. */
export const decodeHistogram = (bytes: Uint8Array | null): Histogram => {
  const counts = new Map<number, number>();
  if (!bytes) return counts;
  const reader = createByteReader(bytes);
  let bucket = 0;
  try {
    while (!reader.atEnd()) {
      bucket += reader.varint();
      counts.set(bucket, reader.varint());
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return counts;
};
