/** Joins two pages of a list, newest first. An item in both appears once, as in `newer`. */
export const mergeById = <T extends { id: number }>(newer: readonly T[], older: readonly T[]): T[] => {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
};
