import type { LiveSample } from "../../../../src/shared/live";

/** Milliseconds that are kept. */
export const SPAN = 5 * 60_000;
/** More than there are seconds in them, if a machine sends more. */
const MAX_KEPT = 320;
/** Milliseconds between two samples beyond which some are missing. */
const GAP = 3000;

/** A sample and when it arrived, in milliseconds: machines' clocks differ. */
export type Arrived = { at: number; sample: LiveSample };

/** The samples of the last five minutes with one more. */
export const withSample = (ring: readonly Arrived[], sample: LiveSample, now: number): Arrived[] =>
  [...ring.filter(({ at }) => at <= now && now - at < SPAN), { at: now, sample }].slice(-MAX_KEPT);

export type ReadFigure = (sample: LiveSample) => number | null;

/**
 * The line of a figure as the data of an SVG path, over a width of 300 (one for each second) and a height of 40. It breaks
 * where samples are missing. `top` is the value of the upper edge.
 */
export const pathOf = (ring: readonly Arrived[], read: ReadFigure, top: number): string => {
  const end = ring.at(-1)?.at ?? 0;
  let before: number | null = null;
  return ring
    .flatMap(({ at, sample }) => {
      const value = read(sample);
      if (value === null) return [];
      const x = (300 * (at - end + SPAN)) / SPAN;
      const y = 40 - (38 * Math.min(value, top)) / top;
      const isJoined = before !== null && at - before <= GAP;
      before = at;
      return `${isJoined ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
};

/** The highest value of some figures over the ring, at least `least`. */
export const topOf = (ring: readonly Arrived[], reads: readonly ReadFigure[], least: number): number =>
  Math.max(least, ...ring.flatMap(({ sample }) => reads.map((read) => read(sample) ?? 0)));
