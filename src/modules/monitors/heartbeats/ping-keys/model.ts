import { t } from "elysia";
import { TOKEN } from "../rows";

/** A ping key in a body. */
export const pingKeyField = t.String({
  maxLength: 64,
  pattern: TOKEN.source,
  error: "expected 10 to 64 letters, digits, hyphens or underscores",
});
