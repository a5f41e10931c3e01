import { t } from "elysia";
import { field, oneOf } from "../../../server/schema";
import { IMPORT_LIMITS } from "../../../shared/transfer/imports";
import { ADDRESS_SOURCE, KEY_SOURCES } from "../../../shared/transfer/sources";

const flag = (description: string) => t.Optional(field(t.Boolean({ error: "expected true or false" }), description));

export const previewParams = t.Object({
  id: field(t.String({ maxLength: 40 }), "The preview's id, as it was answered.", "Jx0Kq2mWv8sT1aBc"),
});

/** A product that is read with a key, or from an address, in place of a file. */
export const sentModel = t.Object({
  source: oneOf([...KEY_SOURCES, ADDRESS_SOURCE]),
  key: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 500,
      pattern: "^[\\x21-\\x7e]+$",
      error: "expected at most 500 letters, digits and signs without spaces",
    }),
  ),
  url: t.Optional(t.String({ minLength: 1, maxLength: 2000, error: "expected an address of at most 2000 characters" })),
});

/** What to import of a preview. */
export const applyModel = t.Object({
  skip: t.Optional(
    field(
      t.Array(t.String({ maxLength: 400 }), {
        maxItems: IMPORT_LIMITS.items,
        error: `expected a list of at most ${IMPORT_LIMITS.items} paths`,
      }),
      "The `path` of each object that is left out.",
      ["monitor:12"],
    ),
  ),
  paused: flag("True to create every monitor paused; false by default."),
  history: flag("False to leave out the history; true by default."),
});
