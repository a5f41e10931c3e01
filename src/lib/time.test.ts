import { expect, it } from "bun:test";
import { fc } from "../testing/property";
import { isoTime } from "./time";

it("isoTime equals toISOString", () => {
  const ends = [0, Date.UTC(2026, 0, 15, 12, 0, 0, 7), Date.UTC(2026, 11, 31, 23, 59, 59, 999), -1];
  for (const time of ends) expect(isoTime(time)).toBe(new Date(time).toISOString());
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1969, 0), max: Date.UTC(2100, 0) }), (time) => {
      expect(isoTime(time)).toBe(new Date(time).toISOString());
    }),
  );
});
