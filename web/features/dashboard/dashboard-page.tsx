import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { RefreshButton } from "../../ui/controls/refresh-button";
import { useAgo } from "../../ui/feedback/ago";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import type { Agent } from "../agents/api";
import { AgentCard } from "../agents/list/agent-card";
import type { Monitor } from "../monitors/api";
import { MonitorCard } from "../monitors/list/monitor-card";
import { type Dashboard, dashboardAtom } from "../problems/api";
import { ProblemBlock } from "../problems/problem-block";
import { headline } from "./api";
import { Summaries } from "./summaries";

function MonitorSection({ monitors }: { monitors: Monitor[] }) {
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

function AgentSection({ agents }: { agents: Agent[] }) {
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

/** Replaces the dashboard of a user without monitors and servers. */
export function Welcome() {
  const { t } = useTranslation();
  return (
    <Empty heading="h2" icon="pulse" title={t("dashboard.welcome.title")} text={t("dashboard.welcome.text")}>
      <Link href={paths.monitorCreate} className="button">
        <Icon name="plus" />
        {t("dashboard.welcome.addMonitor")}
      </Link>
      <Link href={paths.agentCreate} className="button plain">
        <Icon name="server" />
        {t("dashboard.welcome.addServer")}
      </Link>
    </Empty>
  );
}

export default function DashboardPage() {
  const { t } = useTranslation();
  const [{ data, error, loading, loadedAt }, refresh] = useAtom(dashboardAtom);

  if (!data)
    return error ? (
      <Failure title={t("dashboard.failed")} error={error} onRetry={() => void refresh()} />
    ) : (
      <Skeleton heights={["2.5rem", "9rem", "14rem", "10rem"]} />
    );

  const isNew = data.monitors.total === 0 && data.agents.total === 0;
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t("dashboard.title")}</h1>
          <Headline dashboard={data} />
        </div>
        <div className="actions">
          {loadedAt && <Updated at={loadedAt} />}
          <RefreshButton loading={loading} onRefresh={() => void refresh()} />
        </div>
      </div>
      <Stale error={error} onRetry={() => void refresh()} />
      {data.connectivity === "lost" && (
        <p className="message warn stale" role="status">
          <Icon name="offline" />
          {t("dashboard.offline")}
        </p>
      )}
      {data.conditions.map(({ code }) => (
        <p key={code} className="message warn stale" role="status">
          <Icon name="offline" />
          {t(`dashboard.condition.${code}`)}
        </p>
      ))}
      {isNew ? (
        <Welcome />
      ) : (
        <div className="stack roomy">
          <ProblemBlock />
          <Summaries dashboard={data} />
          <MonitorSection monitors={data.latest_monitors} />
          <AgentSection agents={data.latest_agents} />
        </div>
      )}
    </>
  );
}

function Headline({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const { monitors, agents } = dashboard;
  const problems = [
    monitors.down > 0 && t("dashboard.someDown", { count: monitors.down }),
    agents.inactive > 0 && t("dashboard.someOffline", { count: agents.inactive }),
  ].filter(Boolean);
  return (
    <p className="soft">
      {problems.length > 0 ? problems.join(t("dashboard.and")) : t(`dashboard.${headline(dashboard)}`)}
    </p>
  );
}

function Updated({ at }: { at: number }) {
  const { t } = useTranslation();
  return <span className="soft small">{t("common.updated", { time: useAgo(at) })}</span>;
}
