import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { readableName } from "../../../lib/format";
import { paths } from "../../../paths";
import { ResourceCell } from "../../../ui/charts/resource-bar";
import { Icon } from "../../../ui/controls/icon";
import { Ago } from "../../../ui/feedback/ago";
import { OwnerTag, StatusMark } from "../../../ui/feedback/badge";
import { useElapsed } from "../../../ui/feedback/elapsed";
import { useFormat } from "../../../ui/hooks/use-format";
import { useUnknownWords } from "../../../ui/hooks/use-unknown-words";
import { RowMenu } from "../../../ui/lists/row-menu";
import { RowLink, Rows } from "../../../ui/lists/rows";
import { SortHeader, type Sorting } from "../../../ui/lists/sort-header";
import { TagCount } from "../../../ui/lists/tag-list";
import { useFlash } from "../../../ui/lists/use-flash";
import { MutedMark } from "../../notifications/mute/mute-menu";
import { Addresses } from "../addresses";
import type { Selection, Server } from "../api";
import { useForecastWords } from "../forecast";
import { TrafficCell } from "../plan/traffic-cell";
import { resourcesOf, useResourceTexts } from "../resources";
import {
  hasAlerts,
  serverMark,
  shownServerStatus,
  toServerStatus,
  useServerState,
  useServerWord,
} from "../server-status";
import { type Column, templateOf } from "./columns";
import { ServerMenu } from "./server-menu";

type TableProps = { columns: readonly Column[]; body: ReactNode; sorting: Sorting<Selection["sort"]> };

/** The table of servers around the body with their rows. */
export function ServerTable({ columns, body, sorting }: TableProps) {
  const { t } = useTranslation();
  return (
    <Rows className="agent-rows" columns={templateOf(columns)}>
      <table aria-label={t("agents.title")}>
        <thead>
          <tr>
            {columns.map(({ name, by, number }) => (
              <SortHeader key={name} by={by} sorting={sorting} className={number ? `${name} number` : name}>
                {t(`agents.column.${name}`)}
              </SortHeader>
            ))}
            <SortHeader>
              <span className="visually-hidden">{t("agents.column.actions")}</span>
            </SortHeader>
          </tr>
        </thead>
        {body}
      </table>
    </Rows>
  );
}

/** Status label; for offline servers with the start of that state, with alerts their number. */
const useStateText = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const word = useServerWord();
  const state = useServerState();
  return (agent: Server): string => {
    const { status, since, unknown } = agent;
    if (unknown) return word("unknown");
    if (shownServerStatus(agent) === "maintenance") return state(agent);
    if (hasAlerts(agent)) return t("problems.alerts", { count: agent.open_outages });
    const serverStatus = toServerStatus(status);
    if (serverStatus !== "inactive" || !since) return word(serverStatus);
    return t("agents.offlineSince", { time: format.moment(since) });
  };
};

type Props = { agent: Server; columns: readonly Column[]; onDelete: (agent: Server) => void };

export const ServerRow = memo(function ServerRow({ agent, columns, onDelete }: Props) {
  const status = shownServerStatus(agent);
  const row = useFlash<HTMLTableRowElement>(serverMark(agent));
  return (
    <tr data-row data-id={agent.id} className={hasAlerts(agent) ? `${status} alerts` : status} ref={row}>
      {columns.map(({ name }) => (
        <Cell key={name} name={name} agent={agent} />
      ))}
      <td className="menu-cell">
        <RowMenu name={agent.name}>
          <ServerMenu agent={agent} onDelete={onDelete} />
        </RowMenu>
      </td>
    </tr>
  );
});

/** The code name of a release after its version, as in "Debian GNU/Linux 12 (bookworm)". */
const CODE_NAME = / \([^()]+\)$/;

type CellProps = { name: Column["name"]; agent: Server };

