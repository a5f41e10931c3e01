import { getDefaultStore, useAtom } from "jotai";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "wouter";
import { isMissing } from "../../../api";
import { paths } from "../../../paths";
import { Tabs } from "../../../ui/controls/tabs";
import { Badge, OwnerTag, shownStatus } from "../../../ui/feedback/badge";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Stale } from "../../../ui/feedback/stale";
import { UnknownLine } from "../../../ui/feedback/unknown-line";
import { useMonitorWords } from "../../../ui/hooks/use-monitor-words";
import { type Unknown as UnknownState, useUnknownWords } from "../../../ui/hooks/use-unknown-words";
import { BackLink } from "../../../ui/layout/back-link";
import { useBackTo } from "../../../ui/layout/last-list";
import { usePageTitle } from "../../../ui/layout/page-title";
import { TagList } from "../../../ui/lists/tag-list";
import { ChangesDisclosure } from "../../changes/disclosure";
import { MaintenanceLine } from "../../maintenance/start/line";
import { AlertsTab } from "../../notifications/alerts-tab/lazy";
import { MutedMark } from "../../notifications/mute/mute-menu";
import { type MonitorDetail, monitorAtom, monitorsAtom } from "../api";
import { kindOf } from "../form/kinds/registry";
import { InvertedTag } from "../inverted-tag";
import { KindIcon } from "../kind-icon";
import { MonitorProblem } from "../monitor-problem";
import { AboutTab } from "./about-tab";
import { CertificateProblem } from "./certificate";
import { HistoryTab } from "./history-tab";
import { MonitorActions } from "./monitor-actions";
import { OpenProblem } from "./open-problem";
import { OverviewTab } from "./overview-tab";
import { prepareChart } from "./response-panel";

/** Loads what the page begins with. */
export const prepare = async (id: string): Promise<void> => {
  const isOverview = !new URLSearchParams(location.search).has("tab");
  await Promise.all([monitorAtom(id).prepare(), isOverview && prepareChart(id)]);
};

export default function DetailPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(monitorAtom(id));
  const [deleted, setDeleted] = useState(false);
  // A monitor deleted on this page stays visible until the list opens; one deleted elsewhere disappears at once.
  const monitor = isMissing(error) && !deleted ? undefined : data?.monitor;
  usePageTitle(monitor?.name);
  const back = useBackTo(paths.monitors);
  const retry = () => void refresh();

  const backLink = <BackLink to={back}>{t("monitors.detail.back")}</BackLink>;

  if (!monitor)
    return error ? (
      <MonitorProblem error={error} onRetry={retry} />
    ) : (
      <div className="detail">
        {backLink}
        <Loading id={id} />
      </div>
    );
  return (
    <div className="detail dense">
      {backLink}
      <Stale error={!deleted && error} onRetry={retry} />
      <Head monitor={monitor} deleted={deleted} onChanged={retry} onDeleted={() => setDeleted(true)} />
      {monitor.unknown && <Unknown monitor={monitor} unknown={monitor.unknown} />}
      <MaintenanceLine
        target={{ type: "monitor", id: monitor.id, team: monitor.team }}
        tags={monitor.tags}
        maintenance={monitor.maintenance}
        onChanged={retry}
      />
      <OpenProblem monitor={monitor} onChanged={retry} />
      <CertificateProblem monitor={monitor} onChanged={retry} />
      <DetailTabs monitor={monitor} onChanged={retry} />
    </div>
  );
}

/** The page while it is loaded, with what the list has of the monitor. */
function Loading({ id }: { id: string }) {
  const words = useMonitorWords();
  const listed = getDefaultStore()
    .get(monitorsAtom)
    .data?.monitors.find((one) => one.id === Number(id));
  return (
    <div className="detail stack">
      {listed ? (
        <div className="detail-title">
          <h1>{listed.name}</h1>
          <Badge tone={shownStatus(listed)}>{words.status(listed)}</Badge>
        </div>
      ) : (
        <Skeleton heights={["2.25rem"]} />
      )}
      <Skeleton heights={["11rem", "7rem", "20rem"]} />
    </div>
  );
}

