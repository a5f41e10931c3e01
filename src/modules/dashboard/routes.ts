import { Elysia } from "elysia";
import { version } from "../../build-info";
import type { Deps } from "../../core/deps";
import { isoTime } from "../../lib/time";
import { describe, integer, list, nullable, object, ok, oneOf, text } from "../../server/answers";
import { CONDITIONS } from "../../shared/monitor";
import { Agent } from "../agents/present";
import { listAgents } from "../agents/service";
import { signedIn } from "../auth/guard";
import type { createConnectivity } from "../monitors/engine/connectivity";
import { listMonitors } from "../monitors/list";
import { ListedMonitor } from "../monitors/present";

export type ConnectivityState = Pick<ReturnType<typeof createConnectivity>, "state">;

/** The number of items that the dashboard shows, those that need attention first. */
const FIRST = { limit: 3, sort: "status" } as const;

const description = describe({
  id: "getDashboard",
  summary: "Get an overview",
  access: "user",
  answer: {
    description:
      "Counts, and three monitors and three servers: first those that are down or offline, then those without a result.",
    schema: ok({
      monitors: object({
        up: integer("Monitors that are up.", 10),
        down: integer("Monitors that are down.", 1),
        pending: integer("Monitors that were not checked yet.", 0),
        paused: integer("Monitors that are paused.", 1),
        total: integer("Number of all monitors.", 12),
      }),
      agents: object({
        active: integer("Servers that report.", 3),
        inactive: integer("Servers that are offline.", 1),
        connecting: integer("Servers that have not reported yet.", 0),
        total: integer("Number of all servers.", 4),
      }),
      connectivity: nullable(
        oneOf("Whether the hub itself reaches CONNECTIVITY_TARGET; null when that is not set.", ["ok", "lost"]),
      ),
      version: text("The version of the program.", "1.2.3"),
      conditions: list(
        object({
          code: oneOf("What the hub lacks: working name servers, file descriptors, local ports or memory.", CONDITIONS),
          since: text("Since when.", "2026-01-15T12:20:00.000Z"),
        }),
      ),
      latest_monitors: list(ListedMonitor),
      latest_agents: list(Agent),
    }),
  },
});

export const dashboardRoutes = (deps: Deps, connectivity: ConnectivityState) =>
  new Elysia({ prefix: "/dashboard", tags: ["System"] }).use(signedIn(deps)).get(
    "/",
    async ({ user, reads }) => {
      const { counts, monitors } = await listMonitors(deps, { ...user, reads }, FIRST);
      const { all, ...statuses } = counts;
      const servers = await listAgents(deps, user, FIRST);
      const { all: allAgents, ...agentStatuses } = servers.counts;
      return {
        success: true as const,
        monitors: { ...statuses, total: all },
        agents: { ...agentStatuses, total: allAgents },
        connectivity: connectivity.state(),
        version,
        conditions: deps.outbound.conditions().map(({ code, since }) => ({ code, since: isoTime(since) })),
        latest_monitors: monitors,
        latest_agents: servers.agents,
      };
    },
    { detail: description },
  );
