import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { choiceAtom } from "../../../lib/storage";
import { paths } from "../../../paths";
import { ItemsPage } from "../../../ui/lists/items-page";
import { agentsAtom } from "../api";
import { DeleteAgent } from "../detail/agent-actions";
import { AgentCard } from "./agent-card";
import { AgentTable } from "./agent-table";
import { countAgents, filters, selectAgents, sorts } from "./select-agents";

const viewAtom = choiceAtom("agents.view", ["grid", "list"], "grid");
const sortAtom = choiceAtom("agents.sort", sorts, "name");

export default function ListPage() {
  const { t } = useTranslation();
  const [state, refresh] = useAtom(agentsAtom);

  return (
    <ItemsPage
      words="agents"
      icon="server"
      createAt={paths.agentCreate}
      cardHeight="18rem"
      items={state.data?.agents}
      total={state.data?.total}
      state={state}
      refresh={() => void refresh()}
      filters={filters.map((value) => ({ value, label: t(value === "all" ? "agents.all" : `agents.status.${value}`) }))}
      filterLabel={t("agents.filter")}
      sorts={sorts.map((value) => ({ value, label: t(`agents.sort.${value}`) }))}
      sortAtom={sortAtom}
      viewAtom={viewAtom}
      select={selectAgents}
      count={countAgents}
      card={(agent, onDelete) => <AgentCard agent={agent} onDelete={onDelete} heading="h2" />}
      table={(agents, onDelete) => <AgentTable agents={agents} onDelete={onDelete} />}
      dialog={(agent, on) => <DeleteAgent agent={agent} {...on} />}
    />
  );
}
