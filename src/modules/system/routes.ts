import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { describe } from "../../server/answers";
import { requireAdmin, signedIn } from "../accounts/guard";
import { System } from "./model";
import { readSystem } from "./service";

/** The state of the hub itself, for administrators. `isHealthy` is what GET /health answers by. */
export const systemRoutes = (deps: Deps, isHealthy: () => Promise<boolean>) =>
  new Elysia({ prefix: "/api/system", tags: ["System"] })
    .use(signedIn(deps))
    .derive(requireAdmin)
    .get("/", () => readSystem(deps, isHealthy), {
      detail: describe({
        id: "getSystem",
        summary: "Get the state of the hub",
        description:
          "Its version, database, work, instances and settings, and what may need attention. For administrators. Secrets are only said to be set or not.",
        access: "admin",
        answer: { description: "The state. What is not known is null.", schema: System },
      }),
    });
