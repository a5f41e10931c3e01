/** The monitors and servers that a report is about. */
import type { Deps } from "../../core/deps";
import { notFound } from "../../core/errors";
import type { Owner, Viewer } from "../../db/owner";
import type { TargetType } from "../../shared/notifications";
import { readReportMonitors } from "../monitors/history/report-rows";
import { type ReportServer, readReportServers } from "../servers/report-rows";
import type { Scope } from "./model";

/** The monitors and servers that a team's status page shows. */
export type ReadPageTargets = (
  store: Pick<Deps, "db">,
  teamId: number,
) => Promise<Record<TargetType, readonly number[]>>;

/** Monitors, and servers, of one report. */
const MAX_TARGETS = 1000;

export type Target = Owner & { type: TargetType; id: number; name: string };
type Monitor = Awaited<ReturnType<typeof readReportMonitors>>["rows"][number];
export type Targets = {
  all: readonly Target[];
  monitors: readonly Monitor[];
  servers: readonly ReportServer[];
  /** How many there are, also those beyond MAX_TARGETS. */
  total: number;
};

const NONE: readonly number[] = [];

const selectionsOf = async (
  deps: Pick<Deps, "db">,
  viewer: Viewer,
  scope: Scope,
  readPageTargets: ReadPageTargets,
): Promise<Record<TargetType, Parameters<typeof readReportMonitors>[2]>> => {
  switch (scope.kind) {
    case "all":
      return { monitor: {}, agent: {} };
    case "tag":
      return { monitor: { tag: scope.tag }, agent: { tag: scope.tag } };
    case "page": {
      const ids = await readPageTargets(deps, viewer.teamId);
      return { monitor: { ids: ids.monitor }, agent: { ids: ids.agent } };
    }
    case "target":
      return {
        monitor: { ids: scope.type === "monitor" ? [scope.id] : NONE },
        agent: { ids: scope.type === "agent" ? [scope.id] : NONE },
      };
  }
};

/**
 * The targets of a scope that a viewer sees.
 * @throws {AppError} not_found for one target that does not exist, is deleted or is another user's
 */
export const readTargets = async (
  deps: Pick<Deps, "db">,
  viewer: Viewer,
  scope: Scope,
  readPageTargets: ReadPageTargets,
): Promise<Targets> => {
  const selections = await selectionsOf(deps, viewer, scope, readPageTargets);
  const monitors = await readReportMonitors(deps, viewer, selections.monitor, MAX_TARGETS);
  const servers = await readReportServers(deps, viewer, selections.agent, MAX_TARGETS);
  const toTarget =
    (type: TargetType) =>
    ({ id, userId, teamId, name }: Omit<Target, "type">): Target => ({ type, id, userId, teamId, name });
  const all = [...monitors.rows.map(toTarget("monitor")), ...servers.rows.map(toTarget("agent"))];
  if (scope.kind === "target" && all.length === 0) throw notFound(scope.type === "monitor" ? "Monitor" : "Agent");
  return { all, monitors: monitors.rows, servers: servers.rows, total: monitors.total + servers.total };
};

/** The ids of targets by their kind. */
export const idsOf = (targets: readonly Target[]): Record<TargetType, number[]> => ({
  monitor: targets.flatMap(({ type, id }) => (type === "monitor" ? [id] : [])),
  agent: targets.flatMap(({ type, id }) => (type === "agent" ? [id] : [])),
});
