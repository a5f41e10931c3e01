import { t } from "elysia";
import { field, oneOf } from "../../../server/schema";
import { LIMITS } from "../../../shared/limits";

export const SCOPES = ["read", "full"] as const;

export const keyModel = t.Object({
  name: field(
    t.String({
      pattern: "^\\s*\\S",
      maxLength: LIMITS.keyName,
      error: `expected 1 to ${LIMITS.keyName} characters`,
    }),
    "What the key is for.",
    "Backup script",
  ),
  scope: field(oneOf(SCOPES), "`read` for GET only, `full` for everything that does not require a session.", "read"),
  expires_in_days: t.Optional(
    field(
      t.Union([t.Integer({ minimum: 1, maximum: 3650 }), t.Null()], {
        error: "expected 1 to 3650 days, or null for never",
      }),
      "Days until the key expires; it never does when this is null or left out. An expired key is listed for 30 more days.",
    ),
  ),
});
