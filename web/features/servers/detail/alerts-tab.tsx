import { DependenciesCard } from "../../notifications/dependencies/dependencies-card";
import { ThresholdsCard } from "../../notifications/thresholds/thresholds-card";
import type { ServerDetail } from "../api";

/** What decides about the alerts of a server. */
export function AlertsTab({ agent: { id, name, owner } }: { agent: ServerDetail }) {
  return (
    <div className="stack">
      {owner === undefined && <ThresholdsCard agentId={id} />}
      <DependenciesCard target={{ type: "agent", id, name }} />
    </div>
  );
}
