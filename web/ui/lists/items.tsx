import { Fragment, type ReactNode, type RefObject, useEffect } from "react";
import { useFirstRows } from "../../lib/hooks/use-first-rows";
import { useWindow } from "../../lib/hooks/use-window";
import type { Selection, View } from "./items-view";
import type { Sorting } from "./sort-header";
import { useMoves } from "./use-moves";

/** The loaded part of the selected items: `items` are those from `offset` on, of `total`. */
export type Slice<Item> = { items: readonly Item[]; offset: number; total: number };

/** The height of a table's row in pixels, until it is measured. */
const ROW_HEIGHT = 36;

type Props<Item, F extends string, S extends string> = {
  slice: Slice<Item>;
  view: View;
  by: Selection<F, S>;
  sorting: Sorting<S>;
  /** The approximate height of a card in pixels. */
  cardHeight: number;
  card: (item: Item) => ReactNode;
  row: (item: Item) => ReactNode;
  /** A table around these rows, whose heads sort. */
  table: (body: ReactNode, sorting: Sorting<S>, by: Selection<F, S>) => ReactNode;
  /** Called with the places of the items that are rendered: of these, those that are missing are to be loaded. */
  onShown?: (by: Selection<F, S>, from: number, to: number) => void;
};

/** The items near the viewport as cards or rows, with an empty one in the place of each that is not loaded. */
export function Items<Item extends { id: number }, F extends string, S extends string>(props: Props<Item, F, S>) {
  const { slice, view, by, sorting, cardHeight, card, row, table, onShown } = props;
  const isTable = view === "list";
  const { box, from, to, above, below } = useWindow<HTMLElement>(slice.total, isTable ? ROW_HEIGHT : cardHeight);
  const count = useFirstRows(to - from);

  useMoves(box, slice, JSON.stringify([view, by]));
  useEffect(() => {
    onShown?.(by, from, to);
  });

  if (slice.total === 0) return null;
  const places = Array.from({ length: count }, (_, index) => from + index);
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
          return item ? <Fragment key={item.id}>{row(item)}</Fragment> : <tr key={`place ${place}`} data-row />;
        })}
        {spacer(below + (to - from - count) * ROW_HEIGHT)}
      </tbody>,
      sorting,
      by,
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
