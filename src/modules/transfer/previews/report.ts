/** What becomes of each object of a file: of a preview, and of an import that is done. */
import type { Static } from "@sinclair/typebox";
import { isoTime } from "../../../lib/time";
import { id, integer, list, nullable, object, oneOf, text, time } from "../../../server/answers";
import { fill } from "../../../shared/language";
import {
  IMPORT_NOTE_CODES,
  IMPORT_NOTES,
  IMPORT_OUTCOMES,
  IMPORT_PARTS,
  type ImportOutcome,
  PAUSING_NOTES,
} from "../../../shared/transfer/imports";
import { IMPORT_SOURCE_NAMES } from "../../../shared/transfer/sources";
import { csvRow } from "../../alerting/outages/list/csv";
import type { Draft, Item, Note } from "../sources/source";

const ImportedItem = object({
  path: text("Identifies the object in the file; `skip` names it.", "monitor:12"),
  part: oneOf("What it is.", IMPORT_PARTS),
  name: text("Its name.", "Payments API"),
  kind: text("Its kind at the source.", "http"),
  outcome: oneOf(
    "`take`: as it is; `change`: with the differences in `notes`; `paused`: paused, because it would check something else than before; `skip`: not at all; `exists`: it is here already, and stays as it is.",
    IMPORT_OUTCOMES,
  ),
  target_id: nullable(id("The id of what it became here; null in a preview, and where nothing was created.", 3)),
  notes: list(
    object({
      code: oneOf("Why, as a code that never changes.", IMPORT_NOTE_CODES, "retries_changed"),
      detail: text("The value that the note is about; empty for some codes.", "8"),
      message: text("The note as an English sentence.", "its 8 retries are more than are possible here"),
    }),
    "Differences and reasons.",
  ),
  enrollment: nullable(
    object({
      token: text("The enrollment token of this server's machine. It is shown only in this report.", "wkt_…"),
      expires_at: time("When it expires.", "2026-01-16T12:20:00.000Z"),
    }),
    null,
  ),
});

const Counts = object({
  take: integer("Taken as they are.", 400),
  change: integer("Taken with differences.", 12),
  paused: integer("Taken paused.", 2),
  skip: integer("Not taken.", 19),
  exists: integer("Here already.", 0),
});

export const reportFields = {
  source: oneOf("The product that wrote the file.", IMPORT_SOURCE_NAMES),
  version: text("Its version, as far as the file says; may be empty.", "2"),
  counts: Counts,
  items: list(ImportedItem, "Every object of the file."),
  history_from: nullable(time("When the history in the file begins; null without one.", "2025-11-27T00:00:00.000Z")),
};
const { history_from: _, ...fields } = reportFields;
const ReportSchema = object(fields);
export type Report = Static<typeof ReportSchema>;

export const addedHistory = object({
  days: integer("How many days of monitors were added to their history.", 365),
  outages: integer("How many outages were added.", 12),
});
/** The report of an import that is done. */
export type DoneReport = Report & { history: Static<typeof addedHistory> };

/** What became of an object. */
export type Result = {
  item: Item;
  targetId: number | null;
  exists: boolean;
  notes: Note[];
  /** The new enrollment token of a server. */
  enrollment?: { token: string; expiresAt: number } | null;
};

export const outcomeOf = ({ item, exists, notes }: Omit<Result, "targetId">): ImportOutcome => {
  if (exists) return "exists";
  if (item.isAbsorbed) return "change";
  if (item.content === null || notes.some(({ code }) => SKIPPING.includes(code))) return "skip";
  if (notes.some(({ code }) => PAUSING_NOTES.includes(code))) return "paused";
  return notes.length > 0 ? "change" : "take";
};

/** Notes of objects that are not taken although they have content. */
const SKIPPING: readonly Note["code"][] = [
  "invalid",
  "quota",
  "session_required",
  "policy_limit",
  "page_kept",
  "left_out",
  "parent_left_out",
];

const presentItem = (result: Result): Report["items"][number] => ({
  path: result.item.externalId,
  part: result.item.part,
  name: result.item.name,
  kind: result.item.kind,
  outcome: outcomeOf(result),
  target_id: result.targetId,
  notes: result.notes.map(({ code, detail }) => ({ code, detail, message: fill(IMPORT_NOTES[code], { detail }) })),
  enrollment: result.enrollment
    ? { token: result.enrollment.token, expires_at: isoTime(result.enrollment.expiresAt) }
    : null,
});

export const presentReport = (
  { source, version }: Pick<Draft, "source" | "version">,
  results: readonly Result[],
): Report => {
  const items = results.map(presentItem);
  const counts = { take: 0, change: 0, paused: 0, skip: 0, exists: 0 };
  for (const { outcome } of items) counts[outcome]++;
  return { source, version, counts, items };
};

/** A report as a table. */
export const reportCsv = ({ items }: Report): string =>
  csvRow(["part", "name", "kind", "outcome", "id", "notes"]) +
  items
    .map(({ part, name, kind, outcome, target_id, notes }) =>
      csvRow([part, name, kind, outcome, target_id, notes.map(({ message }) => message).join("; ")]),
    )
    .join("");
