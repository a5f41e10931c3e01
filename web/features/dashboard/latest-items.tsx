import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { Empty } from "../../ui/feedback/empty";
import type { Agent } from "../agents/api";
import { AgentCard } from "../agents/list/agent-card";
import type { Monitor } from "../monitors/api";
import { MonitorCard } from "../monitors/list/monitor-card";

export function MonitorSection({ monitors }: { monitors: Monitor[] }) {
  const { t } = useTranslation();
  return (
    <section>
      <div className="section-head">
        <h2>{t("dashboard.monitors.title")}</h2>
        <Link href={paths.monitors}>{t("dashboard.monitors.all")}</Link>
      </div>
      {monitors.length === 0 ? (
        <Empty icon="pulse" title={t("monitors.empty.title")} text={t("monitors.empty.text")}>
          <Link href={paths.monitorCreate} className="button">
            <Icon name="plus" />
            {t("dashboard.welcome.addMonitor")}
          </Link>
        </Empty>
      ) : (
        <ul className="card-grid">
          {monitors.slice(0, 3).map((monitor) => (
            <li key={monitor.id}>
              <MonitorCard monitor={monitor} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function AgentSection({ agents }: { agents: Agent[] }) {
  const { t } = useTranslation();
  return (
    <section>
      <div className="section-head">
        <h2>{t("dashboard.agents.title")}</h2>
        <Link href={paths.agents}>{t("dashboard.agents.all")}</Link>
      </div>
      {agents.length === 0 ? (
        <Empty icon="server" title={t("dashboard.agents.empty")} text={t("dashboard.agents.emptyText")}>
          <Link href={paths.agentCreate} className="button plain">
            <Icon name="plus" />
            {t("dashboard.agents.add")}
          </Link>
        </Empty>
      ) : (
        <ul className="card-grid">
          {agents.slice(0, 3).map((agent) => (
            <li key={agent.id}>
              <AgentCard agent={agent} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
