import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { readableName } from "../../../lib/format";
import type { Translation } from "../../../locales/zh-CN";
import { paths } from "../../../paths";
import { ResourceCell } from "../../../ui/charts/resource-bar";
import { Icon } from "../../../ui/controls/icon";
import { Ago } from "../../../ui/feedback/ago";
import { OwnerTag, StatusMark } from "../../../ui/feedback/badge";
import { useElapsed } from "../../../ui/feedback/elapsed";
import { useFormat } from "../../../ui/hooks/use-format";
import { RowMenu } from "../../../ui/lists/row-menu";
import { RowLink, Rows } from "../../../ui/lists/rows";
import { SortHeader, type Sorting } from "../../../ui/lists/sort-header";
import { TagList } from "../../../ui/lists/tag-list";
import { useFlash } from "../../../ui/lists/use-flash";
import { MutedMark } from "../../notifications/mute/mute-menu";
import { Addresses } from "../addresses";
import { statusMarks, toAgentStatus } from "../agent-status";
import type { Agent, Selection } from "../api";
import { TrafficCell } from "../plan/traffic-cell";
import { resourcesOf, useResourceTexts } from "../resources";
import { AgentMenu } from "./agent-menu";

type Column = { name: keyof Translation["agents"]["column"]; by?: Selection["sort"]; number?: true };

/** The columns in their order, with what a click on their heads sorts by. */
const columns: readonly Column[] = [
  { name: "name", by: "name" },
  { name: "host", by: "hostname" },
  { name: "ip" },
  { name: "state", by: "status" },
  { name: "cpu", by: "cpu" },
  { name: "memory", by: "memory" },
  { name: "disk", by: "disk" },
  { name: "network", by: "network", number: true },
  { name: "traffic", by: "traffic", number: true },
  { name: "load", by: "load", number: true },
  { name: "temperature", number: true },
  { name: "uptime", by: "uptime", number: true },
  { name: "report", by: "reported", number: true },
  { name: "os", by: "os" },
  { name: "version" },
  { name: "agent" },
];

type TableProps = { body: ReactNode; sorting: Sorting<Selection["sort"]> };

/** The table of servers around the body with their rows. */
export function AgentTable({ body, sorting }: TableProps) {
  const { t } = useTranslation();
  return (
    <Rows className="agent-rows">
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

/** The status of a server in words: of one that is offline with since when. */
const useStateText = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ status, since }: Agent): string => {
    const agentStatus = toAgentStatus(status);
    if (agentStatus !== "inactive" || !since) return t(`agents.status.${agentStatus}`);
    return t("agents.offlineSince", { time: format.moment(since) });
  };
};

type Props = { agent: Agent; onDelete: (agent: Agent) => void };

export const AgentRow = memo(function AgentRow({ agent, onDelete }: Props) {
  const { t } = useTranslation();
  const {
    id,
    name,
    hostname,
    ip_addresses,
    os,
    version,
    agent_version,
    load_average,
    boot_time,
    updated_at,
    temperature,
  } = agent;
  const status = toAgentStatus(agent.status);
  const state = useStateText()(agent);
  const row = useFlash<HTMLTableRowElement>(statusMarks[status]);
  const format = useFormat();
  return (
    <tr data-row data-id={id} className={status} ref={row}>
      <th scope="row" className="row-name">
        <StatusMark status={statusMarks[status]} label={t(`agents.status.${status}`)} />
        <div className="named">
          <RowLink href={paths.agent(id)} name={name} />
          <OwnerTag owner={agent.owner} />
          <MutedMark muted={agent.muted} />
          <TagList tags={agent.tags} label={t("tags.title")} listAt={paths.agents} most={2} />
        </div>
      </th>
      <Soft className="host" text={hostname} />
      <td className="ip soft">
        <div className="raised truncate">
          <Addresses addresses={ip_addresses} short />
        </div>
      </td>
      <td className="state">
        <div className="raised truncate" title={state}>
          {state}
        </div>
      </td>
      <Figures agent={agent} />
      <td className="traffic number">
        <TrafficCell traffic={agent.traffic} />
      </td>
      <td className="load number">{load_average?.[0] === undefined ? "–" : format.fixed(load_average[0])}</td>
      <td className="temperature number">{temperature === null ? "–" : format.degrees(temperature)}</td>
      <td className="uptime number">{boot_time && status === "active" ? <Since time={boot_time} /> : "–"}</td>
      <td className="report number soft">{updated_at ? <Ago time={updated_at} /> : t("agents.never")}</td>
      <Soft className="os" text={os} />
      <Soft className="version" text={version} />
      <td className="agent soft">
        <div className="raised truncate" title={agent_version ?? undefined}>
          {agent_version ? readableName(agent_version) : "–"}
          {agent.update_available && <UpdateMark />}
        </div>
      </td>
      <td className="menu-cell">
        <RowMenu name={name}>
          <AgentMenu agent={agent} onDelete={onDelete} />
        </RowMenu>
      </td>
    </tr>
  );
});

function UpdateMark() {
  const { t } = useTranslation();
  return (
    <span className="update-mark" title={t("servers.updateAvailable")}>
      <Icon name="download" />
      <span className="visually-hidden">{t("servers.updateAvailable")}</span>
    </span>
  );
}

const Soft = ({ className, text }: { className: string; text: string }) => (
  <td className={`${className} soft`}>
    <div className="raised truncate" title={text}>
      {text || "–"}
    </div>
  </td>
);

const shares = ["cpu", "memory", "disk"] as const;

/** The figures of the last report. */
function Figures({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { problem, ...percents } = resourcesOf(agent);
  const { texts } = useResourceTexts(agent);
  const { network_rx, network_tx } = agent;
  const [received, sent] = [format.shortRate(network_rx), format.shortRate(network_tx)];
  const isUnknown = problem !== null || (network_rx === null && network_tx === null);
  return (
    <>
      {shares.map((name) => (
        <td key={name} className={name}>
          <div className="raised" title={problem ? undefined : texts[name]}>
            <ResourceCell
              label={t(`agents.resource.${name}`)}
              short={t(`agents.short.${name}`)}
              percent={problem ? null : percents[name]}
              text={problem ? "–" : `${format.number(percents[name])}%`}
            />
          </div>
        </td>
      ))}
      <td className="network number">
        <div className="raised" title={isUnknown ? undefined : texts.network}>
          {isUnknown ? "–" : t("agents.shortRates", { received, sent })}
        </div>
      </td>
    </>
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
