/** The buckets of some length that a span touches, the one under way included: times divided by that length. */
export const bucketsSince = (since: number, now: number, length: number): number[] => {
  const first = Math.floor(since / length);
  return Array.from({ length: Math.floor(now / length) - first + 1 }, (_, index) => first + index);
};
