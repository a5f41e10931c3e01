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

/** The id of an occurrence of a window. `scheduled` is its start by the schedule alone. */
export const maintenanceKey = (page: Pick<PageRow, "key">, windowId: number, scheduled: number): string =>
  derivedKey(`maintenance ${page.key} ${windowId} ${scheduled}`);

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

type Shown = Omit<Scheduled, "monitors" | "agents" | "tags" | "planned"> & {
  components: StatuspageMaintenance["components"];
};

/** An occurrence of a window. A cancelled one is `completed` before it begins, because Statuspage has no other status for it. */
export const presentMaintenance = (
  page: PageRow,
  { windowId, title, scheduled, from, to, createdAt, updatedAt, components }: Shown,
  { url, now, cancelledAt }: { url: string; now: number; cancelledAt?: number },
): StatuspageMaintenance => {
  const id = maintenanceKey(page, windowId, scheduled);
  const isOver = cancelledAt !== undefined || to <= now;
  const status: StatuspageMaintenance["status"] = isOver ? "completed" : from > now ? "scheduled" : "in_progress";
  const name = title || "Scheduled maintenance";
  const reachedAt = cancelledAt ?? (isOver ? to : from > now ? createdAt : from);
  const [reached, changed] = [isoTime(reachedAt), isoTime(isOver ? reachedAt : Math.max(reachedAt, updatedAt))];
  const update = {
    ...{ id: derivedKey(`update ${id} ${status}`), status, incident_id: id },
    body: cancelledAt === undefined ? name : `${name}: cancelled`,
    ...{ created_at: reached, updated_at: changed, display_at: reached },
    ...{ affected_components: null, deliver_notifications: false },
  };
  return {
    ...{ id, name, status, created_at: isoTime(createdAt), updated_at: changed, monitoring_at: null },
    ...{ resolved_at: isOver ? changed : null, impact: "maintenance", shortlink: url },
    ...{ started_at: isoTime(from), page_id: page.key, incident_updates: [update], components },
    ...{ scheduled_for: isoTime(from), scheduled_until: isoTime(to) },
  };
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
    const affected = affectedBy(components, occurrence);
    const shown = affected.flatMap(({ row }) => presented.components.get(row.id) ?? []);
    return presentMaintenance(page, { ...occurrence, components: shown }, { url: presented.url, now });
  });
};
