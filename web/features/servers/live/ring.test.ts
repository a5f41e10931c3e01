import { expect, it } from "bun:test";
import type { LiveSample } from "../../../../src/shared/live";
import { type Arrived, pathOf, SPAN, topOf, withSample } from "./ring";

const sample = (cpu_usage: number | null) => ({ cpu_usage }) as LiveSample;
const read = ({ cpu_usage }: LiveSample) => cpu_usage;

it("the samples of five minutes are kept, and not many more than there are seconds", () => {
  let ring: Arrived[] = [];
  for (let second = 0; second < 400; second++) ring = withSample(ring, sample(second), second * 1000);
  expect([ring.length, ring[0]?.sample.cpu_usage]).toEqual([300, 100]);
  for (let nth = 0; nth < 1000; nth++) ring = withSample(ring, sample(nth), 400_000);
  expect(ring).toHaveLength(320);
  // The clock of the browser was set back.
  expect(withSample(ring, sample(1), 0)).toHaveLength(1);
});

it("a line ends at the right, and breaks where samples are missing", () => {
  const ring = [0, 1000, 9000, 10_000].map((at, place) => ({ at: at + SPAN, sample: sample(25 * place) }));
  expect(pathOf(ring, read, 100)).toBe("M290.0 40.0L291.0 30.5M299.0 21.0L300.0 11.5");
  expect(pathOf([{ at: 0, sample: sample(null) }], read, 100)).toBe("");
  expect(pathOf([], read, 100)).toBe("");
  expect(pathOf([{ at: 0, sample: sample(500) }], read, 100)).toBe("M300.0 2.0");
});

it("the upper edge is the highest value, or a least one", () => {
  const ring = [5, 80, null].map((value, at) => ({ at, sample: sample(value) }));
  expect([topOf(ring, [read], 10), topOf(ring, [read], 100), topOf([], [read], 10)]).toEqual([80, 100, 10]);
});
