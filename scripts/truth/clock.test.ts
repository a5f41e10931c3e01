import { expect, it } from "bun:test";
import { clockOf, inTrueTime } from "./clock";
import type { Disturbance } from "./scenario";

const at = (second: number) => second * 1000;
const disturbances: Disturbance[] = [
  { how: "clock", ahead: 200, from: 100, to: 150 },
  { how: "clock", ahead: -60, from: 300, to: 400 },
];
const pieces = clockOf({ seconds: 500, targets: [], clients: [], disturbances }, 0);
const translate = (startedAt: number, failure: { from: number; to: number }) => {
  const truth = [{ name: "shop", class: "shop", interval: null, certain: 0, failures: [failure] }];
  const claim = { name: "shop", startedAt: at(startedAt), startedAfter: null, endedAt: null, recordedAt: null };
  return inTrueTime([claim], truth, pieces)[0]?.startedAt;
};

it("times of a clock that was ahead or behind are those of the true clock", () => {
  expect(translate(50, { from: 0, to: at(500) })).toBe(at(50));
  expect(translate(310, { from: at(100), to: at(150) })).toBe(at(110));
  expect(translate(310, { from: at(360), to: at(390) })).toBe(at(370));
});

it("a time that the clock skipped is that of the jump", () => {
  expect(translate(390, { from: at(390), to: at(410) })).toBe(at(400));
});
