import { useState } from "react";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { DetailActions } from "../../../ui/lists/detail-actions";
import { MenuItem } from "../../../ui/lists/row-menu";
import { MaintenancePart } from "../../maintenance/start/choices";
import { DrillDialog } from "../../notifications/drill/drill-dialog";
import { MuteChoices } from "../../notifications/mute/mute-menu";
import { AcknowledgeInHead } from "../../problems/acknowledge";
import { DeleteTarget } from "../../problems/delete-target";
import { MoveDialog, MoveItem } from "../../teams/move";
import { useCanChange } from "../../teams/use-can-change";
import type { ServerDetail } from "../api";
import { offlineOutage } from "./open-problems";

type Props = {
  agent: ServerDetail;
  loading: boolean;
  deleted: boolean;
  onRefresh: () => void;
  onDeleted: () => void;
};

export function ServerActions({ agent, loading, deleted, onRefresh, onDeleted }: Props) {
  const { t } = useTranslation();
  const [isDrilling, setDrilling] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const { id, name, owner, muted } = agent;
  const canChange = useCanChange(agent);
  const isOwn = canChange && owner === undefined;
  const target = { type: "agent", id, name, team: agent.team } as const;
  return (
    <DetailActions
      canChange={canChange}
      editAt={paths.agentEdit(id)}
      alertsAt={owner === undefined ? `${paths.agent(id)}?tab=alerts` : undefined}
      listAt={paths.agents}
      leaveAfter={3000}
      deleted={deleted}
      onDeleted={onDeleted}
      menu={
        <>
          {isOwn && (
            <MenuItem icon="play" onClick={() => setDrilling(true)}>
              {t("notifications.drill.action")}
            </MenuItem>
          )}
          {isOwn && <MoveItem onClick={() => setMoving(true)} />}
          {canChange && <hr />}
          <MuteChoices target={target} muted={muted} onChanged={onRefresh} />
          <hr />
          <MaintenancePart target={target} onChanged={onRefresh} />
        </>
      }
      dialog={(on) => <DeleteTarget target={target} {...on} />}
      main={<AcknowledgeInHead outage={offlineOutage(agent)} onChanged={onRefresh} />}
      action={{
        ...{ icon: "refresh", label: t("common.action.refresh"), isIcon: true },
        ...{ busy: loading, onClick: onRefresh },
      }}
    >
      {isDrilling && <DrillDialog target={target} onClose={() => setDrilling(false)} />}
      {isMoving && <MoveDialog of={target} onMoved={onRefresh} onClose={() => setMoving(false)} />}
    </DetailActions>
  );
}
