import type { Column } from "drizzle-orm";

/** The type of a column, independent of the engine. */
export type Kind = "whole" | "real" | "text" | "flag" | "json" | "bytes";

export const kindOf = ({ dataType, columnType }: Column): Kind => {
  if (dataType === "json") return "json";
  if (dataType === "custom") return "bytes";
  if (dataType === "boolean") return "flag";
  if (dataType === "string") return "text";
  return /Real|Double/.test(columnType) ? "real" : "whole";
};
