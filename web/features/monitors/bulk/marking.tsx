import { createContext, useContext, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

type Marks = { ids: ReadonlySet<number>; everything: boolean; last: number | null };

type MarkingState = {
  isOn: boolean;
  has: (id: number) => boolean;
  /** Marks or unmarks an item; a range marks all from the last one on. */
  toggle: (id: number, isRange: boolean) => void;
};

const NOTHING: Marks = { ids: new Set(), everything: false, last: null };
export const MarkingContext = createContext<MarkingState>({ isOn: false, has: () => false, toggle: () => {} });

/** The items from one to another in the order of the list. */
const between = (items: readonly number[], from: number, to: number): number[] => {
  const [start, end] = [items.indexOf(from), items.indexOf(to)].sort((a, b) => a - b);
  return start === undefined || end === undefined || start < 0 ? [to] : items.slice(start, end + 1);
};

/**
 * Which items of a list are marked to be changed together. `items` are the ids that are loaded, in their order. Another `key`,
 * such as another filter, begins with none marked. Escape ends it.
 */
export const useMarking = (items: readonly number[], key: string) => {
  const [isOn, setOn] = useState(false);
  const [marks, setMarks] = useState<Marks & { key: string }>({ ...NOTHING, key });
  const { ids, everything, last } = marks.key === key ? marks : NOTHING;

  const stop = () => {
    setOn(false);
    setMarks({ ...NOTHING, key });
  };

  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      setOn(false);
      setMarks((before) => ({ ...NOTHING, key: before.key }));
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOn]);

  const context = useMemo<MarkingState>(
    () => ({
      isOn,
      has: (id) => everything || ids.has(id),
      toggle: (id, isRange) => {
        const before = new Set(everything ? items : ids);
        const isMarked = before.has(id);
        if (isRange && last !== null && !isMarked) for (const one of between(items, last, id)) before.add(one);
        else if (isMarked) before.delete(id);
        else before.add(id);
        setMarks({ ids: before, everything: false, last: id, key });
      },
    }),
    [isOn, ids, everything, last, items, key],
  );

  return {
    context,
    isOn,
    ids: [...ids],
    everything,
    start: () => setOn(true),
    stop,
    markAll: () => setMarks({ ...NOTHING, everything: true, key }),
  };
};

export type Marking = ReturnType<typeof useMarking>;

/** The box that marks an item; nothing unless items are being marked. */
export function MarkBox({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation();
  const { isOn, has, toggle } = useContext(MarkingContext);
  if (!isOn) return null;
  return (
    <label className="mark-box">
      <input
        type="checkbox"
        checked={has(id)}
        aria-label={t("bulk.mark", { name })}
        onChange={({ nativeEvent }) => toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
}
