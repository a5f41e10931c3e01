/** A time from `from` up to `to`, in milliseconds. */
export type Interval = { from: number; to: number };

/** The intervals in order, with those that overlap or touch as one, and without empty ones. */
export const mergeIntervals = (intervals: readonly Interval[]): Interval[] => {
  const merged: Interval[] = [];
  for (const { from, to } of intervals.filter((one) => one.to > one.from).toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
};

/** The parts of an interval that are in none of these merged intervals. */
export const subtractIntervals = ({ from, to }: Interval, merged: readonly Interval[]): Interval[] => {
  const rest: Interval[] = [];
  let start = from;
  for (const gap of merged) {
    if (gap.from > start) rest.push({ from: start, to: Math.min(gap.from, to) });
    start = Math.max(start, gap.to);
  }
  rest.push({ from: start, to });
  return rest.filter((one) => one.to > one.from);
};

/** The total length of intervals that do not overlap. */
export const lengthOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((length, { from, to }) => length + to - from, 0);

/** The merged intervals that overlap another one. */
export const overlapping = (merged: readonly Interval[], { from, to }: Interval): readonly Interval[] => {
  const firstWhere = (isAfter: (one: Interval) => boolean): number => {
    let [low, high] = [0, merged.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (isAfter(merged[middle] as Interval)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return merged.slice(
    firstWhere((one) => one.to > from),
    firstWhere((one) => one.from >= to),
  );
};

/** The times that at least `count` of some lists of merged intervals cover. */
export const coveredBy = (lists: readonly (readonly Interval[])[], count: number): Interval[] => {
  const ends = lists.flat().flatMap(({ from, to }) => [
    { at: from, step: 1 },
    { at: to, step: -1 },
  ]);
  ends.sort((one, other) => one.at - other.at || one.step - other.step);
  const found: Interval[] = [];
  let open = 0;
  let from = 0;
  for (const { at, step } of ends) {
    if (step === 1 && open === count - 1) from = at;
    if (step === -1 && open === count) found.push({ from, to: at });
    open += step;
  }
  return mergeIntervals(found);
};
