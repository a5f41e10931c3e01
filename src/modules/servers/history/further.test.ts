import { describe, expect, it } from "bun:test";
import { HOUR } from "../../../shared/limits";
import { anySampleAt } from "../../../testing/fixtures/history-rows";
import { fc } from "../../../testing/property";
import { readPackedTimes, type StoredSample, sampleBlock, samplePack } from "./samples";
import { sumTens, TEN_MINUTES, tensBlock } from "./sums";

const SAMPLES: StoredSample[] = [
  { at: HOUR + 1000, cpu: 12.5, memory: 25, disk: 50, rx: null, tx: null },
  { at: HOUR + 61_000, cpu: null, memory: 25.01, disk: 50, rx: 8, tx: 2 },
];
/** The stored bytes of these samples from a version without further figures. */
const BEFORE = {
  pack: "00000036f268e309c5138927000000000037dcc800c6138927a106c901",
  block: "0145133e0502d00fc6138a27924e0000f09907c5130200c20c9203",
  tens: "01623570a9010001e20902892702904e01a006c801e309",
};
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

const samplesOf = (withFurther: fc.Arbitrary<boolean>) =>
  fc
    .uniqueArray(
      anySampleAt(
        fc.integer({ min: 0, max: 3599 }).map((second) => HOUR + second * 1000),
        withFurther,
      ),
      {
        selector: ({ at }) => at,
        maxLength: 40,
      },
    )
    .map((found) => found.toSorted((a, b) => a.at - b.at));
const anySamples = fc.oneof(samplesOf(fc.boolean()), samplesOf(fc.constant(false)), samplesOf(fc.constant(true)));

/** The sums of the further figures of each ten minutes, added up one by one. */
const sumsOf = (samples: readonly StoredSample[]) => {
  const found = new Map<number, Map<number, [number, number]>>();
  for (const { at, further = [] } of samples)
    for (const [number, value] of further) {
      const ten = Math.floor(at / TEN_MINUTES) * TEN_MINUTES;
      const span = found.get(ten) ?? new Map<number, [number, number]>();
      const [count, total] = span.get(number) ?? [0, 0];
      found.set(ten, span.set(number, [count + 1, total + value]));
    }
  return Object.fromEntries(
    [...found].map(([at, span]) => [
      at,
      [...span].map(([number, sum]) => [number, ...sum]).sort(([a = 0], [b = 0]) => a - b),
    ]),
  );
};

describe("samples with and without further figures", () => {
  it("are read from a pack and from a block as they were written, and summed exactly", () => {
    fc.assert(
      fc.property(anySamples, (samples) => {
        const pack = samplePack.encode(samples);
        expect(samplePack.decode(pack)).toEqual({ rows: samples, corrupt: false });
        expect(readPackedTimes(pack)).toEqual({ rows: samples.map(({ at }) => at), corrupt: false });
        expect(sampleBlock.decode(1, sampleBlock.encode(1, samples))).toEqual({ rows: samples, corrupt: false });
        const spans = sumTens(samples);
        expect(tensBlock.decode(1, tensBlock.encode(1, spans)).rows).toEqual(spans);
        expect(
          Object.fromEntries(spans.flatMap(({ at, further }) => (further ? [[at, further]] : []))) as object,
        ).toEqual(sumsOf(samples));
      }),
      { numRuns: 300 },
    );
  });

  it("are read from a pack that was cut off, as far as they are complete", () => {
    fc.assert(
      fc.property(anySamples, fc.nat(), (samples, cut) => {
        const pack = samplePack.encode(samples);
        const length = pack.length === 0 ? 0 : cut % pack.length;
        const { rows: read, corrupt } = samplePack.decode(pack.subarray(0, length));
        expect(read).toEqual(samples.slice(0, read.length));
        const complete = samplePack.encode(read).length === length;
        expect(corrupt).toBe(!complete);
        expect(readPackedTimes(pack.subarray(0, length))).toEqual({ rows: read.map(({ at }) => at), corrupt });
      }),
    );
  });

  it("are read from any damaged bytes without an error", () => {
    const damages = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 3 });
    fc.assert(
      fc.property(anySamples, damages, (samples, damage) => {
        const damaged = (bytes: Uint8Array) => {
          for (const [place, value] of damage) if (bytes.length > 0) bytes[place % bytes.length] = value;
          return bytes;
        };
        const pack = damaged(samplePack.encode(samples));
        samplePack.decode(pack);
        readPackedTimes(pack);
        sampleBlock.decode(1, damaged(sampleBlock.encode(1, samples)));
        tensBlock.decode(1, damaged(tensBlock.encode(1, sumTens(samples))));
      }),
    );
  });
});

it("samples without further figures are stored and read as before there were any", () => {
  expect(hexOf(samplePack.encode(SAMPLES))).toBe(BEFORE.pack);
  expect(hexOf(sampleBlock.encode(1, SAMPLES))).toBe(BEFORE.block);
  expect(hexOf(tensBlock.encode(1, sumTens(SAMPLES)))).toBe(BEFORE.tens);
  expect(samplePack.decode(bytesOf(BEFORE.pack)).rows).toEqual(SAMPLES);
  expect(sampleBlock.decode(1, bytesOf(BEFORE.block)).rows).toEqual(SAMPLES);
  expect(tensBlock.decode(1, bytesOf(BEFORE.tens)).rows).toEqual(sumTens(SAMPLES));
});

it("figures that rarely change take few bytes of a block", () => {
  const samples = Array.from({ length: 60 }, (_, index): StoredSample => {
    const at = HOUR + index * 60_000;
    const further = Array.from({ length: 10 }, (_, number) => [number, 5000 + (index > 30 ? 1 : 0)] as const);
    return { at, cpu: 1, memory: 1, disk: 1, rx: 1, tx: 1, further };
  });
  const without = samples.map(({ further, ...sample }) => sample);
  expect(sampleBlock.encode(1, samples).length - sampleBlock.encode(1, without).length).toBeLessThan(100);
});
