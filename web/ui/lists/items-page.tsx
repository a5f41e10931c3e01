import { useAtomValue } from "jotai";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Resource } from "../../lib/resource";
import { Icon, type IconName } from "../controls/icon";
import { RefreshButton } from "../controls/refresh-button";
import { Failure } from "../feedback/failure";
import { QuotaCount } from "../feedback/quota";
import { Skeleton } from "../feedback/skeleton";
import { Stale } from "../feedback/stale";
import type { Slice } from "./items";
import { ItemsView, type Selecting, type Selection, type View } from "./items-view";
import type { Sorting } from "./sort-header";

type Props<Item, F extends string, S extends string> = Omit<Selecting<Item, F, S>, "counts"> & {
  /** The part of the locale with the texts of the page. */
  words: "monitors" | "agents";
  icon: IconName;
  /** Absent for those who may not add any. */
  createAt: string | undefined;
  /** The approximate height of a card in pixels. */
  cardHeight: number;
  /** Undefined until they are loaded. */
  counts: Record<F, number> | undefined;
  /** The number of all items. */
  total: number;
  /** What stands above the items of a selection, such as what is not well. */
  above?: (by: Selection<F, S>) => ReactNode;
  state: Pick<Resource<unknown>, "error" | "loading">;
  refresh: () => void;
  card: (item: Item, onDelete: (item: Item) => void) => ReactNode;
  row: (item: Item, onDelete: (item: Item) => void) => ReactNode;
  table: (body: ReactNode, sorting: Sorting<S>, by: Selection<F, S>) => ReactNode;
  /** The dialog that confirms a deletion. */
  dialog: (item: Item, on: { onDeleted: () => void; onClose: () => void }) => ReactNode;
};

/** A slice without deleted items, which the server may still count. */
const without = <Item extends { id: number }>(slice: Slice<Item>, gone: readonly number[]): Slice<Item> => {
  const { items, offset, total } = slice;
  if (gone.length === 0) return slice;
  const left = items.filter(({ id }) => !gone.includes(id));
  return { items: left, offset, total: total - (items.length - left.length) };
};

/** The shape of a list that is loading: a table of twelve rows, or six cards. */
const shapeOf = (view: View, cardHeight: number) =>
  view === "list"
    ? { heights: ["29rem"] }
    : { className: "card-grid", heights: Array.from({ length: 6 }, () => `${cardHeight}px`) };

/** The list page of monitors or servers: search, filter, sort, cards or rows. A deleted item disappears at once. */
export function ItemsPage<Item extends { id: number }, F extends string, S extends string>(props: Props<Item, F, S>) {
  const { createAt, counts, total, above, state, refresh, dialog, ...list } = props;
  const { words, cardHeight, select, card, row } = list;
  const view = useAtomValue(list.viewAtom);
  const { t } = useTranslation();
  const [deleting, setDeleting] = useState<Item>();
  const [gone, setGone] = useState<readonly number[]>([]);

  const create = createAt !== undefined && (
    <Link href={createAt} className="button">
      <Icon name="plus" />
      <span className="label">{t(`${words}.create`)}</span>
    </Link>
  );

  const head = (controls?: ReactNode) => (
    <div className="page-head list-head">
      <h1>{t(`${words}.title`)}</h1>
      {controls}
      <div className="actions">
        {counts && <QuotaCount name={words === "agents" ? "servers" : "monitors"} used={total} />}
        <RefreshButton loading={state.loading} onRefresh={refresh} />
        {/* An empty list has it in its middle. */}
        {!(counts && total === 0) && create}
      </div>
    </div>
  );

  return (
    <>
      {counts ? (
        <ItemsView
          {...list}
          counts={counts}
          select={(by) => without(select(by), gone)}
          create={create}
          head={head}
          above={(by) => (
            <>
              <Stale error={state.error} onRetry={refresh} />
              {above?.(by)}
            </>
          )}
          card={(item) => card(item, setDeleting)}
          row={(item) => row(item, setDeleting)}
        />
      ) : (
        <>
          {head()}
          {state.error ? (
            <Failure title={t(`${words}.loadFailed`)} error={state.error} onRetry={refresh} />
          ) : (
            <Skeleton {...shapeOf(view, cardHeight)} />
          )}
        </>
      )}
      {deleting &&
        dialog(deleting, {
          onDeleted: () => {
            setGone((before) => [...before, deleting.id]);
            refresh();
          },
          onClose: () => setDeleting(undefined),
        })}
    </>
  );
}
