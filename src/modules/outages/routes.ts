import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { describe, integer, list, nullable, ok } from "../../server/answers";
import { signedIn } from "../auth/guard";
import { acknowledgeRoutes } from "./acknowledge/routes";
import { outagesQuery } from "./model";
import { Outage, readOutages } from "./service";

export const outageRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/outages", tags: ["Outages"] })
    .use(acknowledgeRoutes(deps))
    .use(signedIn(deps))
    .get("/", async ({ user, query }) => ({ success: true as const, ...(await readOutages(deps, user, query)) }), {
      query: outagesQuery,
      detail: describe({
        id: "listOutages",
        summary: "List outages",
        description:
          "Intervals during which a monitor is down, or a server is offline or above a threshold: your own, newest first; administrators see every user's. Pausing a monitor ends its outage. Outages are kept as long as hourly sums of checks, open ones always.",
        access: "user",
        answer: {
          description: "A page of outages.",
          schema: ok({
            outages: list(Outage),
            next: nullable(integer("`before` of the next page; null on the last one.", 12)),
          }),
        },
      }),
    });
