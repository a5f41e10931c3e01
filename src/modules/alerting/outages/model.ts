import { t } from "elysia";
import { field, oneOf, whole } from "../../../server/schema";

export const outagesQuery = t.Object({
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
  open: t.Optional(field(oneOf(["1"]), "1: only outages that have not ended.")),
  before: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "Only outages older than the one with this id: `next` of the previous page.",
    ),
  ),
  limit: t.Optional(field(whole(1, 100), "The size of the page: 1 to 100; 50 by default.", 20)),
});
