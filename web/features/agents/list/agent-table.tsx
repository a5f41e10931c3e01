import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { OwnerTag } from "../../../ui/feedback/badge";
import { ItemActions } from "../../../ui/lists/item-actions";
import { Addresses } from "../addresses";
import { AgentBadge } from "../agent-status";
import type { Agent } from "../api";

const columns = ["name", "host", "ip", "status", "os", "version"] as const;

/** The table of servers around the body with their rows. */
export function AgentTable({ body }: { body: ReactNode }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="card table-card" aria-label={t("agents.title")} tabIndex={0}>
      <table className="agent-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={`${column}-column`}>
                {t(`agents.column.${column}`)}
              </th>
            ))}
            <th scope="col" className="actions-column number">
              {t("agents.column.actions")}
            </th>
          </tr>
        </thead>
        {body}
      </table>
    </section>
  );
}

type Props = { agent: Agent; onDelete: (agent: Agent) => void };

export const AgentRow = memo(function AgentRow({ agent, onDelete }: Props) {
  const { id, name, hostname, ip_addresses, status, os, version } = agent;
  return (
    <tr>
      <th scope="row">
        <div className="named">
          <Link href={paths.agent(id)} title={name} className="truncate">
            {name}
          </Link>
          <OwnerTag owner={agent.owner} />
        </div>
      </th>
      <td className="truncate" title={hostname}>
        {hostname}
      </td>
      <td className="truncate">
        <Addresses addresses={ip_addresses} short />
      </td>
      <td>
        <AgentBadge status={status} />
      </td>
      <td className="truncate soft" title={os}>
        {os}
      </td>
      <td className="truncate soft" title={version}>
        {version}
      </td>
      <td>
        <div className="row-actions">
          <ItemActions
            name={name}
            viewAt={paths.agent(id)}
            editAt={paths.agentEdit(id)}
            onDelete={() => onDelete(agent)}
          />
        </div>
      </td>
    </tr>
  );
});
