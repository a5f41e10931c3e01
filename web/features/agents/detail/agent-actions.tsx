import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { RefreshButton } from "../../../ui/controls/refresh-button";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { DetailActions } from "../../../ui/lists/detail-actions";
import { DrillButton } from "../../notifications/drill/drill-dialog";
import { MuteMenu } from "../../notifications/mute/mute-menu";
import { type Agent, type AgentDetail, deleteAgent } from "../api";

type Props = {
  agent: AgentDetail;
  loading: boolean;
  deleted: boolean;
  onRefresh: () => void;
  onDeleted: () => void;
};

export function AgentActions({ agent, loading, deleted, onRefresh, onDeleted }: Props) {
  return (
    <DetailActions
      editAt={paths.agentEdit(agent.id)}
      alertsAt={agent.owner === undefined ? `${paths.notifications}?tab=agents&id=${agent.id}` : undefined}
      listAt={paths.agents}
      leaveAfter={3000}
      deleted={deleted}
      onDeleted={onDeleted}
      dialog={(on) => <DeleteAgent agent={agent} {...on} />}
    >
      <RefreshButton loading={loading} onRefresh={onRefresh} />
      <MuteMenu target={{ type: "agent", id: agent.id, name: agent.name }} muted={agent.muted} onChanged={onRefresh} />
      {agent.owner === undefined && (
        <DrillButton target={{ type: "agent", id: agent.id, name: agent.name }} disabled={deleted} />
      )}
    </DetailActions>
  );
}

type DeleteProps = { agent: Pick<Agent, "id" | "name">; onDeleted: () => void; onClose: () => void };

export function DeleteAgent({ agent: { id, name }, ...on }: DeleteProps) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t("agents.deleteTitle", { name })}
      text={t("agents.deleteText")}
      done={t("agents.deleted", { name })}
      failed={t("agents.deleteFailed")}
      otherwise={t("agents.deleteAgain")}
      remove={() => deleteAgent(id)}
      {...on}
    />
  );
}
