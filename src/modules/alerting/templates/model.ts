import { type Static, t } from "elysia";
import { component, id, list, nullable, object, oneOf as oneOfText, record, text, time } from "../../../server/answers";
import { field, oneOf, whole } from "../../../server/schema";
import { LANGUAGES } from "../../../shared/language";
import { EVENT_KINDS } from "../../../shared/notifications";
import { TEMPLATE_LIMITS } from "../../../shared/template/variables";
import { BUILT_IN_ID } from "../channels/registry";
import { versionOf } from "../version";

const title = field(
  t.String({ maxLength: TEMPLATE_LIMITS.title, error: `expected at most ${TEMPLATE_LIMITS.title} characters` }),
  "The template of the first line.",
  "{{name}}: {{status}}",
);
const body = field(
  t.String({ maxLength: TEMPLATE_LIMITS.body, error: `expected at most ${TEMPLATE_LIMITS.body} characters` }),
  "The template of the rest. A line of which all variables are empty is left out.",
  "{{error}}\nsince {{since | time:HH:mm}}",
);
const channelId = field(
  t.Union([whole(BUILT_IN_ID, Number.MAX_SAFE_INTEGER), t.Null()]),
  "The channel that it is for; null for all.",
  null,
);
const event = field(t.Union([oneOf(EVENT_KINDS), t.Null()]), "The kind of event that it is for; null for all.", "down");

export const templateModel = t.Object({ channel_id: t.Optional(channelId), event: t.Optional(event), title, body });
export type TemplateBody = Static<typeof templateModel>;

export const textsModel = t.Object({ title, body, version: t.Optional(versionOf("template")) });
export type TextsBody = Static<typeof textsModel>;

export const previewModel = t.Object({
  event: t.Optional(event),
  language: t.Optional(
    field(oneOf(LANGUAGES), "The language of the values; that of the user’s alerts if absent.", "en-US"),
  ),
  title,
  body,
});
export type PreviewBody = Static<typeof previewModel>;

/** A template that a user has written. */
export const OwnTemplate = component("OwnTemplate", {
  id: id("The template's id.", 4),
  channel_id: nullable(id("The channel that it is for; null for all.", 2), null),
  event: nullable(oneOfText("The kind of event that it is for; null for all.", EVENT_KINDS)),
  title: text("The template of the first line.", "{{name}}: {{status}}"),
  body: text("The template of the rest.", "{{error}}\nsince {{since | time:HH:mm}}"),
  updated_at: time("When it was last changed."),
});

export const Preview = object({
  title: text("The first line for an example event.", "Shop: Down"),
  lines: list(text("A line of the rest, with the links after it.", "status 503, expected 200")),
  values: record(
    text("The text of a variable.", "Shop"),
    "The variables of the example event that are not empty.",
    "name",
  ),
});
