import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { useAgo } from "../../ui/ago";
import { Failure, Stale } from "../../ui/failure";
import { Icon } from "../../ui/icon";
import { usePageTitle } from "../../ui/page-title";
import { RefreshButton } from "../../ui/refresh-button";
import { Skeleton } from "../../ui/skeleton";
import { AgentSection } from "./agent-section";
import { type Dashboard, dashboardAtom } from "./dashboard-state";
import { MonitorSection } from "./monitor-section";
import { Summaries } from "./summaries";
import { Welcome } from "./welcome";

export default function DashboardPage() {
  const { t } = useTranslation();
  const [{ data, error, loading, loadedAt }, refresh] = useAtom(dashboardAtom);
  usePageTitle(t("dashboard.title"));

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
      {isNew ? (
        <Welcome />
      ) : (
        <div className="stack roomy">
          <Summaries dashboard={data} />
          <MonitorSection monitors={data.latest_monitors} />
          <AgentSection total={data.agents.total} />
        </div>
      )}
    </>
  );
}

function Headline({ dashboard: { monitors } }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const { total, down, up, pending } = monitors;
  const quiet = total === 0 ? "dashboard.nothing" : pending > 0 ? "dashboard.waiting" : "dashboard.allPaused";
  return (
    <p className="soft">
      {down > 0 ? t("dashboard.someDown", { count: down }) : t(up > 0 ? "dashboard.allUp" : quiet)}
    </p>
  );
}

function Updated({ at }: { at: number }) {
  const { t } = useTranslation();
  return <span className="soft small">{t("common.updated", { time: useAgo(at) })}</span>;
}
