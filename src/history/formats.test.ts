import { describe, expect, it } from "bun:test";
import { checkBlock } from "../modules/monitors/history/block";
import { checkPack, type StoredCheck } from "../modules/monitors/history/pack";
import { type StoredSample, sampleBlock, samplePack } from "../modules/servers/history/samples";
import { HOUR } from "../shared/limits";
import { START } from "../testing/clock";
import { anySampleAt, checkAt } from "../testing/fixtures/history-rows";
import { fc } from "../testing/property";

const hour = Math.floor(START / HOUR);
const anyTime = fc.integer({ min: START - 3 * HOUR, max: START + 3 * HOUR });
const timeOfHour = fc.integer({ min: hour * HOUR, max: (hour + 1) * HOUR - 1 });

/** Both shapes, whose rows are compared as JSON: it makes objects of another prototype than fast-check's dictionaries. */
const shapes = [
  {
    name: "checks",
    pack: checkPack,
    block: checkBlock,
    rowAt: checkAt,
    timeOf: ({ checkedAt }: StoredCheck) => checkedAt,
  },
  { name: "samples", pack: samplePack, block: sampleBlock, rowAt: anySampleAt, timeOf: ({ at }: StoredSample) => at },
] as unknown as {
  name: string;
  pack: typeof checkPack;
  block: typeof checkBlock;
  rowAt: typeof checkAt;
  timeOf: (row: StoredCheck) => number;
}[];
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each(shapes)("a pack of $name", ({ pack, rowAt }) => {
  const anyRows = fc.array(rowAt(anyTime), { maxLength: 40 });

  it("is read back as its rows were appended, also when the clock was set back", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        expect(plain(pack.decode(pack.encode(rows)))).toEqual(plain({ rows, corrupt: false }));
      }),
    );
    expect(pack.decode(null)).toEqual({ rows: [], corrupt: false });
  });

  it("is read up to the place where it is cut off", () => {
    fc.assert(
      fc.property(fc.array(rowAt(anyTime), { minLength: 1, maxLength: 20 }), fc.nat(), (rows, cut) => {
        const bytes = pack.encode(rows);
        const { rows: found, corrupt } = pack.decode(bytes.subarray(0, cut % bytes.length));
        expect(plain(found)).toEqual(plain(rows.slice(0, found.length)));
        expect(corrupt).toBe(pack.encode(found).length !== cut % bytes.length);
      }),
    );
  });

  it("is read from any damaged bytes without an error", () => {
    const damages = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 3 });
    fc.assert(
      fc.property(anyRows, damages, (rows, damage) => {
        const bytes = pack.encode(rows);
        for (const [place, value] of damage) if (bytes.length > 0) bytes[place % bytes.length] = value;
        pack.decode(bytes);
      }),
    );
  });
});

describe.each(shapes)("a block of $name", ({ block, rowAt, timeOf }) => {
  const rowsOfHour = fc
    .uniqueArray(rowAt(timeOfHour), { selector: timeOf, maxLength: 80 })
    .map((rows) => rows.toSorted((a, b) => timeOf(a) - timeOf(b)));

  it("is read back as it was encoded", () => {
    fc.assert(
      fc.property(rowsOfHour, (rows) => {
        expect(plain(block.decode(hour, block.encode(hour, rows)))).toEqual(plain({ rows, corrupt: false }));
      }),
    );
    expect(block.decode(hour, null)).toEqual({ rows: [], corrupt: false });
  });

  it("has no rows when any of its bytes was changed or is missing", () => {
    const [rows] = fc.sample(rowsOfHour, { numRuns: 1, seed: 1 });
    const bytes = block.encode(hour, rows!);
    for (let place = 0; place < bytes.length; place++) {
      const damaged = bytes.slice();
      damaged[place] = (damaged[place]! + 1) % 256;
      expect(block.decode(hour, damaged)).toEqual({ rows: [], corrupt: true });
      expect(block.decode(hour, bytes.subarray(0, place))).toEqual({ rows: [], corrupt: true });
    }
  });
});
