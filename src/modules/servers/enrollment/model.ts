import { t } from "elysia";
import { field, whole } from "../../../server/schema";
import { ENROLLMENT_LIMITS } from "../../../shared/agents/enrollment";

export const tokenModel = t.Object(
  {
    uses: t.Optional(
      field(
        whole(1, ENROLLMENT_LIMITS.uses, " machines"),
        "How many machines may enroll with it; 1 when it is left out.",
        50,
      ),
    ),
    expires_at: t.Optional(
      field(
        t.String({ format: "date-time", maxLength: 40, error: "expected a time such as 2026-01-15T12:00:00Z" }),
        `When it expires, at most ${ENROLLMENT_LIMITS.days} days from now; in 24 hours when it is left out.`,
      ),
    ),
  },
  { mayBeMissing: true },
);
