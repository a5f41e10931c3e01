import { describe, expect, it } from "bun:test";
import { CHECK_ERROR_CODES } from "../../../shared/check-error";
import { HOUR } from "../../../shared/limits";
import { fc } from "../../../testing/property";
import { decodeBlock, encodeBlock } from "./block";
import { decodePack, encodePack, lastFailure, longEntry, type StoredCheck, shortEntry } from "./pack";

const START = Date.UTC(2026, 0, 15, 12);
const outcome = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ up: true, statusCode: 200, error: null }) },
  { weight: 1, arbitrary: fc.constant({ up: true, statusCode: null, error: null }) },
  {
    weight: 1,
    arbitrary: fc.record({
      up: fc.boolean(),
      statusCode: fc.integer({ min: 100, max: 999 }),
      error: fc.constant(null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      up: fc.boolean(),
      statusCode: fc.constant(null),
      error: fc.constantFrom(null, { code: "ping_lost" as const, detail: { count: 3 } }),
      packetLoss: fc.constantFrom(0.1, 33.3, 100),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      up: fc.constant(false),
      statusCode: fc.option(fc.integer({ min: 100, max: 999 })),
      error: fc.record({
        code: fc.constantFrom(...CHECK_ERROR_CODES),
        detail: fc.option(
          fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.string({ maxLength: 20 }), fc.integer())),
        ),
      }),
    }),
  },
);
const responseTime = fc.option(
  fc.integer({ min: 0, max: 1_600_000 }).map((tenths) => tenths / 10),
  { freq: 8 },
);
const checkAt = (time: fc.Arbitrary<number>): fc.Arbitrary<StoredCheck> =>
  fc
    .tuple(time, responseTime, outcome)
    .map(([checkedAt, responseTime, rest]) => ({ checkedAt, responseTime, ...rest }));
const anyTime = fc.integer({ min: START - 3 * HOUR, max: START + 3 * HOUR });
const steady = (count: number): StoredCheck[] =>
  Array.from({ length: count }, (_, index) => ({
    checkedAt: START + index * 60_000 + (index % 9),
    up: true,
    responseTime: 40 + (index % 30) / 10,
    statusCode: 200,
    error: null,
  }));

// JSON.parse makes objects of another prototype than fast-check's dictionaries.
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a pack", () => {
  it("is read back as its checks were appended, also when the clock was set back", () => {
    fc.assert(
      fc.property(fc.array(checkAt(anyTime), { maxLength: 40 }), (checks) => {
        expect(plain(decodePack(encodePack(checks)))).toEqual(plain({ checks, corrupt: false }));
      }),
    );
  });

  it("takes five bytes for each check of a healthy monitor, after the first", () => {
    const [first, ...rest] = steady(60);
    expect(longEntry(first!).length).toBe(15);
    for (const check of rest) expect(shortEntry(check)?.length).toBe(5);
  });

  it("has why its last check failed, or before the first one of an hour that of the hour before", () => {
    fc.assert(
      fc.property(fc.array(checkAt(anyTime), { maxLength: 20 }), fc.nat(), (checks, cut) => {
        const last = checks.at(-1);
        const expected = plain({ error: last && !last.up ? last.error : null });
        const pack = encodePack(checks);
        expect(plain({ error: lastFailure({ pack, tail: null }) })).toEqual(expected);
        expect(plain({ error: lastFailure({ pack: null, tail: pack }) })).toEqual(expected);
        lastFailure({ pack: pack.subarray(0, cut % (pack.length + 1)), tail: null });
      }),
    );
    expect(lastFailure({ pack: null, tail: null })).toBeNull();
  });

  it("is read up to the place where it is damaged", () => {
    fc.assert(
      fc.property(fc.array(checkAt(anyTime), { minLength: 1, maxLength: 20 }), fc.nat(), (checks, cut) => {
        const pack = encodePack(checks);
        const { checks: found, corrupt } = decodePack(pack.subarray(0, cut % pack.length));
        expect(plain(found)).toEqual(plain(checks.slice(0, found.length)));
        expect(corrupt || encodePack(found).length === cut % pack.length).toBe(true);
      }),
    );
    expect(decodePack(shortEntry(steady(1)[0]!))).toEqual({ checks: [], corrupt: true });
    expect(decodePack(null)).toEqual({ checks: [], corrupt: false });
  });
});

describe("a block", () => {
  const hour = Math.floor(START / HOUR);
  const within = fc
    .uniqueArray(checkAt(fc.integer({ min: START, max: START + HOUR - 1 })), {
      selector: (check) => check.checkedAt,
      maxLength: 80,
    })
    .map((checks) => checks.toSorted((a, b) => a.checkedAt - b.checkedAt));

  it("is read back as it was encoded", () => {
    fc.assert(
      fc.property(within, (checks) => {
        expect(plain(decodeBlock(hour, encodeBlock(hour, checks)))).toEqual(plain({ checks, corrupt: false }));
      }),
    );
  });

  it("takes less than four bytes for each check of a healthy monitor", () => {
    expect(encodeBlock(hour, steady(60)).length).toBeLessThan(4 * 60);
  });

  it("has no checks when any of its bytes was changed or is missing", () => {
    const block = encodeBlock(hour, steady(60));
    for (let place = 0; place < block.length; place++) {
      const damaged = block.slice();
      damaged[place] = (damaged[place]! + 1) % 256;
      expect(decodeBlock(hour, damaged)).toEqual({ checks: [], corrupt: true });
      expect(decodeBlock(hour, block.subarray(0, place))).toEqual({ checks: [], corrupt: true });
    }
    expect(decodeBlock(hour, null)).toEqual({ checks: [], corrupt: false });
  });
});
