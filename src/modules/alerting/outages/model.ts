import { type Static, t } from "elysia";
import { field, oneOf, timeField, whole, zoneField } from "../../../server/schema";
import { OUTAGE_KINDS } from "../../../shared/notifications";
import { tagFilter, type WantedTag } from "../../tags/model";

/** The filter of outages in a request. */
const filterFields = {
  from: timeField("Only outages that lasted at this time or began after it.", "2026-01-01T00:00:00Z"),
  to: timeField("Only outages that began before this time.", "2026-02-01T00:00:00Z"),
  target: t.Optional(
    field(
      t.String({
        pattern: "^(monitor|agent):[1-9][0-9]{0,14}$",
        maxLength: 23,
        error: "expected monitor: or agent: and an id",
      }),
      "Only outages of this monitor or server: `monitor:` or `agent:` and its id.",
      "monitor:3",
    ),
  ),
  open: t.Optional(field(oneOf(["0", "1"]), "1: only outages that have not ended; 0: only those that have.")),
  tag: tagFilter,
  kind: t.Optional(
    field(
      t.String({ maxLength: 500, error: `expected kinds with commas between them: ${OUTAGE_KINDS.join(", ")}` }),
      "Only outages of these kinds, with commas between them.",
      "down,offline",
    ),
  ),
  channel: t.Optional(
    field(whole(1, Number.MAX_SAFE_INTEGER), "Only outages that this channel of yours was notified of.", 2),
  ),
  acknowledged: t.Optional(
    field(oneOf(["0", "1"]), "1: only outages that are acknowledged, or were when they ended; 0: only the others."),
  ),
};
const filterModel = t.Object(filterFields);
export type OutageFilter = Omit<Static<typeof filterModel>, "tag"> & { tags?: readonly WantedTag[] };

export const listQuery = t.Object({
  ...filterFields,
  before: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "Only outages after the one with this id in the list: `next` of the previous page.",
    ),
  ),
  limit: t.Optional(field(whole(1, 100), "The size of the page: 1 to 100; 50 by default.", 20)),
});

export const summaryQuery = t.Object({
  ...filterFields,
  zone: zoneField("The time zone whose midnights divide the range into days; UTC by default."),
});

export const exportQuery = t.Object({
  ...filterFields,
  format: t.Optional(field(oneOf(["csv", "json"]), "The format of the file; csv by default.")),
});

/** Characters of a note at most. */
const MAX_NOTE = 4000;

export const noteModel = t.Object({
  text: field(
    t.String({ maxLength: MAX_NOTE, error: `expected a text of at most ${MAX_NOTE} characters` }),
    `The note, at most ${MAX_NOTE} characters; an empty one deletes it.`,
    "The disk was full; it is larger now.",
  ),
});
