import { type Column, is, Table } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { tableConfig } from "../columns";
import * as schema from "../schema";

/** The type of a column, independent of the engine. */
export type Kind = "whole" | "real" | "text" | "flag" | "json";

/** A table by its stored names. */
export type TableShape = {
  name: string;
  columns: { name: string; kind: Kind }[];
  /** The columns of its primary key, in the key's order. */
  key: string[];
  /** Whether it has a generated column `id`. */
  numbered: boolean;
};

const kindOf = ({ dataType, columnType }: Column): Kind => {
  if (dataType === "json") return "json";
  if (dataType === "boolean") return "flag";
  if (dataType === "string") return "text";
  return /Real|Double/.test(columnType) ? "real" : "whole";
};

type Schema = Parameters<typeof tableConfig>[0];
const stored = ({ name }: { name: string }) => toSnakeCase(name);

const shapeOf = (table: Schema): TableShape => {
  const { name, columns, primaryKeys } = tableConfig(table);
  const single = columns.filter(({ primary }) => primary).map(stored);
  const key = primaryKeys[0]?.columns.map(stored) ?? single;
  return {
    name,
    columns: columns.map((column) => ({ name: stored(column), kind: kindOf(column) })),
    key,
    numbered: single[0] === "id" && columns.some((column) => column.primary && kindOf(column) === "whole"),
  };
};

const parentsOf = (table: Schema): string[] =>
  tableConfig(table).foreignKeys.map((key) => tableConfig(key.reference().foreignTable as Schema).name);

const all = (Object.values(schema) as unknown[]).filter((value): value is Schema => is(value, Table));

/** Every table of the schema, ordered so that referenced tables come first. */
export const tables: readonly TableShape[] = (() => {
  const sorted: Schema[] = [];
  const place = (table: Schema) => {
    if (sorted.includes(table)) return;
    const parents = parentsOf(table);
    for (const parent of all.filter((one) => one !== table && parents.includes(tableConfig(one).name))) place(parent);
    sorted.push(table);
  };
  all.forEach(place);
  return sorted.map(shapeOf);
})();
