/** The outages that a filter selects as a file. */
import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../../core/deps";
import type { Viewer } from "../../../../db/owner";
import { checkErrorText, storedError } from "../../../../shared/check-error";
import { SECOND } from "../../../../shared/limits";
import type { OutageFilter } from "../model";
import { csvRow } from "./csv";
import { type ListedOutage, readOutages } from "./page";

/** Outages in one file, and those that are read at once. */
export const MAX_EXPORTED = 10_000;
const PAGE = 100;

type Row = Static<typeof ListedOutage>;

const secondsOf = ({ started_at, ended_at }: Row): number | null =>
  ended_at === null ? null : Math.round((Date.parse(ended_at) - Date.parse(started_at)) / SECOND);

const reasonOf = (row: Row): string => {
  const error = storedError({ errorCode: row.error_code, errorDetail: row.error_detail });
  return error ? checkErrorText(error, "en-US") : "";
};

const COLUMNS: Record<string, (row: Row) => string | number | null> = {
  id: ({ id }) => id,
  target_type: ({ target_type }) => target_type,
  target_id: ({ target_id }) => target_id,
  target_name: ({ target_name }) => target_name,
  kind: ({ kind }) => kind,
  subject: ({ subject }) => subject,
  started_after: ({ started_after }) => started_after,
  started_at: ({ started_at }) => started_at,
  ended_at: ({ ended_at }) => ended_at,
  seconds: secondsOf,
  error_code: ({ error_code }) => error_code,
  reason: reasonOf,
  checks_failed: ({ checks_failed }) => checks_failed,
  notified: ({ notified }) => notified.join("; "),
  acknowledged_by: ({ acknowledged }) => acknowledged?.by ?? null,
  acknowledged_at: ({ acknowledged }) => acknowledged?.at ?? null,
  note: ({ note }) => note?.text ?? null,
};

const readAll = async (deps: Deps, viewer: Viewer, filter: OutageFilter): Promise<Row[]> => {
  const all: Row[] = [];
  for (let before: number | undefined; all.length < MAX_EXPORTED; ) {
    const page = await readOutages(deps, viewer, { ...filter, limit: PAGE, ...(before !== undefined && { before }) });
    all.push(...page.outages);
    if (page.next === null) break;
    before = page.next;
  }
  return all;
};

/**
 * The newest outages that a viewer sees and a filter selects as a file, at most MAX_EXPORTED.
 * @throws {AppError} validation
 */
export const exportOutages = async (
  deps: Deps,
  viewer: Viewer,
  { format = "csv", ...filter }: OutageFilter & { format?: "csv" | "json" },
): Promise<{ type: string; name: string; text: string }> => {
  const rows = await readAll(deps, viewer, filter);
  if (format === "json")
    return { type: "application/json", name: "outages.json", text: JSON.stringify({ success: true, outages: rows }) };
  const lines = [Object.keys(COLUMNS), ...rows.map((row) => Object.values(COLUMNS).map((read) => read(row)))];
  // Spreadsheets read UTF-8 only with a byte order mark.
  return { type: "text/csv; charset=utf-8", name: "outages.csv", text: `\uFEFF${lines.map(csvRow).join("")}` };
};
