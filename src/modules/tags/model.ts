import { type Static, t } from "elysia";
import { validation } from "../../core/errors";
import { field, oneOf } from "../../server/schema";
import { parseTagText, TAG_COLOURS, TAG_LIMITS, type TagColour, tagKey } from "../../shared/tags";

/** The name of a tag in a request or a file. */
export const tagName = field(
  t.String({
    maxLength: TAG_LIMITS.name,
    pattern: "^(?=[\\s\\S]*\\S)[^:\\u0000-\\u001f\\u007f]*$",
    error: `expected a name of 1 to ${TAG_LIMITS.name} characters without a colon`,
  }),
  "1 to 50 characters without a colon. Names that differ in case only are one tag.",
  "production",
);
const colourField = oneOf(TAG_COLOURS);

/** The tags of a monitor or server in a request. */
export const tagsModel = t.Array(
  t.Object({
    name: tagName,
    color: t.Optional(
      field(colourField, "The colour of a tag that is new; one that exists keeps its own, which `updateTag` changes."),
    ),
    value: t.Optional(
      field(
        t.String({
          maxLength: TAG_LIMITS.value,
          pattern: "^[^\\u0000-\\u001f\\u007f]*$",
          error: `expected a text of at most ${TAG_LIMITS.value} characters`,
        }),
        "Distinguishes targets with this tag, such as a region; at most 50 characters.",
        "eu-west",
      ),
    ),
  }),
  { maxItems: TAG_LIMITS.perTarget, error: `expected a list of at most ${TAG_LIMITS.perTarget} tags` },
);

/** A tag of a target, complete and valid. */
export type TagInput = { name: string; color?: TagColour; value: string };

/** The tags in a request. @throws {AppError} validation when one is named twice; `path` is the name of the list */
export const parseTags = (sent: Static<typeof tagsModel>, path = "tags"): TagInput[] => {
  const keys = new Set<string>();
  return sent.map(({ name, color, value = "" }, index) => {
    const key = tagKey(name);
    const place = `${path}.${index}.name`;
    if (keys.has(key)) throw validation([{ path: place, message: `${place}: another tag before it has this name` }]);
    keys.add(key);
    return { name: name.trim().normalize("NFC"), ...(color && { color }), value: value.trim().normalize("NFC") };
  });
};

const FILTER_ERROR = `expected at most ${TAG_LIMITS.perTarget} tags, each as its name or as name:value`;

/** The tags of a list's filter. Elysia would keep only the last value, so `readTagFilter` reads them. */
export const tagFilter = t.Optional(
  field(
    t.Unsafe<string>(t.Any({ accepts: { type: "string" } })),
    "Only those with this tag: its name, or `name:value`. Repeat it for several tags, all of which they must have.",
  ),
);

/** Name and value of a filter tag; an empty value matches any. */
export type WantedTag = { name: string; value: string };

/** Parses filter tags. @throws {AppError} validation when there are too many, or a tag is too long */
export const parseTagFilter = (sent: readonly string[]): WantedTag[] => {
  if (sent.length > TAG_LIMITS.perTarget || sent.some((text) => text.length > TAG_LIMITS.filter))
    throw validation([{ path: "tag", message: `tag: ${FILTER_ERROR}` }]);
  return sent.map((text) => parseTagText(text.normalize("NFC")));
};

/** Every `tag` in the address of a request. @throws {AppError} validation */
export const readTagFilter = ({ url }: Request): WantedTag[] =>
  url.includes("tag=") ? parseTagFilter(new URL(url).searchParams.getAll("tag")) : [];

export const tagModel = t.Object({ name: t.Optional(tagName), color: t.Optional(field(colourField, "Its colour.")) });
