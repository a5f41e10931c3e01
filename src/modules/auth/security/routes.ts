import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { oneOf, whole } from "../../../server/schema";
import { SECURITY_EVENTS } from "../../../shared/security-events";
import { requireAdmin, requireSession, signedIn } from "../guard";
import { readSecurityLog } from "./read";

const query = t.Object({
  before: t.Optional(whole(1, Number.MAX_SAFE_INTEGER)),
  limit: t.Optional(whole(1, 200)),
  kind: t.Optional(oneOf(SECURITY_EVENTS)),
  user: t.Optional(t.String({ maxLength: 64 })),
});

/** The security log, for administrators who signed in. */
export const securityRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireAdmin)
    .derive(requireSession)
    .get("/security-log", async ({ query }) => ({ success: true as const, ...(await readSecurityLog(deps, query)) }), {
      query,
    });
