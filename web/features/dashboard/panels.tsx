import { useAtomValue } from "jotai";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useFirstRows } from "../../lib/hooks/use-first-rows";
import { useMedia } from "../../lib/hooks/use-media";
import { paths } from "../../paths";
import { PulseBar } from "../../ui/charts/pulse-bar";
import { ResourceCell } from "../../ui/charts/resource-bar";
import { Icon } from "../../ui/controls/icon";
import { OwnerTag, StatusMark, shownStatus } from "../../ui/feedback/badge";
import { Empty } from "../../ui/feedback/empty";
import { Watched } from "../../ui/feedback/watched";
import { useFormat } from "../../ui/hooks/use-format";
import { RowLink, Rows } from "../../ui/lists/rows";
import type { ListedMonitor } from "../monitors/api";
import { MonitorCard } from "../monitors/list/monitor-card";
import { MutedMark } from "../notifications/mute/mute-menu";
import type { Dashboard } from "../problems/api";
import type { Server } from "../servers/api";
import { ServerCard } from "../servers/list/server-card";
import { resourcesOf } from "../servers/resources";
import { serverMark, shownServerStatus, useServerState } from "../servers/server-status";
import { countInBlock, isInBlock, PANEL_ROWS, panelMonitorsAtom, panelServersAtom } from "./api";
import { Feed } from "./feed";
import { PasteField } from "./start";

/** From this width on, monitors and servers are rows side by side. The same width is in dashboard.css. */
const PANELS = "(min-width: 1100px)";
const CARDS = 3;

type HeadProps = { title: string; note?: string; all: { href: string; label: string }; children?: ReactNode };

function PanelHead({ title, note, all, children }: HeadProps) {
  return (
    <header className="panel-head">
      <h2>{title}</h2>
      {note && <span className="soft small note">{note}</span>}
      {children}
      <Link href={all.href} className="small">
        {all.label}
      </Link>
    </header>
  );
}

function MonitorRow({ monitor }: { monitor: ListedMonitor }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, owner, active, history, response_time, uptime } = monitor;
  const status = shownStatus(monitor);
  return (
    <li data-row>
      <div className="row-name">
        <StatusMark status={status} label={t(`common.status.${status}`)} />
        <RowLink href={paths.monitor(id)} name={name} />
        <OwnerTag owner={owner} />
        <MutedMark muted={monitor.muted} />
      </div>
      <PulseBar history={history} unknown={monitor.unknown} count={40} paused={!active} />
      <span className="number">{active ? format.milliseconds(response_time) : t("common.status.paused")}</span>
      <span className="number soft uptime">
        {format.percent(uptime)}
        <Watched share={monitor.watched} short />
      </span>
    </li>
  );
}

function ServerRow({ agent }: { agent: Server }) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = useServerState();
  const { id, name, owner, network_rx, network_tx } = agent;
  const status = shownServerStatus(agent);
  const { cpu, memory, disk, problem } = resourcesOf(agent);
  const cell = (key: "cpu" | "memory" | "disk", percent: number) => (
    <ResourceCell
      label={t(`agents.resource.${key}`)}
      percent={problem ? null : percent}
      text={problem ? "–" : format.share(Math.round(percent))}
    />
  );
  return (
    <li data-row className={status === "inactive" ? "inactive" : undefined}>
      <div className="row-name">
        <StatusMark status={serverMark(agent)} label={state(agent)} />
        <RowLink href={paths.agent(id)} name={name} />
        <OwnerTag owner={owner} />
        <MutedMark muted={agent.muted} />
      </div>
      {cell("cpu", cpu)}
      {cell("memory", memory)}
      {cell("disk", disk)}
      <span
        className="number soft small raised"
        title={t("agents.rates", { received: format.rate(network_rx), sent: format.rate(network_tx) })}
      >
        {problem
          ? "–"
          : t("agents.shortRates", { received: format.shortRate(network_rx), sent: format.shortRate(network_tx) })}
      </span>
    </li>
  );
}

/** Room for the rows that are still loading, so that nothing moves when they arrive. */
const roomFor = (count: number) => ({ minHeight: `calc(${Math.min(count, PANEL_ROWS)} * var(--row))` });

