import { useAtom, type WritableAtom } from "jotai";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { TAG_LIMITS } from "../../../src/shared/tags";
import { PHONE, useMedia } from "../../lib/hooks/use-media";
import { Icon, type IconName } from "../controls/icon";
import { Search } from "../controls/search";
import { Segments } from "../controls/segments";
import { Empty } from "../feedback/empty";
import { useLastPlace } from "../layout/last-list";
import { useShownSearch } from "../layout/shown-screen";
import { Items, type Slice } from "./items";
import type { Order, Sorting } from "./sort-header";
import { useRowKeys } from "./use-row-keys";

/** How a list is searched, filtered and sorted. */
export type Selection<F extends string, S extends string> = {
  search: string;
  filter: F;
  /** Names of tags, or name:value; the items have all of them. */
  tags: string[];
  sort: S;
  order: Order;
};

/** The sorts of a list with the order that each has at first. */
export type Orders<S extends string> = Record<S, Order>;
/** A sort and its order, as it is stored. */
type SortChoice<S extends string> = `${S} ${Order}`;

const sortsOf = <S extends string>(orders: Orders<S>) => Object.keys(orders) as S[];

/** All sorts in both orders, the default first. */
export const sortChoices = <S extends string>(orders: Orders<S>): readonly SortChoice<S>[] =>
  sortsOf(orders).flatMap((sort): SortChoice<S>[] =>
    orders[sort] === "asc" ? [`${sort} asc`, `${sort} desc`] : [`${sort} desc`, `${sort} asc`],
  );

/**
 * The selection in an address. The first filter is the default; `remembered` is the default sort. Unknown values are ignored.
 */
export const selectionOf = <F extends string, S extends string>(
  address: string,
  filters: readonly F[],
  orders: Orders<S>,
  remembered: SortChoice<S>,
): Selection<F, S> => {
  const query = new URLSearchParams(address);
  const sort = sortsOf(orders).find((one) => one === query.get("sort"));
  const [storedSort, storedOrder] = remembered.split(" ") as [S, Order];
  const order = query.get("order");
  return {
    filter: filters.find((one) => one === query.get("status")) ?? (filters[0] as F),
    search: query.get("q") ?? "",
    tags: query.getAll("tag").slice(0, TAG_LIMITS.perTarget),
    sort: sort ?? storedSort,
    order: sort === undefined ? storedOrder : order === "asc" || order === "desc" ? order : orders[sort],
  };
};

/**
 * The selection of a list, stored in its address, so that it survives a reload and can be shared. A change replaces the
 * history entry, so that going back leaves the list. The defaults are not written.
 */
const useListAddress = <F extends string, S extends string>(
  filters: readonly F[],
  orders: Orders<S>,
  remembered: SortChoice<S>,
) => {
  const [path, navigate] = useLocation();
  // The router's own hook decodes the address once more than it was encoded: a search for "%41" would become "A".
  const address = useShownSearch();
  const now = selectionOf(address, filters, orders, remembered);
  const everything = filters[0] as F;

  const change = (changed: Partial<Selection<F, S>>) => {
    const { filter, search, tags, sort, order } = { ...now, ...changed };
    const next = new URLSearchParams();
    if (filter !== everything) next.set("status", filter);
    if (search) next.set("q", search);
    for (const tag of tags) next.append("tag", tag);
    const isChosen = "sort" in changed || new URLSearchParams(address).has("sort");
    if (isChosen && `${sort} ${order}` !== sortChoices(orders)[0]) next.set("sort", sort);
    if (next.has("sort") && order !== orders[sort]) next.set("order", order);
    navigate(next.size > 0 ? `${path}?${next}` : path, { replace: true });
  };

  return { ...now, change, clear: () => change({ filter: everything, search: "", tags: [] }) };
};

type Choices<T extends string> = {
  label: string;
  choices: readonly { value: T; label: string; count?: number }[];
  chosen: T;
  onChoose: (value: T) => void;
};
type ListToolbarProps<F extends string, S extends string> = {
  search: { label: string; hint: string; value: string; onChange: (value: string) => void };
  filter: Choices<F>;
  sort: Choices<S>;
  view: { chosen: View; onChoose: (view: View) => void };
  /** Further controls. */
  more?: ReactNode;
};
export type View = "grid" | "list";

function Select<T extends string>({ label, choices, chosen, onChoose }: Choices<T>) {
  return (
    <select value={chosen} aria-label={label} onChange={(event) => onChoose(event.target.value as T)}>
      {choices.map(({ value, label, count }) => (
        <option key={value} value={value}>
          {count === undefined ? label : `${label} ${count}`}
        </option>
      ))}
    </select>
  );
}

