/** Both are newest first; what is in both appears once, as the newer page has it. */
export const mergeEvents = <T extends { id: number }>(newer: readonly T[], older: readonly T[]): T[] => {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
};
