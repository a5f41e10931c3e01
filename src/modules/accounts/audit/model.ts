import { t } from "elysia";
import { field, timeField, whole } from "../../../server/schema";

export const auditQuery = t.Object({
  object: t.Optional(
    field(
      t.String({ maxLength: 200 }),
      "Only changes of this object, as its kind and id, or of all objects of a kind; several, at most 10, with commas.",
      "monitor:12",
    ),
  ),
  user: t.Optional(field(t.String({ maxLength: 64 }), "Only changes by the user with exactly this name.")),
  from: timeField("Only changes since then."),
  to: timeField("Only changes before then."),
  before: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "Only changes older than the one with this id: `next` of the previous page.",
    ),
  ),
  limit: t.Optional(field(whole(1, 200), "The size of the page: 1 to 200; 50 by default.")),
});