function MonitorPanel({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const { data } = useAtomValue(panelMonitorsAtom);
  const { total, down } = dashboard.monitors;
  const well = total - countInBlock(dashboard);
  const monitors = data ?? dashboard.latest_monitors.filter((monitor) => !isInBlock(monitor));
  const rest = well - monitors.length;
  const count = useFirstRows(monitors.length);
  return (
    <Rows className="panel panel-monitors">
      <PanelHead
        title={t("dashboard.monitors.title")}
        note={t("dashboard.monitors.columns")}
        all={{ href: paths.monitors, label: t("dashboard.monitors.all") }}
      >
        <Link href={paths.monitorCreate} className="button plain compact">
          <Icon name="plus" />
          {t("dashboard.welcome.addMonitor")}
        </Link>
      </PanelHead>
      {total === 0 && <PasteField />}
      {total > 0 && total === down && <p className="soft panel-note">{t("dashboard.monitors.allDown")}</p>}
      <ul style={data && count === monitors.length ? undefined : roomFor(data ? monitors.length : well)}>
        {monitors.slice(0, count).map((monitor) => (
          <MonitorRow key={monitor.id} monitor={monitor} />
        ))}
      </ul>
      {data && rest > 0 && (
        <p className="panel-note">
          <Link href={paths.monitors}>{t("dashboard.monitors.rest", { count: rest })}</Link>
        </p>
      )}
    </Rows>
  );
}

function ServerPanel({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const { data } = useAtomValue(panelServersAtom);
  const { total } = dashboard.agents;
  const agents = data ?? dashboard.latest_agents;
  const rest = total - agents.length;
  const count = useFirstRows(agents.length);
  return (
    <Rows className="panel panel-agents">
      <PanelHead
        title={t("dashboard.agents.title")}
        note={total > 0 ? t("dashboard.agents.columns") : undefined}
        all={{ href: paths.agents, label: t("dashboard.agents.all") }}
      />
      {total === 0 && <NoServers />}
      <ul style={data && count === agents.length ? undefined : roomFor(data ? agents.length : total)}>
        {agents.slice(0, count).map((agent) => (
          <ServerRow key={agent.id} agent={agent} />
        ))}
      </ul>
      {data && rest > 0 && (
        <p className="panel-note">
          <Link href={paths.agents}>{t("dashboard.agents.rest", { count: rest })}</Link>
        </p>
      )}
    </Rows>
  );
}

function NoServers() {
  const { t } = useTranslation();
  return (
    <Empty icon="server" title={t("dashboard.agents.empty")} text={t("dashboard.agents.emptyText")}>
      <Link href={paths.agentCreate} className="button plain">
        <Icon name="plus" />
        {t("dashboard.agents.add")}
      </Link>
    </Empty>
  );
}

/** The first monitors and servers as cards, for narrow windows. Monitors that are down or slow are in the block above. */
function Cards({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const { data } = useAtomValue(panelMonitorsAtom);
  const { latest_monitors, latest_agents, monitors, agents } = dashboard;
  const well = data ?? latest_monitors.filter((monitor) => !isInBlock(monitor));
  const first = well.length > 0 ? well : latest_monitors;
  const section = (key: "monitors" | "agents", content: ReactNode) => (
    <section>
      <div className="section-head">
        <h2>{t(`dashboard.${key}.title`)}</h2>
        <Link href={paths[key]}>{t(`dashboard.${key}.all`)}</Link>
      </div>
      {content}
    </section>
  );
  const grid = (cards: readonly ReactNode[]) => <ul className="card-grid first-cards">{cards}</ul>;
  return (
    <div className="stack roomy">
      {section(
        "monitors",
        monitors.total === 0 ? (
          <PasteField />
        ) : (
          grid(
            first.slice(0, CARDS).map((monitor) => (
              <li key={monitor.id}>
                <MonitorCard monitor={monitor} />
              </li>
            )),
          )
        ),
      )}
      {section(
        "agents",
        agents.total === 0 ? (
          <NoServers />
        ) : (
          grid(
            latest_agents.slice(0, CARDS).map((agent) => (
              <li key={agent.id}>
                <ServerCard agent={agent} />
              </li>
            )),
          )
        ),
      )}
      <Feed events={dashboard.events} />
    </div>
  );
}

/** Monitors and servers: dense rows side by side where there is room, otherwise the first three of each as cards. */
export function Panels({ dashboard }: { dashboard: Dashboard }) {
  const hasRoom = useMedia(PANELS);
  if (!hasRoom) return <Cards dashboard={dashboard} />;
  return (
    <div className="panels">
      <MonitorPanel dashboard={dashboard} />
      <div className="stack">
        <ServerPanel dashboard={dashboard} />
        <Feed events={dashboard.events} />
      </div>
    </div>
  );
}
