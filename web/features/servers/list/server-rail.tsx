import { useAtom } from "jotai";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { StatusMark } from "../../../ui/feedback/badge";
import { useFormat } from "../../../ui/hooks/use-format";
import { Rail } from "../../../ui/lists/rail";
import { RowLink } from "../../../ui/lists/rows";
import { useFlash } from "../../../ui/lists/use-flash";
import { loadAfterPause, type Server, serversAtom, wantServers } from "../api";
import { toServerStatus } from "../server-status";

/** The list of servers beside the page of one of them: searched, filtered and sorted as the list was before. */
export default function ServerRail({ id }: { id: string }) {
  const { t } = useTranslation();
  const [{ data }, refresh] = useAtom(serversAtom);
  if (!data) return <div className="rail" />;
  const { offset: _, limit: __, ...by } = data.listing;
  return (
    <Rail
      label={t("agents.title")}
      slice={{ items: data.agents, offset: data.listing.offset, total: data.total }}
      current={Number(id)}
      row={(agent) => <RailRow agent={agent} current={agent.id === Number(id)} />}
      onShown={(from, to) => {
        if (wantServers(by, from, to)) loadAfterPause(refresh);
      }}
    />
  );
}

const marks = { active: "up", inactive: "offline", connecting: "pending" } as const;

const RailRow = memo(function RailRow({ agent, current }: { agent: Server; current: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, cpu_usage } = agent;
  const status = toServerStatus(agent.status);
  const row = useFlash<HTMLLIElement>(marks[status]);
  return (
    <li data-row data-id={id} ref={row}>
      <div className="row-name">
        <StatusMark status={marks[status]} label={t(`agents.status.${status}`)} />
        <RowLink href={paths.agent(id)} name={name} current={current} />
      </div>
      <span className="number soft small">{status === "active" && format.share(cpu_usage)}</span>
    </li>
  );
});
