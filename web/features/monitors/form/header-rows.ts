export type HeaderRow = { key: number; name: string; value: string };

const isBlank = ({ name, value }: HeaderRow) => name === "" && value === "";
const nextKey = (rows: readonly HeaderRow[]) => Math.max(0, ...rows.map(({ key }) => key)) + 1;

export const addRow = (rows: readonly HeaderRow[]): HeaderRow[] => [
  ...rows,
  { key: nextKey(rows), name: "", value: "" },
];

/** There is always a blank row to write into. */
const withBlank = (rows: readonly HeaderRow[]) => {
  const last = rows.at(-1);
  return last && isBlank(last) ? [...rows] : addRow(rows);
};

export const toRows = (headers: Record<string, string>) =>
  withBlank(Object.entries(headers).map(([name, value], key) => ({ key, name, value })));

export const changeRow = (rows: readonly HeaderRow[], key: number, change: Partial<HeaderRow>) =>
  withBlank(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));

export const removeRow = (rows: readonly HeaderRow[], key: number) => withBlank(rows.filter((row) => row.key !== key));
