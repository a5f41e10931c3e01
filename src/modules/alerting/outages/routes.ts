import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, integer, list, nullable, ok } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { signedIn } from "../../accounts/guard";
import { acknowledgeRoutes } from "./acknowledge/routes";
import { outagesQuery } from "./model";
import { Outage, OutageDetail, readOutage, readOutages } from "./service";
import { readTimeline, TimelineEntry } from "./timeline";

export const outageRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/outages", tags: ["Outages"] })
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
    })
    .get(
      "/:id",
      async ({ user, params }) => {
        const { outage, row } = await readOutage(deps, user, params.id);
        return { success: true as const, outage, timeline: await readTimeline(deps, user, row) };
      },
      {
        params: idParam("The outage's id."),
        detail: describe({
          id: "getOutage",
          summary: "Get an outage",
          description:
            "With what happened during it, in order of time: how it began, failed checks in a row, what explains it, the messages about it and its end. Messages are those of your own targets.",
          access: "user",
          answer: {
            description: "The outage and its timeline.",
            schema: ok({ outage: OutageDetail, timeline: list(TimelineEntry) }),
          },
        }),
      },
    );
