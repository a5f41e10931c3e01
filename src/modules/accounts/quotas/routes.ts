import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, ok } from "../../../server/answers";
import { signedIn } from "../guard";
import { Quotas, readQuotas } from "./service";

/** The caller's quotas and their usage. */
export const quotaRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/quotas", tags: ["System"] })
    .use(signedIn(deps))
    .get("/", async ({ user }) => ({ success: true as const, quotas: await readQuotas(deps, user) }), {
      detail: describe({
        id: "getQuotas",
        summary: "Get your quotas",
        description:
          "How many monitors, servers, channels, API keys and unused enrollment tokens a user may have, and has. Creating one more is refused with `quota_reached`. Administrators have no quotas.",
        access: "user",
        answer: {
          description: "The quotas and their usage; null for an administrator.",
          schema: ok({ quotas: Quotas }),
        },
      }),
    });
