/** A report as a file. */
import type { Static } from "@sinclair/typebox";
import { csvRow } from "../alerting/outages/list/csv";
import type { Report, ReportRow } from "./report";

type Row = Static<typeof ReportRow>;

const COLUMNS: Record<string, (row: Row) => string | number | null> = {
  target_type: ({ target_type }) => target_type,
  target_id: ({ target_id }) => target_id,
  target_name: ({ target_name }) => target_name,
  uptime: ({ uptime }) => uptime,
  watched_seconds: ({ watched_seconds }) => watched_seconds,
  down_seconds: ({ down_seconds }) => down_seconds,
  outages: ({ outages }) => outages,
  target: ({ target }) => target?.percent ?? null,
  left_seconds: ({ target }) => target?.left_seconds ?? null,
  worst_day: ({ worst_day }) => worst_day?.date ?? null,
  worst_day_seconds: ({ worst_day }) => worst_day?.down_seconds ?? null,
  p50: ({ p50 }) => p50,
  p95: ({ p95 }) => p95,
  cpu_peak: ({ peaks }) => peaks?.cpu ?? null,
  memory_peak: ({ peaks }) => peaks?.memory ?? null,
  disk_peak: ({ peaks }) => peaks?.disk ?? null,
  received_bytes: ({ traffic }) => traffic?.rx ?? null,
  sent_bytes: ({ traffic }) => traffic?.tx ?? null,
  uptime_before: ({ before }) => before.uptime,
  outages_before: ({ before }) => before.outages,
};

/** The targets of a report as CSV. */
export const toCsv = ({ rows, from, to }: Pick<Report, "rows" | "from" | "to">): string => {
  const names = ["from", "to", ...Object.keys(COLUMNS)];
  const lines = rows.map((row) => [from, to, ...Object.values(COLUMNS).map((read) => read(row))]);
  // Spreadsheets read UTF-8 only with a byte order mark.
  return `\uFEFF${[names, ...lines].map(csvRow).join("")}`;
};
