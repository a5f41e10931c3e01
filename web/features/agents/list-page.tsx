import { useAtom, useAtomValue } from "jotai";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useMore } from "../../lib/use-more";
import { paths } from "../../paths";
import { Empty } from "../../ui/empty";
import { Failure, Stale } from "../../ui/failure";
import { Icon } from "../../ui/icon";
import { usePageTitle } from "../../ui/page-title";
import { RefreshButton } from "../../ui/refresh-button";
import { Skeleton } from "../../ui/skeleton";
import { AgentCard } from "./agent-card";
import { AgentTable } from "./agent-table";
import { AgentToolbar } from "./agent-toolbar";
import { agentsAtom, sortAtom, viewAtom } from "./agents-state";
import type { Agent } from "./calls";
import { DeleteAgent } from "./delete-agent";
import { countAgents, type Filter, selectAgents } from "./select-agents";

export default function ListPage() {
  const { t } = useTranslation();
  const [{ data, error, loading }, refresh] = useAtom(agentsAtom);
  const [deleting, setDeleting] = useState<Agent>();
  const [gone, setGone] = useState<readonly number[]>([]);
  usePageTitle(t("agents.title"));

  return (
    <>
      <div className="page-head">
        <h1>{t("agents.title")}</h1>
        <div className="actions">
          <RefreshButton loading={loading} onRefresh={() => void refresh()} />
          <Link href={paths.agentCreate} className="button">
            <Icon name="plus" />
            {t("agents.create")}
          </Link>
        </div>
      </div>
      {data ? (
        <>
          <Stale error={error} onRetry={() => void refresh()} />
          <Agents all={data.agents.filter(({ id }) => !gone.includes(id))} onDelete={setDeleting} />
        </>
      ) : error ? (
        <Failure title={t("agents.loadFailed")} error={error} onRetry={() => void refresh()} />
      ) : (
        <Skeleton className="card-grid" heights={Array.from({ length: 6 }, () => "18rem")} />
      )}
      {deleting && (
        <DeleteAgent
          agent={deleting}
          onDeleted={() => {
            setGone((before) => [...before, deleting.id]);
            void refresh();
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

function Agents({ all, onDelete }: { all: Agent[]; onDelete: (agent: Agent) => void }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const sort = useAtomValue(sortAtom);
  const view = useAtomValue(viewAtom);
  const selected = selectAgents(all, { search, filter, sort });
  const more = useMore(selected);
  // A thousand cards are drawn in slices, between which typing and scrolling go on.
  const shown = useDeferredValue(more.shown);

  if (all.length === 0)
    return (
      <Empty heading="h2" icon="server" title={t("agents.empty.title")} text={t("agents.empty.text")}>
        <Link href={paths.agentCreate} className="button">
          <Icon name="plus" />
          {t("agents.create")}
        </Link>
      </Empty>
    );

  const clear = () => {
    setSearch("");
    setFilter("all");
  };

  return (
    <>
      <AgentToolbar
        search={search}
        onSearch={setSearch}
        filter={filter}
        onFilter={setFilter}
        counts={countAgents(all)}
      />
      {selected.length === 0 ? (
        <Empty heading="h2" icon="search" title={t("agents.noMatch.title")} text={t("agents.noMatch.text")}>
          <button type="button" className="plain" onClick={clear}>
            {t("agents.noMatch.clear")}
          </button>
        </Empty>
      ) : view === "list" ? (
        <AgentTable agents={shown} onDelete={onDelete} />
      ) : (
        <ul className="card-grid">
          {shown.map((agent) => (
            <li key={agent.id}>
              <AgentCard agent={agent} onDelete={onDelete} heading="h2" />
            </li>
          ))}
        </ul>
      )}
      <div className="more-mark" ref={more.mark} />
    </>
  );
}
