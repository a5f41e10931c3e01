import { t } from "elysia";
import { field, oneOf } from "../../../server/schema";
import { PAGE_ACCESS, PAGE_PASSWORD } from "../../../shared/status/access";
import { DOMAIN_LIMITS } from "../../../shared/status/domains";

/** The fields of a request. */
export const accessModel = {
  access: t.Optional(
    field(oneOf(PAGE_ACCESS), "Who may read it: everyone, people with its password, or members of its team.", "public"),
  ),
  password: t.Optional(
    field(
      t.String({
        minLength: PAGE_PASSWORD.min,
        maxLength: PAGE_PASSWORD.max,
        error: `expected a password of ${PAGE_PASSWORD.min} to ${PAGE_PASSWORD.max} characters`,
      }),
      "A new password, with `access: password`. Visitors with the previous one have to enter it.",
    ),
  ),
  domains: t.Optional(
    field(
      t.Array(t.String({ maxLength: DOMAIN_LIMITS.length }), {
        maxItems: DOMAIN_LIMITS.perPage,
        error: `expected a list of at most ${DOMAIN_LIMITS.perPage} domains`,
      }),
      "Own domains, which answer this page only. Links use the first one.",
      ["status.example.com"],
    ),
  ),
  title_public: t.Optional(
    field(
      t.Boolean({ error: "expected true or false" }),
      "Whether a private page shows its title to visitors without access.",
    ),
  ),
};
