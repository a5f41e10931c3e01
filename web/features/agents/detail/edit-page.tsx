import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useDelayedNavigate } from "../../../ui/hooks/use-delayed-navigate";
import { agentAtom } from "../agents-state";
import { renameAgent } from "../calls";
import { AgentMissing, AgentProblem, isAgentId } from "../list/agent-problem";
import { NameForm } from "./name-form";

const toastLasts = 2000;
const backAfter = 1500;

export default function EditPage({ id }: { id: string }) {
  return isAgentId(id) ? <Edit id={id} /> : <AgentMissing id={id} />;
}

function Edit({ id }: { id: string }) {
  const { t } = useTranslation();
  const leave = useDelayedNavigate();
  const [{ data, error }, refresh] = useAtom(agentAtom(id));

  if (!data && error) return <AgentProblem id={id} error={error} onRetry={() => void refresh()} />;
  return (
    <div className="narrow">
      <div className="page-head">
        <h1>{t("agents.edit.title")}</h1>
      </div>
      {data ? (
        <NameForm
          agent={data.agent}
          onSave={async (name) => {
            await renameAgent(id, name);
            void refresh();
            toast(t("agents.edit.saved"), { lasts: toastLasts });
            leave(paths.agents, backAfter);
          }}
        />
      ) : (
        <Skeleton className="sheet" heights={["10rem"]} />
      )}
    </div>
  );
}
