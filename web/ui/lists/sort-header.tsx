import type { ReactNode } from "react";

export type Order = "asc" | "desc";
export type Sorting<S extends string> = { sort: S; order: Order; onSort: (sort: S) => void };

type Props<S extends string> = {
  /** The sort that a click chooses; a second click turns its order. Undefined: the column does not sort. */
  by?: S;
  sorting?: Sorting<S>;
  className?: string;
  children: ReactNode;
};

const spoken = { asc: "ascending", desc: "descending" } as const;

/** The head of a column, as a button if the column sorts. */
export function SortHeader<S extends string>({ by, sorting, className, children }: Props<S>) {
  if (by === undefined || !sorting)
    return (
      <th scope="col" className={className}>
        {children}
      </th>
    );
  const chosen = sorting.sort === by;
  return (
    <th scope="col" className={className} aria-sort={chosen ? spoken[sorting.order] : undefined}>
      <button type="button" onClick={() => sorting.onSort(by)}>
        {children}
        <svg className="sort-arrow" viewBox="0 0 8 8" aria-hidden="true">
          <path d="M4 1.5L7 6H1z" />
        </svg>
      </button>
    </th>
  );
}
