/** The maximum number of items that a list loads; the page shows a note when there are more. */
export const MAX_LOADED = 10_000;

/** Loads all pages of a paginated list, up to MAX_LOADED items. Returns the first answer and the items of all pages, without duplicates. */
export const allPages = async <Answer extends { total: number }, Item extends { id: number }>(
  load: (offset: number) => Promise<Answer>,
  itemsOf: (answer: Answer) => readonly Item[],
): Promise<{ first: Answer; items: Item[] }> => {
  const first = await load(0);
  const items = new Map(itemsOf(first).map((item) => [item.id, item]));
  let loaded = items.size;
  while (loaded < Math.min(first.total, MAX_LOADED)) {
    const page = itemsOf(await load(loaded));
    if (page.length === 0) break;
    for (const item of page) items.set(item.id, item);
    loaded += page.length;
  }
  return { first, items: [...items.values()] };
};
