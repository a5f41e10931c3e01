import type { TInteger, TOptional, TSchema } from "@sinclair/typebox";
import { type Static, t } from "elysia";
import { integer, list, object, oneOf, time } from "../../server/answers";
import { field } from "../../server/schema";
import { ImportNote } from "./part";
import { type Part, parts } from "./registry";

export const FORMAT = "wakeful-configuration";
export const VERSION = 1;

const byKey = (schemaOf: (part: (typeof parts)[number]) => TSchema) =>
  Object.fromEntries(parts.map((part) => [part.key, schemaOf(part)]));

const sent = byKey((part) => t.Optional(part.sent)) as { [P in Part as P["key"]]: TOptional<P["sent"]> };
const exported = byKey((part) => part.exported) as { [P in Part as P["key"]]: P["exported"] };
const examples = Object.fromEntries(parts.flatMap(({ key, example }) => (example ? [[key, example]] : [])));

/** A configuration as it is imported. */
export const documentModel = t.Object(
  {
    format: field(t.Literal(FORMAT, { error: `expected "${FORMAT}"` }), "Always `wakeful-configuration`."),
    version: field(t.Literal(VERSION, { error: `expected ${VERSION}: a newer console wrote this file` }), "1."),
    exported_at: t.Optional(field(t.String({ maxLength: 40 }), "Ignored.")),
    ...sent,
  },
  { examples: [{ format: FORMAT, version: VERSION, ...examples }] },
);
export type Document = Static<typeof documentModel>;

/** The file that `POST /api/import` takes: everything that a user has set up, without the secrets of channels. */
export const ExportFile = object({
  format: oneOf("Always this.", [FORMAT]),
  version: integer("The version of the format.", VERSION),
  exported_at: time("When it was exported."),
  ...exported,
});
export type Exported = Static<typeof ExportFile>;

type Counts = { [P in Part as Exclude<P["counted"], undefined>]: TInteger };
/** The number of items of each part that is counted. */
const counts = (what: string, example: number) =>
  object(
    Object.fromEntries(
      parts.flatMap(({ counted }) => (counted ? [[counted, integer(`How many ${what}: ${counted}.`, example)]] : [])),
    ) as Counts,
  );

export const ImportResult = object({
  created: counts("were created", 1),
  skipped: counts("already existed", 0),
  notes: list(ImportNote, "Hints for the user."),
});
export type Imported = Static<typeof ImportResult>;
