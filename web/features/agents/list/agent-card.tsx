import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Ago } from "../../../ui/feedback/ago";
import { OwnerTag } from "../../../ui/feedback/badge";
import { ItemActions } from "../../../ui/lists/item-actions";
import { Addresses } from "../addresses";
import { AgentBadge, statusTones, toAgentStatus } from "../agent-status";
import type { Agent } from "../api";
import { ResourceBars } from "../resources";

type Props = { agent: Agent; onDelete?: (agent: Agent) => void; heading?: "h2" | "h3" };

export const AgentCard = memo(function AgentCard({ agent, onDelete, heading: Heading = "h3" }: Props) {
  const { t } = useTranslation();
  const { id, name, hostname, ip_addresses, status, os, updated_at } = agent;
  const agentStatus = toAgentStatus(status);

  return (
    <article className={`card item-card agent-card ${agentStatus} ${statusTones[agentStatus]}`}>
      <header>
        <div>
          <div className="named">
            <Heading className="truncate">
              <Link href={paths.agent(id)} title={name}>
                {name}
              </Link>
            </Heading>
            <OwnerTag owner={agent.owner} />
          </div>
          <p className="soft small host">
            <span className="truncate" title={hostname}>
              {hostname}
            </span>
            {ip_addresses.length > 0 && <Addresses addresses={ip_addresses} short />}
          </p>
        </div>
        <AgentBadge status={status} />
      </header>
      <ResourceBars agent={agent} />
      <p className="soft small about">
        <span className="truncate" title={os}>
          {os}
        </span>
        <span>{updated_at ? <Ago time={updated_at} /> : t("agents.never")}</span>
      </p>
      {onDelete && (
        <footer>
          <ItemActions
            name={name}
            viewAt={paths.agent(id)}
            editAt={paths.agentEdit(id)}
            onDelete={() => onDelete(agent)}
            viewAsText
          />
        </footer>
      )}
    </article>
  );
});
