import { onReset } from "../../lib/resource";

/** The part of a list that is loaded: of the items that match, in their order, `limit` from `offset` on. */
export type Listing<By> = By & { offset: number; limit: number };

/** The number of items that are loaded together. */
const PAGE = 100;
/** How long typing and scrolling have to pause before items are loaded, in ms. */
const PAUSE = 200;
/** The longest search that the server accepts. */
const SEARCH_LENGTH = 200;

/** The search in a call's query: none for an empty one. */
export const searchQuery = (search: string): { search?: string } => {
  const text = search.trim().slice(0, SEARCH_LENGTH);
  return text ? { search: text } : {};
};

/** The tags of a call's query. The type declares a single value, but all are sent. */
export const tagQuery = (tags: readonly string[]): { tag?: string } =>
  tags.length > 0 ? { tag: tags as unknown as string } : {};

/** Which part of a list that the server searches, filters and sorts is to be loaded. `first` is its selection at the start. */
export const createPaging = <By extends object>(first: By) => {
  let wanted: Listing<By> = { ...first, offset: 0, limit: PAGE };
  let pause: ReturnType<typeof setTimeout> | undefined;
  onReset(() => clearTimeout(pause));

  const want = (by: By, from: number, to: number): boolean => {
    const page = Math.max(0, Math.floor((from - PAGE / 2) / PAGE));
    const limit = Math.max(1, Math.ceil((to + PAGE / 2) / PAGE) - page) * PAGE;
    const next = { ...by, ...(to <= PAGE ? { offset: 0, limit: PAGE } : { offset: page * PAGE, limit }) };
    if (JSON.stringify(next) === JSON.stringify(wanted)) return false;
    wanted = next;
    return true;
  };

  return {
    /** The listing that the next load has to show. */
    wanted: (): Listing<By> => wanted,

    /**
     * Chooses the pages with the places `from` up to `to`, and half a page on each side. Returns whether they are others
     * than before.
     */
    want,

    /**
     * Chooses the first page of a list that is opened. With `isReturn`, the pages of the same selection stay wanted, because
     * the list is shown at its last place.
     */
    open: (by: By, isReturn: boolean): void => {
      const { offset: _, limit: __, ...last } = wanted;
      if (!isReturn || JSON.stringify(last) !== JSON.stringify(by)) want(by, 0, 1);
    },

    /** Loads what is wanted once there is a pause in typing and scrolling. */
    loadAfterPause: (load: () => unknown): void => {
      clearTimeout(pause);
      pause = setTimeout(load, PAUSE);
    },
  };
};

type Counts = { all: number };
type Shown<C extends Counts> = {
  items: readonly { id: number; status: string; unknown?: object | null }[];
  total: number;
  counts: C;
  listing: { search: string; filter: string; tags: readonly string[]; sort: string };
};

/**
 * Whether a list has to be loaded again after changes: it lacks one of the changed items, shows other numbers than the
 * server counts, or has another order. `items` are its items after the changes, `changed` the ids of all changed ones.
 */
export const isOutdated = <C extends Counts>(
  { items: before, total, counts: countedBefore, listing }: Shown<C>,
  items: Shown<C>["items"],
  counts: C | undefined,
  changed: Iterable<number>,
): boolean => {
  const { search, filter, tags, sort } = listing;
  const moves = items.some(({ status }, place) => status !== before[place]?.status);
  if (moves && (sort === "status" || filter !== "all")) return true;
  // Without another status, no counts arrive.
  if (items.some(({ unknown }, place) => !unknown !== !before[place]?.unknown)) return true;
  const isWhole = filter === "all" && !search && tags.length === 0 && before.length === total;
  if (!isWhole) return counts !== undefined && JSON.stringify(counts) !== JSON.stringify(countedBefore);
  const ids = new Set(items.map(({ id }) => id));
  if ([...changed].some((id) => !ids.has(id))) return true;
  const numberOf = (name: string) =>
    name === "all"
      ? items.length
      : items.filter(({ status, unknown }) => (name === "unknown" ? unknown : status === name)).length;
  return counts !== undefined && Object.entries(counts).some(([name, count]) => numberOf(name) !== count);
};
