/** What modules get of each other where they do not import it. */

import type { Deps } from "../../core/deps";
import { EVERYTHING } from "../../db/owner";
import {
  agents,
  alertPolicies,
  channels,
  enrollmentTokens,
  incidents,
  incidentTexts,
  maintenanceWindows,
  messageTemplates,
  monitors,
  outages,
  pingKeys,
  reportLinks,
  reportSchedules,
  statusPages,
  tags,
  thresholds,
  wallKeys,
} from "../../db/schema";
import { provideOwned } from "../../modules/accounts/owned";
import { provideTeamRows } from "../../modules/accounts/teams/rows";
import { countChannels } from "../../modules/alerting/channels/service";
import { provideTargets } from "../../modules/alerting/targets";
import type { ReadCounts } from "../../modules/live/counts";
import { countHeartbeats } from "../../modules/monitors/heartbeats/rows";
import { ownedMonitors } from "../../modules/monitors/history/checks";
import { monitorTargets } from "../../modules/monitors/history/targets";
import { countMonitors } from "../../modules/monitors/list";
import { countUsableTokens, revokeTokensOf } from "../../modules/servers/enrollment/tokens";
import { ownedServers } from "../../modules/servers/history/retention";
import { countServers } from "../../modules/servers/service";
import { serverTargets } from "../../modules/servers/targets";

provideOwned({
  monitors: ownedMonitors,
  servers: ownedServers,
  channels: { count: countChannels },
  enrollment_tokens: { count: countUsableTokens, revoke: revokeTokensOf },
});
provideTeamRows({
  "/api/monitors/:id": monitors,
  "/api/agents/:id": agents,
  "/api/agents/tokens/:id": enrollmentTokens,
  "/api/ping-keys/:id": pingKeys,
  "/api/tags/:id": tags,
  "/api/thresholds/:id": thresholds,
  "/api/outages/:id": outages,
  "/api/reports/links/:id": reportLinks,
  "/api/reports/schedules/:id": reportSchedules,
  "/api/windows/:id": maintenanceWindows,
  "/api/pages/:id": statusPages,
  "/api/incidents/:id": incidents,
  "/api/incidents/texts/:id": incidentTexts,
  "/api/walls/:id": wallKeys,
  "/api/channels/:id": channels,
  "/api/notifications/channels/:id": channels,
  "/api/notifications/policies/:id": alertPolicies,
  "/api/notifications/templates/:id": messageTemplates,
});
provideTargets({ monitor: monitorTargets, agent: serverTargets });

/** How many active monitors, heartbeats and servers the hub watches. */
export const countWatched = async (deps: Deps) => {
  const heartbeats = await countHeartbeats(deps);
  const { all, paused } = await countMonitors(deps, EVERYTHING);
  return { monitors: all - paused - heartbeats, heartbeats, servers: (await countServers(deps, EVERYTHING)).all };
};

/** The numbers of monitors and servers that open pages show. */
export const readCounts: ReadCounts = async (deps, viewer) => ({
  monitors: await countMonitors(deps, viewer),
  agents: await countServers(deps, viewer),
});
