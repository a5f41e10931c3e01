/** The maintenance of a page in Statuspage's form: occurrences of the windows that are about its components. */
import type { Deps } from "../../../core/deps";
import { isoTime } from "../../../lib/time";
import { DAY } from "../../../shared/limits";
import { readScheduled, type Scheduled } from "../../alerting/maintenance/running";
import type { PageComponent } from "../pages/components";
import type { PageRow } from "../pages/find";
import { derivedKey } from "./components";
import type { Presented } from "./incidents";
import type { StatuspageMaintenance } from "./shapes";

/** Occurrences that ended at most so long ago, or begin so soon, and how many of these at most. */
const [BEHIND, AHEAD, MAX_LISTED] = [14 * DAY, 30 * DAY, 50];

/** The id of an occurrence of a window. */
export const maintenanceKey = (page: Pick<PageRow, "key">, windowId: number, from: number): string =>
  derivedKey(`maintenance ${page.key} ${windowId} ${from}`);

/** The targets and tags of components. */
export const targetsOf = (components: readonly PageComponent[]) => {
  const ids = (part: "monitors" | "agents") => [...new Set(components.flatMap(({ members }) => members[part]))];
  const tags = [...new Set(components.flatMap(({ row }) => row.target.tag ?? []))];
  return { monitors: ids("monitors"), agents: ids("agents"), tags };
};

/** The components that an occurrence is about. */
export const affectedBy = (
  components: readonly PageComponent[],
  { monitors, agents, tags }: Scheduled,
): PageComponent[] => {
  const isAbout = { monitors: new Set(monitors), agents: new Set(agents) };
  return components.filter(
    ({ row, members }) =>
      (row.target.tag !== null && tags.includes(row.target.tag)) ||
      members.monitors.some((one) => isAbout.monitors.has(one)) ||
      members.agents.some((one) => isAbout.agents.has(one)),
  );
};

/** The maintenance of a page, the latest first. */
export const readMaintenances = async (
  store: Pick<Deps, "db" | "clock">,
  page: PageRow,
  components: readonly PageComponent[],
  presented: Presented,
): Promise<StatuspageMaintenance[]> => {
  const now = store.clock.now();
  const found = await readScheduled(store, page.teamId, targetsOf(components), { from: now - BEHIND, to: now + AHEAD });
  const ahead = found.filter(({ from }) => from > now).slice(0, MAX_LISTED);
  const begun = found.filter(({ from }) => from <= now).slice(-MAX_LISTED);
  return [...begun, ...ahead].reverse().map((occurrence) => {
    const { windowId, title, from, to } = occurrence;
    const id = maintenanceKey(page, windowId, from);
    const status: StatuspageMaintenance["status"] = from > now ? "scheduled" : to > now ? "in_progress" : "completed";
    const affected = affectedBy(components, occurrence);
    const name = title || "Scheduled maintenance";
    const [begins, ends] = [isoTime(from), isoTime(to)];
    const changed = status === "scheduled" ? isoTime(Math.min(from, now)) : status === "completed" ? ends : begins;
    const update = {
      ...{ id: derivedKey(`update ${id} ${status}`), status, body: name, incident_id: id },
      ...{ created_at: changed, updated_at: changed, display_at: changed },
      ...{ affected_components: null, deliver_notifications: false },
    };
    return {
      ...{ id, name, status, created_at: changed, updated_at: changed, monitoring_at: null },
      ...{ resolved_at: status === "completed" ? ends : null, impact: "maintenance", shortlink: presented.url },
      ...{ started_at: begins, page_id: page.key, incident_updates: [update] },
      components: affected.flatMap(({ row }) => presented.components.get(row.id) ?? []),
      ...{ scheduled_for: begins, scheduled_until: ends },
    };
  });
};
