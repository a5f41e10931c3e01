import { useAtom, type WritableAtom } from "jotai";
import { Fragment, type ReactNode, type RefObject, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useWindow } from "../../lib/hooks/use-window";
import { Icon, type IconName } from "../controls/icon";
import { Search } from "../controls/search";
import { Segments } from "../controls/segments";
import { Empty } from "../feedback/empty";
import { useShownSearch } from "../layout/shown-screen";

/** How a list is searched, filtered and sorted. */
export type Selection<F extends string, S extends string> = { search: string; filter: F; sort: S };

/** The selection in an address. The first filter is the default; unknown values are ignored. */
export const selectionOf = <F extends string, S extends string>(
  address: string,
  filters: readonly F[],
  sorts: readonly S[],
) => {
  const query = new URLSearchParams(address);
  return {
    filter: filters.find((one) => one === query.get("status")) ?? (filters[0] as F),
    search: query.get("q") ?? "",
    sort: sorts.find((one) => one === query.get("sort")),
  };
};

/**
 * The selection of a list, stored in its address, so that it survives a reload and can be shared. A change replaces the
 * history entry, so that going back leaves the list. The first filter is not written, and `sort` is undefined unless the
 * address has one.
 */
const useListAddress = <F extends string, S extends string>(filters: readonly F[], sorts: readonly S[]) => {
  const [path, navigate] = useLocation();
  // The router's own hook decodes the address once more than it was encoded: a search for "%41" would become "A".
  const now = selectionOf(useShownSearch(), filters, sorts);
  const everything = filters[0] as F;

  const change = (changed: { filter?: F; search?: string; sort?: S | undefined }) => {
    const { filter, search, sort } = { ...now, ...changed };
    const next = new URLSearchParams();
    if (filter !== everything) next.set("status", filter);
    if (search) next.set("q", search);
    if (sort) next.set("sort", sort);
    navigate(next.size > 0 ? `${path}?${next}` : path, { replace: true });
  };

  return { ...now, change, clear: () => change({ filter: everything, search: "" }) };
};

type Choices<T extends string> = {
  label: string;
  choices: readonly { value: T; label: string; count?: number }[];
  chosen: T;
  onChoose: (value: T) => void;
};
type ListToolbarProps<F extends string, S extends string> = {
  search: { label: string; value: string; onChange: (value: string) => void };
  filter: Choices<F>;
  sort: Choices<S>;
  view: { chosen: View; onChoose: (view: View) => void };
};
export type View = "grid" | "list";

