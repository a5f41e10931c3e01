/** The numbers of the buckets since a time, including the current one. */
export const bucketsSince = (since: number, now: number, length: number): number[] => {
  const first = Math.floor(since / length);
  return Array.from({ length: Math.floor(now / length) - first + 1 }, (_, index) => first + index);
};
