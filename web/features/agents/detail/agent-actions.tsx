import { paths } from "../../../paths";
import { RefreshButton } from "../../../ui/controls/refresh-button";
import { DetailActions } from "../../../ui/lists/detail-actions";
import { DrillButton } from "../../notifications/drill/drill-dialog";
import { MuteMenu } from "../../notifications/mute/mute-menu";
import { DeleteTarget } from "../../problems/delete-target";
import type { AgentDetail } from "../api";

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
      dialog={(on) => <DeleteTarget target={{ type: "agent", id: agent.id, name: agent.name }} {...on} />}
    >
      <RefreshButton loading={loading} onRefresh={onRefresh} />
      <MuteMenu target={{ type: "agent", id: agent.id, name: agent.name }} muted={agent.muted} onChanged={onRefresh} />
      {agent.owner === undefined && (
        <DrillButton target={{ type: "agent", id: agent.id, name: agent.name }} disabled={deleted} />
      )}
    </DetailActions>
  );
}
