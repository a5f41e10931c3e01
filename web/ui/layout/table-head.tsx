import type { ReactNode } from "react";

type Props = {
  columns: readonly string[];
  /** The columns of figures, which follow. */
  figures?: readonly string[];
  /** Further heads. */
  children?: ReactNode;
};

/** The heads of a table that is not sorted by them. */
export const TableHead = ({ columns, figures = [], children }: Props) => (
  <thead>
    <tr>
      {columns.map((label) => (
        <th key={label} scope="col">
          {label}
        </th>
      ))}
      {figures.map((label) => (
        <th key={label} scope="col" className="number">
          {label}
        </th>
      ))}
      {children}
    </tr>
  </thead>
);
