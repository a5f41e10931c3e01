import { describe, expect, it } from "bun:test";
import { fc } from "../testing/property";
import { coveredBy, type Interval, lengthOf, mergeIntervals, overlapping, subtractIntervals } from "./intervals";

const SPAN = 40;
const interval = fc
  .tuple(fc.integer({ min: -5, max: SPAN }), fc.integer({ min: 0, max: 15 }))
  .map(([from, length]): Interval => ({ from, to: from + length }));
const intervals = fc.array(interval, { maxLength: 8 });

/** Whether a unit of time is in one of the intervals. */
const holds = (list: readonly Interval[], time: number) => list.some(({ from, to }) => from <= time && time < to);
const units = Array.from({ length: 3 * SPAN }, (_, index) => index - SPAN);
const count = (test: (time: number) => boolean) => units.filter(test).length;

describe("intervals", () => {
  it("are merged in order, without gaps, overlaps or empty ones", () => {
    expect(
      mergeIntervals([
        { from: 5, to: 7 },
        { from: 1, to: 3 },
        { from: 3, to: 4 },
        { from: 6, to: 6 },
        { from: 2, to: 3 },
      ]),
    ).toEqual([
      { from: 1, to: 4 },
      { from: 5, to: 7 },
    ]);
  });

  it("that overlap another one are found among merged ones", () => {
    fc.assert(
      fc.property(interval, intervals, (window, list) => {
        const merged = mergeIntervals(list);
        const expected = merged.filter(({ from, to }) => from < window.to && to > window.from);
        expect(overlapping(merged, window)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("have the lengths that counting each unit of time gives", () => {
    fc.assert(
      fc.property(interval, intervals, (window, gaps) => {
        const rest = subtractIntervals(window, mergeIntervals(gaps));
        expect(lengthOf(rest)).toBe(count((time) => holds([window], time) && !holds(gaps, time)));
      }),
      { numRuns: 2000 },
    );
  });
});

it("times that several lists cover are those in which at least as many lists have an interval", () => {
  const random = (most: number) => Math.floor(Math.random() * most);
  for (let round = 0; round < 300; round++) {
    const lists = Array.from({ length: 1 + random(5) }, () =>
      mergeIntervals(
        Array.from({ length: random(5) }, () => {
          const from = random(40);
          return { from, to: from + random(12) };
        }),
      ),
    );
    const count = 1 + random(lists.length);
    const expected = Array.from({ length: 60 }, (_, at) => at).filter(
      (at) => lists.filter((list) => list.some(({ from, to }) => from <= at && at < to)).length >= count,
    );
    const found = coveredBy(lists, count).flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, at) => from + at),
    );
    expect([lists, count, found]).toEqual([lists, count, expected]);
  }
});
