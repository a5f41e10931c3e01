import type { Overall } from "../status-page";
import type { IncidentImpact } from "./incidents";

/** `affected` while only an incident says that something is wrong; `unchecked` and `nothing` while there is no result, or no item. */
export type PageState = Overall | "affected" | "unknown" | "unchecked" | "nothing";

type Unknown = { unknown: { since: string } | null };
type Page = Unknown & {
  overall: Overall | null;
  incidents: readonly { resolved_at: string | null; impact: IncidentImpact }[];
  monitors: readonly Unknown[];
  agents: readonly Unknown[];
  components?: readonly Unknown[];
};

/** The state of a whole page. Its banner, its badge and its frame on other sites all show this one. */
export const pageState = ({ overall, unknown, incidents, monitors, agents, components = [] }: Page): PageState => {
  const isFelt = incidents.some(({ resolved_at, impact }) => resolved_at === null && impact !== "none");
  if (overall) return overall === "operational" && isFelt ? "affected" : overall;
  const items = [...monitors, ...agents, ...components];
  if (unknown || items.some((item) => item.unknown)) return "unknown";
  return items.length > 0 ? "unchecked" : "nothing";
};
