import type { Deps } from "../../../core/deps";
import type { ComponentStatus } from "../../../shared/status/components";
import type { PageRow } from "../pages/find";
import type { StatuspageComponent, StatuspageIncident } from "./shapes";

/** The incidents of a page, and the statuses that its open ones give to components. */
type PageIncidents = {
  /** At most 50, the newest first. */
  incidents: StatuspageIncident[];
  /** By the id of the component's row. */
  statuses: ReadonlyMap<number, ComponentStatus>;
};

/** The presented components of a page, by the ids of their rows, and the address of the page. */
export type Presented = { components: ReadonlyMap<number, StatuspageComponent>; url: string };

/** Reads the statuses that open incidents give to components, and how their incidents are presented. */
export const readIncidents = async (
  _store: Pick<Deps, "db" | "clock">,
  _page: PageRow,
): Promise<{ statuses: PageIncidents["statuses"]; present: (presented: Presented) => StatuspageIncident[] }> => ({
  statuses: new Map(),
  present: () => [],
});
