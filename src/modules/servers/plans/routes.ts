import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, list, ok } from "../../../server/answers";
import type { idParam } from "../../../server/schema";
import { signedIn } from "../../accounts/guard";
import { trafficQuery } from "../model";
import { findServer } from "../service";
import { readTrafficHistory, TrafficHistory } from "../traffic/present";
import { Cost, readCosts } from "./costs";

/** What servers transfer and cost. */
export const planRoutes = (deps: Deps, params: ReturnType<typeof idParam>) =>
  new Elysia()
    .use(signedIn(deps))
    .get("/costs", async ({ user }) => ({ success: true as const, costs: await readCosts(deps, user.teamId) }), {
      detail: describe({
        id: "getCosts",
        summary: "Get the costs of servers",
        description: "What your own servers with a price cost a year, by currency; at most 100.",
        access: "user",
        answer: { description: "The costs.", schema: ok({ costs: list(Cost) }) },
      }),
    })
    .guard({ params })
    .get(
      "/:id/traffic",
      async ({ user, params, query }) => {
        const agent = await findServer(deps, user, params.id);
        return { success: true as const, ...(await readTrafficHistory(deps, agent, query.months ?? 12)) };
      },
      {
        query: trafficQuery,
        detail: describe({
          id: "getTraffic",
          summary: "Get a server's traffic",
          description:
            "By the months of its plan, or of the calendar in its owner's time zone. Days are kept for 400 days. A server whose agent reports no counters has none.",
          access: "user",
          answer: { description: "The traffic.", schema: ok(TrafficHistory) },
        }),
      },
    );
