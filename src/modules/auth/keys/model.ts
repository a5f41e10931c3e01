import { t } from "elysia";
import { oneOf } from "../../../server/schema";
import { LIMITS } from "../../../shared/limits";

export const keyModel = t.Object({
  name: t.String({
    pattern: "^\\s*\\S",
    maxLength: LIMITS.keyName,
    error: `expected 1 to ${LIMITS.keyName} characters`,
  }),
  scope: oneOf(["read", "full"]),
  expires_in_days: t.Optional(
    t.Union([t.Integer({ minimum: 1, maximum: 3650 }), t.Null()], {
      error: "expected 1 to 3650 days, or null for never",
    }),
  ),
});
