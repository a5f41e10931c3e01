/** Items that did not change stay the same object, so that what shows them need not draw again. */
export const shareUnchanged = <T extends { id: number }>(before: readonly T[], after: readonly T[]): T[] => {
  const known = new Map(before.map((item) => [item.id, item]));
  return after.map((item) => {
    const same = known.get(item.id);
    return same && JSON.stringify(same) === JSON.stringify(item) ? same : item;
  });
};
