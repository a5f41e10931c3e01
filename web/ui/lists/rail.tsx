import { Fragment, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useFirstRows } from "../../lib/hooks/use-first-rows";
import { useWindow } from "../../lib/hooks/use-window";
import type { Slice } from "./items";
import { Rows } from "./rows";
import { useMoves } from "./use-moves";
import { useRowKeys } from "./use-row-keys";

const ROW_HEIGHT = 36;

type Props<Item> = {
  label: string;
  slice: Slice<Item>;
  /** The id of the item whose page is beside the list. */
  current: number;
  row: (item: Item) => ReactNode;
  /** Called with the places of the items that are rendered: of these, those that are missing are to be loaded. */
  onShown: (from: number, to: number) => void;
};

/** A list as narrow rows beside the page of one of its items. It scrolls by itself. */
export function Rail<Item extends { id: number }>({ label, slice, current, row, onShown }: Props<Item>) {
  const frame = useRef<HTMLElement>(null);
  const { box, from, to, above, below } = useWindow<HTMLElement>(slice.total, ROW_HEIGHT);
  const count = useFirstRows(to - from);
  const rest = (to - from - count) * ROW_HEIGHT;
  useMoves(box, slice, label);
  useRowKeys(true);
  useEffect(() => onShown(from, to));

  // The item whose page was opened directly may be far down.
  const place = slice.items.findIndex(({ id }) => id === current) + slice.offset;
  const isKnown = place >= slice.offset;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each item, not when it moves
  useEffect(() => {
    const node = frame.current;
    if (!node || !isKnown) return;
    const top = place * ROW_HEIGHT;
    const isVisible = top >= node.scrollTop && top + ROW_HEIGHT <= node.scrollTop + node.clientHeight;
    if (!isVisible) node.scrollTop = top - node.clientHeight / 2;
  }, [current, isKnown]);

  const places = Array.from({ length: count }, (_, index) => from + index);
  return (
    <section className="rail" aria-label={label} ref={frame}>
      <Rows className="rail-rows">
        <ul ref={box as RefObject<HTMLUListElement | null>} style={{ paddingTop: above, paddingBottom: below + rest }}>
          {places.map((at) => {
            const item = slice.items[at - slice.offset];
            return item ? <Fragment key={item.id}>{row(item)}</Fragment> : <li key={`place ${at}`} data-row />;
          })}
        </ul>
      </Rows>
    </section>
  );
}
