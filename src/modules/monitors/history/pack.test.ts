import { expect, it } from "bun:test";
import { HOUR } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { checkAt } from "../../../testing/fixtures/history-rows";
import { fc } from "../../../testing/property";
import { checkBlock } from "./block";
import { checkPack, lastFailure, longEntry, type StoredCheck, shortEntry } from "./pack";

const steady = (count: number): StoredCheck[] =>
  Array.from({ length: count }, (_, index) => ({
    checkedAt: START + index * 60_000 + (index % 9),
    up: true,
    responseTime: 40 + (index % 30) / 10,
    statusCode: 200,
    error: null,
  }));

it("an entry takes five bytes for each check of a healthy monitor, after the first", () => {
  const [first, ...rest] = steady(60);
  expect(longEntry(first!).length).toBe(15);
  for (const check of rest) expect(shortEntry(check)?.length).toBe(5);
});

it("a short entry can't be read without the one before it", () => {
  expect(checkPack.decode(shortEntry(steady(1)[0]!))).toEqual({ rows: [], corrupt: true });
});

it("a pack has why its last check failed, or before the first one of an hour that of the hour before", () => {
  const anyTime = fc.integer({ min: START - 3 * HOUR, max: START + 3 * HOUR });
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  fc.assert(
    fc.property(fc.array(checkAt(anyTime), { maxLength: 20 }), fc.nat(), (checks, cut) => {
      const last = checks.at(-1);
      const expected = plain({ error: last && !last.up ? last.error : null });
      const pack = checkPack.encode(checks);
      expect(plain({ error: lastFailure({ pack, tail: null }) })).toEqual(expected);
      expect(plain({ error: lastFailure({ pack: null, tail: pack }) })).toEqual(expected);
      lastFailure({ pack: pack.subarray(0, cut % (pack.length + 1)), tail: null });
    }),
  );
  expect(lastFailure({ pack: null, tail: null })).toBeNull();
});

it("a block takes less than four bytes for each check of a healthy monitor", () => {
  expect(checkBlock.encode(Math.floor(START / HOUR), steady(60)).length).toBeLessThan(4 * 60);
});

it("the bytes of checks stay the same, because they are stored", () => {
  const answered = { up: true, statusCode: 200, error: null };
  const checks: StoredCheck[] = [
    { ...answered, checkedAt: HOUR + 1000, responseTime: 12.5 },
    { ...answered, checkedAt: HOUR + 61_000, responseTime: 6553.6 },
    { ...answered, checkedAt: HOUR + 121_500, responseTime: 0.3, statusCode: null },
    {
      ...{ checkedAt: HOUR + 181_000, up: false, responseTime: null, statusCode: null },
      error: { code: "timeout", detail: { seconds: 30 } },
    },
    { ...answered, checkedAt: HOUR + 241_000, responseTime: 900, slow: true },
    { ...answered, checkedAt: HOUR + 301_000, responseTime: 20, statusCode: null, packetLoss: 33.3 },
    { checkedAt: 2 * HOUR - 1, up: false, responseTime: 80, statusCode: 503, error: null },
  ];
  const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  expect(hexOf(checkPack.encode(checks))).toBe(
    "c0000c00000036f2680700007d00c840ee4801000081da9c000003c0002100000039b188085b2274696d656f7574222c7b227365636f6e6473223a33307d5dc0000c0000003a9be81700232800c8c0000c0000003b8648230000c8014dc0000c0000006ddcff0600032001f7",
  );
  expect(hexOf(checkBlock.encode(1, checks))).toBe(
    "01c7f885df06145b747275652c3230302c6e756c6c2c6e756c6c5d155b747275652c6e756c6c2c6e756c6c2c6e756c6c5d255b66616c73652c6e756c6c2c2274696d656f7574222c7b227365636f6e6473223a33307d5d195b747275652c3230302c6e756c6c2c6e756c6c2c747275655d205b747275652c6e756c6c2c6e756c6c2c6e756c6c2c66616c73652c33332e335d155b66616c73652c3530332c6e756c6c2c6e756c6c5d07d00f7e00f0990781800400e8070401cf0f0002e807a9460300c90104aeb18b03a10605",
  );
});
