import { expect, it } from "bun:test";
import { emptyRecent, packRecent, RECENT_LENGTH, RECENT_WIDTH, unpackRecent } from "./monitor";

const push = (recent: string, at: number, up: boolean) => recent.slice(RECENT_WIDTH) + packRecent({ at, up });

it("recent outcomes start empty and have a fixed length", () => {
  expect(unpackRecent(emptyRecent)).toEqual([]);
  expect(push(emptyRecent, 1, true)).toHaveLength(RECENT_LENGTH * RECENT_WIDTH);
});

it("recent outcomes are unpacked oldest first, without those that were pushed out", () => {
  const found = Array.from({ length: 100 }, (_, index) => ({
    at: 1_768_479_600_000 + index * 60_000,
    up: index % 3 > 0,
  }));
  let recent = emptyRecent;
  for (const [index, { at, up }] of found.entries()) {
    recent = push(recent, at, up);
    expect(unpackRecent(recent)).toEqual(found.slice(Math.max(0, index + 1 - RECENT_LENGTH), index + 1));
  }
  for (const count of [0, 1, 24, 40, 99])
    expect(unpackRecent(recent, count)).toEqual(found.slice(-Math.min(count, 40) || 100));
});

it("recent outcomes pack every time from 1970 until 2059", () => {
  for (const at of [0, 1, 36 ** 8 - 1]) {
    expect(packRecent({ at, up: true })).toHaveLength(RECENT_WIDTH);
    expect(unpackRecent(packRecent({ at, up: false }))).toEqual([{ at, up: false }]);
  }
  expect(36 ** 8).toBeGreaterThan(Date.UTC(2059, 0, 1));
});
