import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { PublicAgent } from "../../../src/modules/status-page/sections/agents";
import { ResourceBar } from "../../ui/charts/resource-bar";
import { Badge } from "../../ui/feedback/badge";
import { usePageFormat } from "../../ui/hooks/use-page-format";
import { incidentSections as lazy } from "./incidents/registry";
import { Since, Until } from "./since";

/** KB/s that fill the network's bar. */
const FULL_NETWORK = 51.2;
const tones = {
  active: "up",
  inactive: "down",
  connecting: "pending",
  unknown: "unknown",
  maintenance: "maintenance",
} as const;

function Resources({ agent }: { agent: PublicAgent }) {
  const { t } = useTranslation();
  const format = usePageFormat();
  const { network_rx, network_tx } = agent;
  const rate = (network_rx ?? 0) + (network_tx ?? 0);
  return (
    <div className="resources">
      {(["cpu", "memory", "disk"] as const).map((name) => {
        const percent = agent[name];
        if (percent === null) return null;
        return (
          <ResourceBar
            key={name}
            label={t(`statusPage.resource.${name}`)}
            percent={percent}
            text={format.share(percent)}
          />
        );
      })}
      {(network_rx !== null || network_tx !== null) && (
        <ResourceBar
          label={t("statusPage.resource.network")}
          percent={(rate / FULL_NETWORK) * 100}
          text={t("statusPage.rates", { received: format.rate(network_rx), sent: format.rate(network_tx) })}
          neutral
        />
      )}
    </div>
  );
}

/** Details that the owner switched on, or nothing. */
function Facts({ agent }: { agent: PublicAgent }) {
  const { t } = useTranslation();
  const facts = (["os", "version", "hostname"] as const).filter(
    (name) => agent[name] !== undefined && (name !== "hostname" || agent[name] !== agent.name),
  );
  if (facts.length === 0) return null;
  return (
    <dl className="host-facts">
      {facts.map((name) => (
        <div key={name}>
          <dt>{t(`statusPage.facts.${name}`)}</dt>
          <dd>{agent[name] || "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One server: its name, state, resources and facts. Memoized: a refresh draws only what changed. */
export const ServerRow = memo(function ServerRow({ agent }: { agent: PublicAgent }) {
  const { t } = useTranslation();
  const { name, unknown, maintenance, cpu, memory, component_status } = agent;
  const status = unknown ? "unknown" : maintenance ? "maintenance" : agent.status;
  // Maintenance has its end, unless an incident gives another state and its start.
  const isMaintained = status === "maintenance" && (component_status ?? "under_maintenance") === "under_maintenance";
  const since =
    component_status && !isMaintained ? agent.since : (unknown?.since ?? (isMaintained ? null : agent.since));
  const isStated = component_status !== undefined && component_status !== "operational";
  const tone = tones[status];
  return (
    <article className={`card host ${status} ${tone}${isStated ? " stated" : ""}`}>
      <div className="card-head">
        <h3>{name}</h3>
        <span className="state">
          {component_status && lazy.Stated ? (
            <lazy.Stated item={agent} />
          ) : (
            <Badge tone={tone}>
              {status === "unknown" || status === "maintenance"
                ? t(`common.status.${status}`)
                : t(`statusPage.serverStatus.${status}`)}
            </Badge>
          )}
          {since && <Since since={since} />}
          {isMaintained && maintenance && <Until time={maintenance.until} />}
        </span>
      </div>
      {cpu !== null && memory !== null && <Resources agent={agent} />}
      <Facts agent={agent} />
    </article>
  );
});
