import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { signedIn } from "../auth/guard";
import { readQuotas } from "./service";

/** What the caller may have at most, and has. */
export const quotaRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/quotas" })
    .use(signedIn(deps))
    .get("/", async ({ user }) => ({ success: true as const, quotas: await readQuotas(deps, user) }));
