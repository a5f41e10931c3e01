import { type Family, labelsOf } from "./text";

/** Maximum monitors, and agents, with their own lines. Beyond it only their number is reported. */
export const MAX_TARGETS = 5000;

type Figure<Row> = { name: string; help: string; of: (row: Row) => number | null };
type Thing = { id: number; name: string };

/** A gauge for each figure, with a line for each target that has it. */
export const gaugesOf = <Row extends Thing>(rows: readonly Row[], figures: readonly Figure<Row>[]): Family[] => {
  const labelled = rows.map((row) => ({ row, labels: labelsOf({ id: row.id, name: row.name }) }));
  return figures.map(({ name, help, of }) => ({
    name,
    type: "gauge",
    help,
    lines: labelled.flatMap(({ row, labels }) => {
      const value = of(row);
      return value === null ? [] : [{ labels, value }];
    }),
  }));
};
