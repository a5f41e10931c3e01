import { useAtomValue } from "jotai";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useFirstRows } from "../../lib/hooks/use-first-rows";
import { PHONE, useMedia } from "../../lib/hooks/use-media";
import { paths } from "../../paths";
import { PulseBar } from "../../ui/charts/pulse-bar";
import { ResourceCell } from "../../ui/charts/resource-bar";
import { Icon } from "../../ui/controls/icon";
import { OwnerTag, StatusMark, shownStatus } from "../../ui/feedback/badge";
import { Empty } from "../../ui/feedback/empty";
import { RowUptime } from "../../ui/feedback/watched";
import { useFormat } from "../../ui/hooks/use-format";
import { RowLink, Rows } from "../../ui/lists/rows";
import type { ListedMonitor } from "../monitors/api";
import { MutedMark } from "../notifications/mute/mute-menu";
import type { Dashboard } from "../problems/api";
import type { Server } from "../servers/api";
import { resourcesOf } from "../servers/resources";
import { serverMark, shownServerStatus, useServerState } from "../servers/server-status";
import { useCanChange } from "../teams/use-can-change";
import { countInBlock, isInBlock, PANEL_ROWS, panelMonitorsAtom, panelServersAtom } from "./api";
import { Feed } from "./feed";
import { PasteField } from "./start";

/** Rows of a panel on a phone, so that servers and events are not far below. */
const PHONE_ROWS = 8;
/** The slots of a bar on a phone and elsewhere. */
const SLOTS = { phone: 24, other: 40 };

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
  const isPhone = useMedia(PHONE);
  const { id, name, active, history, response_time, uptime } = monitor;
  const status = shownStatus(monitor);
  return (
    <li data-row>
      <div className="row-name">
        <StatusMark status={status} label={t(`common.status.${status}`)} />
        <RowLink href={paths.monitor(id)} name={name} />
        <OwnerTag of={monitor} />
        <MutedMark of={monitor} />
      </div>
      <PulseBar
        history={history}
        unknown={monitor.unknown}
        maintenance={monitor.maintenance_times}
        count={isPhone ? SLOTS.phone : SLOTS.other}
        paused={!active}
      />
      <span className="number">{active ? format.milliseconds(response_time) : t("common.status.paused")}</span>
      <span className="number soft uptime">
        <RowUptime uptime={uptime} share={monitor.watched} />
      </span>
    </li>
  );
}

function ServerRow({ agent }: { agent: Server }) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = useServerState();
  const { id, name, network_rx, network_tx } = agent;
  const status = shownServerStatus(agent);
  const { cpu, memory, disk, problem } = resourcesOf(agent);
  const cell = (key: "cpu" | "memory" | "disk", percent: number) => (
    <ResourceCell
      label={t(`agents.resource.${key}`)}
      short={t(`agents.resource.${key}`)}
      percent={problem ? null : percent}
      text={problem ? "–" : format.share(Math.round(percent))}
    />
  );
  return (
    <li data-row className={status === "inactive" || status === "unknown" ? status : undefined}>
      <div className="row-name">
        <StatusMark status={serverMark(agent)} label={state(agent)} />
        <RowLink href={paths.agent(id)} name={name} />
        <OwnerTag of={agent} />
        <MutedMark of={agent} />
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
const roomFor = (count: number) => ({ minHeight: `calc(${count} * var(--row))` });

/** The rows of a panel, room for those that are still to come, and the number of the others of `total`. */
const useShown = <T,>(loaded: readonly T[] | undefined, first: readonly T[], total: number) => {
  const most = useMedia(PHONE) ? PHONE_ROWS : PANEL_ROWS;
  const items = (loaded ?? first).slice(0, most);
  const count = useFirstRows(items.length);
  return {
    shown: items.slice(0, count),
    style: loaded && count === items.length ? undefined : roomFor(loaded ? items.length : Math.min(most, total)),
    rest: loaded ? total - items.length : 0,
  };
};

function MonitorPanel({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useTranslation();
  const { data } = useAtomValue(panelMonitorsAtom);
  const canChange = useCanChange();
  const { total, down } = dashboard.monitors;
  const well = total - countInBlock(dashboard);
  const first = dashboard.latest_monitors.filter((monitor) => !isInBlock(monitor));
  const { shown, style, rest } = useShown(data, first, well);
  return (
    <Rows className="panel panel-monitors">
      <PanelHead
        title={t("dashboard.monitors.title")}
        note={t("dashboard.monitors.columns")}
        all={{ href: paths.monitors, label: t("dashboard.monitors.all") }}
      >
        {canChange && (
          <Link href={paths.monitorCreate} className="button plain compact">
            <Icon name="plus" />
            <span className="label">{t("dashboard.welcome.addMonitor")}</span>
          </Link>
        )}
      </PanelHead>
      {total === 0 && <PasteField />}
      {total > 0 && total === down && <p className="soft panel-note">{t("dashboard.monitors.allDown")}</p>}
      <ul style={style}>
        {shown.map((monitor) => (
          <MonitorRow key={monitor.id} monitor={monitor} />
        ))}
      </ul>
      {rest > 0 && (
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
  const { shown, style, rest } = useShown(data, dashboard.latest_agents, total);
  return (
    <Rows className="panel panel-agents">
      <PanelHead
        title={t("dashboard.agents.title")}
        note={total > 0 ? t("dashboard.agents.columns") : undefined}
        all={{ href: paths.agents, label: t("dashboard.agents.all") }}
      />
      {total === 0 && <NoServers />}
      <ul style={style}>
        {shown.map((agent) => (
          <ServerRow key={agent.id} agent={agent} />
        ))}
      </ul>
      {rest > 0 && (
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

/** Monitors, servers and the latest events as dense rows: side by side where there is room. */
export function Panels({ dashboard }: { dashboard: Dashboard }) {
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
