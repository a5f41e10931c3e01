import { expect, it } from "bun:test";
import { fc } from "../testing/property";
import { addHistograms, decodeHistogram, encodeHistogram, histogramOf, quantile } from "./histogram";

const times = fc.array(fc.double({ min: 0.1, max: 300_000, noNaN: true }), { minLength: 1, maxLength: 200 });

it("a quantile is within 5 % of the exact one", () => {
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95, 0.99), (values, share) => {
      const exact = values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1] as number;
      const found = quantile(histogramOf(values), share) as number;
      expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(0.0501);
    }),
  );
});

it("histograms that are added equal the histogram of all values", () => {
  fc.assert(
    fc.property(times, times, (first, second) => {
      const sum = addHistograms([histogramOf(first), histogramOf(second)]);
      expect(sum).toEqual(histogramOf([...first, ...second]));
      expect([...sum.values()].reduce((a, b) => a + b)).toBe(first.length + second.length);
    }),
  );
});

it("a histogram is read back as it was encoded, and in few bytes", () => {
  fc.assert(
    fc.property(times, (values) =>
      expect(decodeHistogram(encodeHistogram(histogramOf(values)))).toEqual(histogramOf(values)),
    ),
  );
  const minutes = Array.from({ length: 60 }, (_, index) => 80 + (index % 12));
  expect(encodeHistogram(histogramOf(minutes)).length).toBeLessThan(10);
});

it("an empty histogram has no quantile, and truncated bytes are read as far as they go", () => {
  expect(quantile(histogramOf([]), 0.5)).toBeNull();
  expect(decodeHistogram(null).size).toBe(0);
  expect(decodeHistogram(encodeHistogram(histogramOf([5, 500])).subarray(0, 3)).size).toBe(1);
});