/** The content of a cell. */
function Cell({ name, agent }: CellProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const stateText = useStateText();
  const state = useServerState();
  const unknownWords = useUnknownWords();
  const { unknown, load_average, boot_time, updated_at, temperature, status } = agent;
  switch (name) {
    case "name":
      return <NameCell agent={agent} />;
    case "host":
      return <MutedCell className="host" text={agent.hostname} />;
    case "ip":
      return (
        <td className="ip soft">
          <div className="raised truncate">
            <Addresses addresses={agent.ip_addresses} short />
          </div>
        </td>
      );
    case "state": {
      const title = unknown ? unknownWords.because(unknown) : hasAlerts(agent) ? state(agent) : stateText(agent);
      return (
        <td className="state">
          <div className="raised truncate" title={title}>
            {stateText(agent)}
          </div>
        </td>
      );
    }
    case "cpu":
    case "memory":
    case "disk":
      return <Share name={name} agent={agent} />;
    case "full":
      return <FullCell agent={agent} />;
    case "network":
      return <Network agent={agent} />;
    case "traffic":
      return (
        <td className="traffic number">
          <TrafficCell traffic={agent.traffic} />
        </td>
      );
    case "load":
      return <td className="load number">{load_average?.[0] === undefined ? "–" : format.fixed(load_average[0])}</td>;
    case "temperature":
      return <td className="temperature number">{temperature === null ? "–" : format.degrees(temperature)}</td>;
    case "uptime":
      return (
        <td className="uptime number">
          {boot_time && toServerStatus(status) === "active" ? <Since time={boot_time} /> : "–"}
        </td>
      );
    case "report":
      return <td className="report number soft">{updated_at ? <Ago time={updated_at} /> : t("agents.never")}</td>;
    case "os":
      return <MutedCell className="os" text={agent.os.replace(CODE_NAME, "")} title={agent.os} />;
    case "version":
      return <MutedCell className="version" text={agent.version} />;
    case "agent":
      return <ProgramCell agent={agent} />;
  }
}

function NameCell({ agent }: { agent: Server }) {
  const { t } = useTranslation();
  const state = useServerState();
  return (
    <th scope="row" className="row-name">
      <StatusMark status={serverMark(agent)} label={state(agent)} />
      <div className="named">
        <RowLink href={paths.agent(agent.id)} name={agent.name} />
        <OwnerTag of={agent} />
        <MutedMark of={agent} />
        <TagCount tags={agent.tags} label={t("tags.title")} />
      </div>
    </th>
  );
}

/** The version of the agent, with a mark where a newer one is offered. */
function ProgramCell({ agent: { agent_version, update_available } }: { agent: Server }) {
  return (
    <td className="agent soft">
      <div className="raised truncate" title={agent_version ?? undefined}>
        {agent_version ? readableName(agent_version) : "–"}
        {update_available && <UpdateMark />}
      </div>
    </td>
  );
}

function UpdateMark() {
  const { t } = useTranslation();
  return (
    <span className="update-mark" title={t("servers.updateAvailable")}>
      <Icon name="download" />
      <span className="visually-hidden">{t("servers.updateAvailable")}</span>
    </span>
  );
}

type MutedProps = { className: string; text: string; title?: string };

const MutedCell = ({ className, text, title = text }: MutedProps) => (
  <td className={`${className} soft`}>
    <div className="raised truncate" title={title}>
      {text || "–"}
    </div>
  </td>
);

/** A share in use of the last report. */
function Share({ name, agent }: { name: "cpu" | "memory" | "disk"; agent: Server }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { problem, ...percents } = resourcesOf(agent);
  const { texts } = useResourceTexts(agent);
  return (
    <td className={name}>
      <div className="raised" title={problem ? undefined : texts[name]}>
        <ResourceCell
          label={t(`agents.resource.${name}`)}
          short={t(`agents.short.${name}`)}
          percent={problem ? null : percents[name]}
          text={problem ? "–" : `${format.number(percents[name])}%`}
        />
      </div>
    </td>
  );
}

/** When the disk that fills up first will be full. */
function FullCell({ agent: { disk_forecast: forecast } }: { agent: Server }) {
  const { t } = useTranslation();
  const words = useForecastWords();
  if (!forecast) return <td className="full">–</td>;
  const { text, isSoon } = words.short(forecast);
  const isFilling = forecast.outlook === "filling";
  const mount = readableName(forecast.mount);
  return (
    <td className={isSoon ? "full soon" : isFilling ? "full" : "full soft"}>
      <div
        className="raised truncate"
        title={isFilling ? t("common.labelled", { label: mount, value: words.long(forecast).text }) : undefined}
      >
        {text}
      </div>
    </td>
  );
}

/** The rates of the last report. */
function Network({ agent }: { agent: Server }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { problem } = resourcesOf(agent);
  const { texts } = useResourceTexts(agent);
  const { network_rx, network_tx } = agent;
  const [received, sent] = [format.shortRate(network_rx), format.shortRate(network_tx)];
  const isUnknown = problem !== null || (network_rx === null && network_tx === null);
  return (
    <td className="network number">
      <div className="raised" title={isUnknown ? undefined : texts.network}>
        {isUnknown ? "–" : t("agents.shortRates", { received, sent })}
      </div>
    </td>
  );
}

const DAY = 86_400;
const HOUR = 3_600;

/** The time since a machine was started, in one unit. */
function Since({ time }: { time: string }) {
  const format = useFormat();
  const seconds = useElapsed(time);
  const unit = seconds >= DAY ? DAY : seconds >= HOUR ? HOUR : 1;
  return (
    <time dateTime={time} title={format.dateTime(time)}>
      {format.elapsed(seconds - (seconds % unit))}
    </time>
  );
}
