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
import { serverMark, shownServerStatus, useServerState } from "../server-status";

/** Loads what the list begins with. */
export const prepare = (): Promise<void> => serversAtom.prepare();

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

const RailRow = memo(function RailRow({ agent, current }: { agent: Server; current: boolean }) {
  const format = useFormat();
  const { id, name, cpu_usage } = agent;
  const state = useServerState();
  const mark = serverMark(agent);
  const row = useFlash<HTMLLIElement>(mark);
  return (
    <li data-row data-id={id} ref={row}>
      <div className="row-name">
        <StatusMark status={mark} label={state(agent)} />
        <RowLink href={paths.agent(id)} name={name} current={current} />
      </div>
      <span className="number soft small">{shownServerStatus(agent) === "active" && format.share(cpu_usage)}</span>
    </li>
  );
});
