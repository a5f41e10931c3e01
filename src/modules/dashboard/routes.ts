import { Elysia } from "elysia";
import { version } from "../../build-info";
import type { Deps } from "../../core/deps";
import { isoTime } from "../../lib/time";
import { listAgents } from "../agents/service";
import { signedIn } from "../auth/guard";
import type { createConnectivity } from "../monitors/engine/connectivity";
import { listMonitors } from "../monitors/list";

export type ConnectivityState = Pick<ReturnType<typeof createConnectivity>, "state">;

/** There is room for a few: those that need somebody to look at them. */
const FIRST = { limit: 3, urgentFirst: true };

export const dashboardRoutes = (deps: Deps, connectivity: ConnectivityState) =>
  new Elysia({ prefix: "/dashboard" }).use(signedIn(deps)).get("/", async ({ user, reads }) => {
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
  });
