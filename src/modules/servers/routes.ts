import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import type { Viewer } from "../../db/owner";
import { ownerOf } from "../../db/owner";
import { describe, gapsField, integer, list, ok } from "../../server/answers";
import { idParam, parseChartSpan } from "../../server/schema";
import { signedIn } from "../accounts/guard";
import { dependencyRoutes } from "../alerting/dependencies/routes";
import { drillRoutes } from "../alerting/drill/routes";
import { alertsRoutes } from "../alerting/effective/routes";
import { maintenanceTimesField } from "../alerting/maintenance/running";
import { muteRoutes } from "../alerting/mutes/routes";
import { readTagFilter } from "../tags/model";
import { deleteServer, renameServer } from "./change";
import { tokenRoutes } from "./enrollment/routes";
import { MetricPoint, MetricSeries, metricsOf } from "./history/series";
import { serverCalls } from "./ingest/routes";
import { liveViewRoutes } from "./live-view/routes";
import { listQuery, metricsQuery, readWantedSeries, renameModel } from "./model";
import { planRoutes } from "./plans/routes";
import { Server, ServerDetail } from "./present";
import { findServer, ListCounts, listServers, readServer } from "./service";

const success = true as const;
const params = idParam("The server's id.");

const itemRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .get(
      "/",
      async ({ user, query, request }) => ({
        success,
        ...(await listServers(deps, user, { ...query, tags: readTagFilter(request) })),
      }),
      {
        query: listQuery,
        detail: describe({
          id: "listAgents",
          summary: "List servers",
          description: "Your own, in the order of their enrollment; administrators see every user's.",
          access: "user",
          answer: {
            description: "A page of servers.",
            schema: ok({
              total: integer("How many servers match, on all pages.", 1),
              counts: ListCounts,
              agents: list(Server),
            }),
          },
        }),
      },
    )
    .guard({ params })
    .get("/:id", async ({ user, params }) => ({ success, agent: await readServer(deps, user, params.id) }), {
      detail: describe({
        id: "getAgent",
        summary: "Get a server",
        description: "With its latest sample, state and plan.",
        access: "user",
        answer: { description: "The server.", schema: ok({ agent: ServerDetail }) },
      }),
    })
    .put(
      "/:id",
      async ({ user, params, body }) => {
        await renameServer(deps, await findServer(deps, user, params.id), body, user);
        return { success, agent: await readServer(deps, user, params.id) };
      },
      {
        body: renameModel,
        detail: describe({
          id: "renameAgent",
          summary: "Rename a server, and set its tags and its plan",
          description: "Tags and the plan stay when they are left out.",
          refusals: ["too_many_tags"],
          access: "user",
          answer: { description: "The server was renamed.", schema: ok({ agent: ServerDetail }) },
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteServer(deps, await findServer(deps, user, params.id), user);
        return { success };
      },
      {
        detail: describe({
          id: "deleteAgent",
          summary: "Delete a server",
          description: "Its history is deleted, too, and its agent stops at its next report.",
          access: "user",
          answer: { description: "The server was deleted.", schema: ok() },
        }),
      },
    )
    .get(
      "/:id/metrics",
      async ({ user, params, query, request }) => {
        const { agent } = await findServer(deps, user, params.id);
        const all = agent.series ?? [];
        const wanted = { all, wanted: readWantedSeries(request, all) };
        return { success, ...(await metricsOf(deps, params.id, parseChartSpan(query.range ?? "24h", query), wanted)) };
      },
      {
        query: metricsQuery,
        detail: describe({
          id: "getMetrics",
          summary: "Get a server's metrics",
          description: "For charts: the samples of a span are summed up in each point.",
          access: "user",
          answer: {
            description:
              "At most 400 points, oldest first. Spans without a sample have none. Of a range from one time to another, points are as short as the stored history and this number allow: ten seconds to one day.",
            schema: ok({
              points: list(MetricPoint),
              series: list(MetricSeries, "Those that were asked for, in that order."),
              gaps: gapsField,
              maintenance: maintenanceTimesField,
            }),
          },
        }),
      },
    );

export const serverRoutes = (deps: Deps, onChange: () => void) => {
  const findOwner = async (viewer: Viewer, id: number) => ownerOf((await findServer(deps, viewer, id)).agent);
  return new Elysia({ prefix: "/api/agents", tags: ["Servers"] })
    .use(serverCalls(deps, onChange))
    .use(tokenRoutes(deps))
    .use(itemRoutes(deps))
    .use(planRoutes(deps, params))
    .use(liveViewRoutes(deps))
    .use(muteRoutes(deps, "agent", params, findOwner))
    .use(dependencyRoutes(deps, "agent", params, findOwner))
    .use(drillRoutes(deps, "agent", params))
    .use(alertsRoutes(deps, "agent", params));
};