/** The controls above a list: search, filter, sort, and the choice between cards and rows. */
function ListToolbar<F extends string, S extends string>({ search, filter, sort, view, more }: ListToolbarProps<F, S>) {
  const { t } = useTranslation();
  const isPhone = useMedia(PHONE);
  return (
    <div className={`toolbar ${view.chosen}`}>
      <Search {...search} />
      {isPhone ? <Select {...filter} /> : <Segments {...filter} />}
      {more}
      <span className="spring" />
      <Select {...sort} />
      <Segments
        label={t("shared.view.label")}
        choices={[
          { value: "grid", label: <Icon name="grid" />, title: t("shared.view.grid") },
          { value: "list", label: <Icon name="list" />, title: t("shared.view.list") },
        ]}
        {...view}
      />
    </div>
  );
}

type Choice<T> = WritableAtom<T, [T], void>;

/**
 * How a list is searched, filtered and sorted. The first filter passes all items, and the first sort is the default. The
 * address holds all of it; sort and view are stored in the browser as well.
 */
export type Selecting<Item, F extends string, S extends string> = {
  filters: readonly { value: F; label: string }[];
  filterLabel: string;
  sorts: readonly { value: S; label: string }[];
  orders: Orders<S>;
  sortAtom: Choice<SortChoice<S>>;
  viewAtom: Choice<View>;
  /** The selected items, as far as they are loaded. */
  select: (by: Selection<F, S>) => Slice<Item>;
  /** Called with the places of the items that are rendered: of these, those that are missing are to be loaded. */
  onShown?: (by: Selection<F, S>, from: number, to: number) => void;
  /** The number of items that each filter passes. */
  counts: Record<F, number>;
  /** Further controls beside the filter. */
  controls?: (by: Selection<F, S>, change: (changed: Partial<Selection<F, S>>) => void) => ReactNode;
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
  /** A table around these rows, whose heads sort. */
  table: (body: ReactNode, sorting: Sorting<S>, by: Selection<F, S>) => ReactNode;
  /** The head of the page around the controls of the list. */
  head: (controls?: ReactNode) => ReactNode;
  /** What stands above the items, but not above an empty list. */
  above: (by: Selection<F, S>) => ReactNode;
};

const valuesOf = <T,>(choices: readonly { value: T }[]) => choices.map(({ value }) => value);

/** The head of the page with the controls of the list, and the selected items as cards or rows. */
export function ItemsView<Item extends { id: number }, F extends string, S extends string>(props: Props<Item, F, S>) {
  const { words, icon, create, filters, sorts, orders, select, counts, head, above } = props;
  const { t } = useTranslation();
  const [remembered, remember] = useAtom(props.sortAtom);
  const { change, clear, ...by } = useListAddress(valuesOf(filters), orders, remembered);
  const [view, setView] = useAtom(props.viewAtom);
  const slice = select(by);
  useRowKeys();
  const isMoving = useLastPlace();

  if (filters[0] && counts[filters[0].value] === 0)
    return (
      <>
        {head()}
        <Empty heading="h2" icon={icon} title={t(`${words}.empty.title`)} text={t(`${words}.empty.text`)}>
          {create}
        </Empty>
      </>
    );

  const choose = (sort: S, order: Order) => {
    remember(`${sort} ${order}`);
    change({ sort, order });
  };
  const turned = by.order === "asc" ? "desc" : "asc";
  const sorting = {
    ...{ sort: by.sort, order: by.order },
    onSort: (sort: S) => choose(sort, sort === by.sort ? turned : orders[sort]),
  };

  return (
    <>
      {head(
        <ListToolbar
          search={{
            ...{ label: t(`${words}.search`), hint: t(`${words}.searchHint`) },
            ...{ value: by.search, onChange: (search) => change({ search }) },
          }}
          filter={{
            label: props.filterLabel,
            choices: filters.map((choice) => ({ ...choice, count: counts[choice.value] })),
            chosen: by.filter,
            onChoose: (filter) => change({ filter }),
          }}
          sort={{
            ...{ label: t(`${words}.sort.label`), choices: sorts, chosen: by.sort },
            onChoose: (sort) => choose(sort, orders[sort]),
          }}
          view={{ chosen: view, onChoose: setView }}
          more={props.controls?.(by, change)}
        />,
      )}
      {above(by)}
      {/* Another view has rows of another height. */}
      <Items
        key={view}
        {...props}
        slice={slice}
        view={view}
        by={by}
        sorting={sorting}
        // The items at the top are not wanted before the list is at its last place.
        onShown={isMoving ? undefined : props.onShown}
      />
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
