import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { integer, list, nullable, ok } from "../../../server/answers";
import { describe } from "../../../server/describe";
import { field, oneOf, whole } from "../../../server/schema";
import { SECURITY_EVENTS } from "../../../shared/security-events";
import { requireAdmin, requireSession, signedIn } from "../guard";
import { readSecurityLog, SecurityLogEntry } from "./read";

const query = t.Object({
  before: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "Only entries older than the one with this id: `next` of the previous page.",
    ),
  ),
  limit: t.Optional(field(whole(1, 200), "The size of the page: 1 to 200; 50 by default.")),
  kind: t.Optional(field(oneOf(SECURITY_EVENTS), "Only entries of this kind.")),
  user: t.Optional(field(t.String({ maxLength: 64 }), "Only entries with exactly this username.")),
});

/** The security log, for administrators who signed in. */
export const securityRoutes = (deps: Deps) =>
  new Elysia({ tags: ["Accounts"] })
    .use(signedIn(deps))
    .derive(requireAdmin)
    .derive(requireSession)
    .get("/security-log", async ({ query }) => ({ success: true as const, ...(await readSecurityLog(deps, query)) }), {
      query,
      detail: describe({
        id: "readSecurityLog",
        summary: "List security log entries",
        description:
          "Sign-ins, refused sign-ins, and changes to accounts, keys, enrollment tokens and channels of the last 90 days, newest first. For administrators. Rate-limited sign-ins of one address within a minute are one entry.",
        access: "session",
        answer: {
          description: "A page of the log.",
          schema: ok({
            entries: list(SecurityLogEntry),
            next: nullable(integer("`before` of the next page; null on the last one.", 17)),
          }),
        },
        refusals: ["forbidden"],
      }),
    });