/** The start and the reason of the unknown state of a monitor. */
function Unknown({ monitor, unknown }: { monitor: MonitorDetail; unknown: UnknownState }) {
  const words = useUnknownWords();
  const monitorWords = useMonitorWords();
  const lost = monitor.heartbeat?.possibly_lost;
  const isLost = unknown.reason === "ping_possibly_lost" && lost;
  return (
    <UnknownLine
      text={isLost ? words.lost(lost.expected_at, lost.gap) : words.because(unknown)}
      last={monitor.status === "pending" ? undefined : monitorWords.status({ ...monitor, unknown: null })}
    />
  );
}

type HeadProps = { monitor: MonitorDetail; deleted: boolean; onChanged: () => void; onDeleted: () => void };

function Head({ monitor, ...on }: HeadProps) {
  const { t } = useTranslation();
  const words = useMonitorWords();
  return (
    <div className="page-head">
      <div>
        <div className="detail-title">
          <h1 title={monitor.name}>{monitor.name}</h1>
          <span className="detail-marks">
            <Badge tone={shownStatus(monitor)}>{words.status(monitor)}</Badge>
            <OwnerTag of={monitor} />
            <MutedMark of={monitor} />
            <InvertedTag inverted={monitor.inverted} />
          </span>
        </div>
        <Target monitor={monitor} />
        <TagList tags={monitor.tags} label={t("tags.title")} listAt={paths.monitors} />
      </div>
      <MonitorActions monitor={monitor} passive={kindOf(monitor.kind).passive} {...on} />
    </div>
  );
}

/** The target, as a link where a browser can open it. */
function Target({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const { kind } = monitor;
  const target = useMonitorWords().target(monitor);
  const { label, href: hrefOf } = kindOf(kind);
  const href = hrefOf?.(monitor);
  if (!href)
    return (
      <span className="truncate soft">
        <KindIcon name={kind} /> {label(t)} · <span title={target}>{target}</span>
      </span>
    );
  return (
    <a className="truncate" href={href} target="_blank" rel="noreferrer" title={target}>
      {target}
    </a>
  );
}

/** Earlier names of tabs. */
const RENAMED: Readonly<Record<string, string>> = { settings: "about", pings: "history" };

function DetailTabs({ monitor, onChanged }: { monitor: MonitorDetail; onChanged: () => void }) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const { history } = kindOf(monitor.kind);
  const tabs = [
    { value: "overview", label: t("monitors.detail.tab.overview") },
    { value: "history", label: history?.label(t) ?? t("monitors.detail.tab.history") },
    { value: "alerts", label: t("alerts.tab") },
    { value: "about", label: t("monitors.detail.tab.about") },
  ];
  const asked = search.get("tab") ?? "";
  const chosen = tabs.find(({ value }) => value === (RENAMED[asked] ?? asked))?.value ?? "overview";

  return (
    <Tabs
      label={t("monitors.detail.tab.label")}
      tabs={tabs}
      chosen={chosen}
      onChoose={(tab) => setSearch(tab === "overview" ? {} : { tab }, { replace: true })}
    >
      {chosen === "overview" && <OverviewTab monitor={monitor} />}
      {chosen === "history" &&
        (history ? (
          <Suspense fallback={<Skeleton heights={["24rem"]} />}>
            <history.Panel monitor={monitor} />
          </Suspense>
        ) : (
          <HistoryTab id={monitor.id} lastChecked={monitor.last_checked} />
        ))}
      {chosen === "alerts" && (
        <Suspense fallback={<Skeleton heights={["6rem", "16rem"]} />}>
          <AlertsTab
            target={{ type: "monitor", id: monitor.id, name: monitor.name }}
            muted={monitor.muted}
            isOwn={monitor.owner === undefined}
            onChanged={onChanged}
          />
        </Suspense>
      )}
      {chosen === "about" && (
        <div className="stack">
          <AboutTab monitor={monitor} />
          <ChangesDisclosure object={`monitor:${monitor.id}`} />
        </div>
      )}
    </Tabs>
  );
}
