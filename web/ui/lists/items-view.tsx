import { useAtom, type WritableAtom } from "jotai";
import { type ReactNode, useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { useIncrementalList } from "../../lib/hooks/use-incremental-list";
import { Icon, type IconName } from "../controls/icon";
import { Search } from "../controls/search";
import { Segments } from "../controls/segments";
import { Empty } from "../feedback/empty";

/**
 * The filter, search and sort of a list, stored in its address, so that they survive a reload and can be shared. A change
 * replaces the history entry, so that going back leaves the list. The first filter is the default and is not written;
 * unknown values are ignored, and `sort` is undefined unless the address has one.
 */
const useListAddress = <F extends string, S extends string>(filters: readonly F[], sorts: readonly S[]) => {
  const [path, navigate] = useLocation();
  // The router's own hook decodes the address once more than it was encoded: a search for "%41" would become "A".
  const query = new URLSearchParams(useSearch());
  const everything = filters[0] as F;
  const now = {
    filter: filters.find((one) => one === query.get("status")) ?? everything,
    search: query.get("q") ?? "",
    sort: sorts.find((one) => one === query.get("sort")),
  };

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
  select: (all: readonly Item[], by: { search: string; filter: F; sort: S }) => Item[];
  count: (all: readonly Item[]) => Record<F, number>;
};

type Props<Item, F extends string, S extends string> = Selecting<Item, F, S> & {
  words: "monitors" | "agents";
  icon: IconName;
  all: readonly Item[];
  /** The link to create an item, for an empty list. */
  create: ReactNode;
  card: (item: Item) => ReactNode;
  table: (shown: readonly Item[]) => ReactNode;
};

const valuesOf = <T,>(choices: readonly { value: T }[]) => choices.map(({ value }) => value);

export function ItemsView<Item extends { id: number }, F extends string, S extends string>(props: Props<Item, F, S>) {
  const { words, icon, all, create, card, table, filters, sorts, select, count } = props;
  const { t } = useTranslation();
  const [remembered, remember] = useAtom(props.sortAtom);
  const { filter, search, sort = remembered, change, clear } = useListAddress(valuesOf(filters), valuesOf(sorts));
  const [view, setView] = useAtom(props.viewAtom);
  const selected = select(all, { search, filter, sort });
  const more = useIncrementalList(selected);
  // Rendering a thousand cards is interruptible, so that typing and scrolling are not delayed.
  const shown = useDeferredValue(more.shown);

  if (all.length === 0)
    return (
      <Empty heading="h2" icon={icon} title={t(`${words}.empty.title`)} text={t(`${words}.empty.text`)}>
        {create}
      </Empty>
    );

  const choose = (next: S) => {
    remember(next);
    change({ sort: next === sorts[0]?.value ? undefined : next });
  };
  const counts = count(all);

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
      {selected.length === 0 ? (
        <Empty heading="h2" icon="search" title={t(`${words}.noMatch.title`)} text={t(`${words}.noMatch.text`)}>
          <button type="button" className="plain" onClick={clear}>
            {t(`${words}.noMatch.clear`)}
          </button>
        </Empty>
      ) : view === "list" ? (
        table(shown)
      ) : (
        <ul className="card-grid">
          {shown.map((item) => (
            <li key={item.id}>{card(item)}</li>
          ))}
        </ul>
      )}
      <div className="more-mark" ref={more.mark} />
    </>
  );
}
