import { memo } from "react";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { Ago } from "../../../ui/feedback/ago";
import { OwnerTag } from "../../../ui/feedback/badge";
import { RowMenu } from "../../../ui/lists/row-menu";
import { RowLink } from "../../../ui/lists/rows";
import { TagList } from "../../../ui/lists/tag-list";
import { MutedMark } from "../../notifications/mute/mute-menu";
import { Addresses } from "../addresses";
import type { Server } from "../api";
import { TrafficBar } from "../plan/traffic-cell";
import { ResourceBars } from "../resources";
import { hasAlerts, ServerBadge, shownServerStatus, statusTones } from "../server-status";
import { ServerMenu } from "./server-menu";

type Props = { agent: Server; onDelete?: (agent: Server) => void; heading?: "h2" | "h3" };

export const ServerCard = memo(function ServerCard({ agent, onDelete, heading: Heading = "h3" }: Props) {
  const { t } = useTranslation();
  const { id, name, hostname, ip_addresses, os, updated_at } = agent;
  const status = shownServerStatus(agent);

  return (
    <article className={`card item-card agent-card ${status} ${hasAlerts(agent) ? "degraded" : statusTones[status]}`}>
      <header>
        <div className="named">
          <Heading className="truncate">
            <RowLink href={paths.agent(id)} name={name} />
          </Heading>
          <OwnerTag of={agent} />
          <MutedMark of={agent} />
        </div>
        <ServerBadge agent={agent} />
        {onDelete && (
          <RowMenu name={name}>
            <ServerMenu agent={agent} onDelete={onDelete} />
          </RowMenu>
        )}
      </header>
      <p className="soft small host">
        {hostname !== name && (
          <span className="truncate" title={hostname}>
            {hostname}
          </span>
        )}
        {ip_addresses.length > 0 && <Addresses addresses={ip_addresses} short />}
      </p>
      <TagList tags={agent.tags} label={t("tags.title")} listAt={paths.agents} most={4} />
      <ResourceBars agent={agent}>
        <TrafficBar traffic={agent.traffic} />
      </ResourceBars>
      <p className="soft small about">
        <span className="truncate" title={os}>
          {os}
        </span>
        <span>{updated_at ? <Ago time={updated_at} /> : t("agents.never")}</span>
      </p>
    </article>
  );
});
