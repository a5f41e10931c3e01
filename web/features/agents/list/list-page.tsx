import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { choiceAtom } from "../../../lib/storage";
import { paths } from "../../../paths";
import { ItemsPage } from "../../../ui/lists/items-page";
import { agentsAtom } from "../api";
import { DeleteAgent } from "../detail/agent-actions";
import { AgentCard } from "./agent-card";
import { AgentRow, AgentTable } from "./agent-table";
import { countAgents, filters, selectAgents, sorts } from "./select-agents";

const viewAtom = choiceAtom("agents.view", ["grid", "list"], "grid");
const sortAtom = choiceAtom("agents.sort", sorts, "name");

export default function ListPage() {
  const { t } = useTranslation();
  const [state, refresh] = useAtom(agentsAtom);
  const { agents: all, total = 0 } = state.data ?? {};

  return (
    <ItemsPage
      words="agents"
      icon="server"
      createAt={paths.agentCreate}
      cardHeight={288}
      counts={all && countAgents(all)}
      total={all?.length ?? 0}
      note={
        all && total > all.length ? (
          <p className="soft small">{t("common.partial", { shown: all.length, total })}</p>
        ) : undefined
      }
      state={state}
      refresh={() => void refresh()}
      filters={filters.map((value) => ({ value, label: t(value === "all" ? "agents.all" : `agents.status.${value}`) }))}
      filterLabel={t("agents.filter")}
      sorts={sorts.map((value) => ({ value, label: t(`agents.sort.${value}`) }))}
      sortAtom={sortAtom}
      viewAtom={viewAtom}
      select={(by) => {
        const items = selectAgents(all ?? [], by);
        return { items, offset: 0, total: items.length };
      }}
      card={(agent, onDelete) => <AgentCard agent={agent} onDelete={onDelete} heading="h2" />}
      row={(agent, onDelete) => <AgentRow agent={agent} onDelete={onDelete} />}
      table={(body) => <AgentTable body={body} />}
      dialog={(agent, on) => <DeleteAgent agent={agent} {...on} />}
    />
  );
}
