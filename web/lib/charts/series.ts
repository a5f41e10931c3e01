type Timed = { t: number };

/** The smallest pause between two points, in ms; 0 when there are fewer than two. */
export const stepOf = (points: readonly Timed[]) => {
  const gaps = points.slice(1).map(({ t }, place) => t - (points[place]?.t ?? t));
  const real = gaps.filter((gap) => gap > 0);
  return real.length > 0 ? Math.min(...real) : 0;
};

/**
 * The points with a null wherever time was skipped, so that a line breaks instead of bridging what nobody measured.
 * Pauses of up to `bearable` ms are never a gap: what arrives by itself does not arrive to the second.
 */
export const withGaps = <P extends Timed>(points: readonly P[], bearable = 0): { t: number; point: P | null }[] => {
  const step = stepOf(points);
  const limit = Math.max(step * 1.5, bearable);
  return points.flatMap((point, place) => {
    const before = points[place - 1];
    const here = { t: point.t, point };
    return before && point.t - before.t > limit ? [{ t: before.t + step, point: null }, here] : [here];
  });
};

/** From the start of the range, or of the data where it is younger, to now; never less than an hour. In seconds. */
export const timeWindow = (points: readonly Timed[], days: number, now: number): [number, number] => {
  const first = points[0]?.t ?? now;
  return [Math.max(now - days * 86_400_000, Math.min(first, now - 3_600_000)) / 1000, now / 1000];
};
