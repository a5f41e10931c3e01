import type { TInteger, TOptional, TSchema } from "@sinclair/typebox";
import { t } from "elysia";
import { integer, list, object, oneOf, time } from "../../server/answers";
import { field } from "../../server/schema";
import { ImportNote, type TransferPart } from "./part";

export const FORMAT = "wakeful-configuration";
export const VERSION = 1;

/** The schemas of files with these parts, and of the result of an import. */
export const createModels = <Part extends TransferPart>(parts: readonly Part[]) => {
  const byKey = (schemaOf: (part: Part) => TSchema) =>
    Object.fromEntries(parts.map((part) => [part.key, schemaOf(part)]));
  const sent = byKey((part) => t.Optional(part.sent)) as { [P in Part as P["key"]]: TOptional<P["sent"]> };
  const exported = byKey((part) => part.exported) as { [P in Part as P["key"]]: P["exported"] };
  const examples = Object.fromEntries(parts.flatMap(({ key, example }) => (example ? [[key, example]] : [])));
  type Counts = { [P in Part as Exclude<P["counted"], undefined>]: TInteger };
  /** The number of items of each part that is counted. */
  const counts = (what: string, example: number) =>
    object(
      Object.fromEntries(
        parts.flatMap(({ counted }) => (counted ? [[counted, integer(`How many ${what}: ${counted}.`, example)]] : [])),
      ) as Counts,
    );
  return {
    /** A configuration as it is imported. */
    sent: t.Object(
      {
        format: field(t.Literal(FORMAT, { error: `expected "${FORMAT}"` }), "Always `wakeful-configuration`."),
        version: field(t.Literal(VERSION, { error: `expected ${VERSION}: a newer hub wrote this file` }), "1."),
        exported_at: t.Optional(field(t.String({ maxLength: 40 }), "Ignored.")),
        ...sent,
      },
      { examples: [{ format: FORMAT, version: VERSION, ...examples }] },
    ),
    /** The file that `POST /api/import` takes: everything that a user has set up, without the secrets of channels. */
    exported: object({
      format: oneOf("Always this.", [FORMAT]),
      version: integer("The version of the format.", VERSION),
      exported_at: time("When it was exported."),
      ...exported,
    }),
    result: object({
      created: counts("were created", 1),
      skipped: counts("already existed", 0),
      notes: list(ImportNote, "Hints for the user."),
    }),
  };
};