/** The controls above a list: search, filter, sort, and the choice between cards and rows. */
export function ListToolbar<F extends string, S extends string>({
  search,
  filter,
  sort,
  view,
}: ListToolbarProps<F, S>) {
  const { t } = useTranslation();
  return (
    <div className="toolbar">
      <Search {...search} />
      <Segments {...filter} />
      <span className="spring" />
      <select value={sort.chosen} aria-label={sort.label} onChange={(event) => sort.onChoose(event.target.value as S)}>
        {sort.choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Segments
        label={t("common.view.label")}
        choices={[
          { value: "grid", label: <Icon name="grid" />, title: t("common.view.grid") },
          { value: "list", label: <Icon name="list" />, title: t("common.view.list") },
        ]}
        {...view}
      />
    </div>
  );
}

type Choice<T> = WritableAtom<T, [T], void>;

/** The loaded part of the selected items: `items` are those from `offset` on, of `total`. */
export type Slice<Item> = { items: readonly Item[]; offset: number; total: number };

/**
 * How a list is searched, filtered and sorted. The first filter passes all items, and the first sort is the default. The
 * address holds all of it; sort and view are stored in the browser as well.
 */
export type Selecting<Item, F extends string, S extends string> = {
  filters: readonly { value: F; label: string }[];
  filterLabel: string;
  sorts: readonly { value: S; label: string }[];
  sortAtom: Choice<S>;
  viewAtom: Choice<View>;
  /** The selected items, as far as they are loaded. */
  select: (by: Selection<F, S>) => Slice<Item>;
  /** Called with the places of the items that are rendered: of these, those that are missing are to be loaded. */
  onShown?: (by: Selection<F, S>, from: number, to: number) => void;
  /** The number of items that each filter passes. */
  counts: Record<F, number>;
};

type Props<Item, F extends string, S extends string> = Selecting<Item, F, S> & {
  words: "monitors" | "agents";
  icon: IconName;
  /** The approximate height of a card in pixels. */
  cardHeight: number;
  /** The link to create an item, for an empty list. */
  create: ReactNode;
  card: (item: Item) => ReactNode;
  row: (item: Item) => ReactNode;
  /** A table with these rows. */
  table: (body: ReactNode) => ReactNode;
};

const valuesOf = <T,>(choices: readonly { value: T }[]) => choices.map(({ value }) => value);

export function ItemsView<Item extends { id: number }, F extends string, S extends string>(props: Props<Item, F, S>) {
  const { words, icon, create, filters, sorts, select, counts } = props;
  const { t } = useTranslation();
  const [remembered, remember] = useAtom(props.sortAtom);
  const { filter, search, sort = remembered, change, clear } = useListAddress(valuesOf(filters), valuesOf(sorts));
  const [view, setView] = useAtom(props.viewAtom);
  const slice = select({ search, filter, sort });

  if (filters[0] && counts[filters[0].value] === 0)
    return (
      <Empty heading="h2" icon={icon} title={t(`${words}.empty.title`)} text={t(`${words}.empty.text`)}>
        {create}
      </Empty>
    );

  const choose = (next: S) => {
    remember(next);
    change({ sort: next === sorts[0]?.value ? undefined : next });
  };
  const by = { search, filter, sort };

  return (
    <>
      <ListToolbar
        search={{ label: t(`${words}.search`), value: search, onChange: (search) => change({ search }) }}
        filter={{
          label: props.filterLabel,
          choices: filters.map((choice) => ({ ...choice, count: counts[choice.value] })),
          chosen: filter,
          onChoose: (filter) => change({ filter }),
        }}
        sort={{ label: t(`${words}.sort.label`), choices: sorts, chosen: sort, onChoose: choose }}
        view={{ chosen: view, onChoose: setView }}
      />
      {/* Another view has rows of another height. */}
      <Items key={view} {...props} slice={slice} view={view} by={by} />
      {slice.total === 0 && (
        <Empty heading="h2" icon="search" title={t(`${words}.noMatch.title`)} text={t(`${words}.noMatch.text`)}>
          <button type="button" className="plain" onClick={clear}>
            {t(`${words}.noMatch.clear`)}
          </button>
        </Empty>
      )}
    </>
  );
}

/** The height of a table's row in pixels, until it is measured. */
const ROW_HEIGHT = 53;

type ItemsProps<Item, F extends string, S extends string> = Pick<
  Props<Item, F, S>,
  "cardHeight" | "card" | "row" | "table" | "onShown"
> & { slice: Slice<Item>; view: View; by: Selection<F, S> };

/** The items near the viewport as cards or rows, with an empty one in the place of each that is not loaded. */
function Items<Item extends { id: number }, F extends string, S extends string>(props: ItemsProps<Item, F, S>) {
  const { slice, view, by, cardHeight, card, row, table, onShown } = props;
  const isTable = view === "list";
  const { box, from, to, above, below } = useWindow<HTMLElement>(slice.total, isTable ? ROW_HEIGHT : cardHeight);

  useEffect(() => {
    onShown?.(by, from, to);
  });

  if (slice.total === 0) return null;
  const places = Array.from({ length: to - from }, (_, index) => from + index);
  const itemAt = (place: number) => slice.items[place - slice.offset];
  const spacer = (height: number) =>
    height > 0 && (
      <tr data-spacer="1">
        <td style={{ height, padding: 0, border: 0 }} />
      </tr>
    );

  if (isTable)
    return table(
      <tbody ref={box as RefObject<HTMLTableSectionElement | null>}>
        {spacer(above)}
        {places.map((place) => {
          const item = itemAt(place);
          return item ? (
            <Fragment key={item.id}>{row(item)}</Fragment>
          ) : (
            <tr key={`place ${place}`} style={{ height: ROW_HEIGHT }} />
          );
        })}
        {spacer(below)}
      </tbody>,
    );

  return (
    <ul
      className="card-grid"
      ref={box as RefObject<HTMLUListElement | null>}
      style={{ paddingTop: above, paddingBottom: below }}
    >
      {places.map((place) => {
        const item = itemAt(place);
        return item ? (
          <li key={item.id}>{card(item)}</li>
        ) : (
          <li key={`place ${place}`} className="card" style={{ minHeight: cardHeight }} />
        );
      })}
    </ul>
  );
}
