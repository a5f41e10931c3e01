import { useSetAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { MenuItem } from "../../../ui/lists/row-menu";
import { MaintenancePart } from "../../maintenance/start/choices";
import { MuteChoices } from "../../notifications/mute/mute-menu";
import { useCanChange } from "../../teams/use-can-change";
import { type Server, serversAtom } from "../api";

type Props = { agent: Server; onDelete: (agent: Server) => void };

/** The actions of a server in the menu of its row or card. */
export function ServerMenu({ agent, onDelete }: Props) {
  const { t } = useTranslation();
  const refresh = useSetAtom(serversAtom);
  const canChange = useCanChange(agent);
  const { id, name, muted } = agent;
  return (
    <>
      <MenuItem icon="eye" href={paths.agent(id)}>
        {t("common.action.view")}
      </MenuItem>
      {canChange && (
        <MenuItem icon="edit" href={paths.agentEdit(id)}>
          {t("common.action.edit")}
        </MenuItem>
      )}
      <hr />
      <MuteChoices
        target={{ type: "agent", id, name, team: agent.team }}
        muted={muted}
        onChanged={() => void refresh()}
      />
      <hr />
      <MaintenancePart target={{ type: "agent", id, team: agent.team }} onChanged={() => void refresh()} />
      {canChange && (
        <MenuItem icon="trash" onClick={() => onDelete(agent)}>
          {t("common.action.delete")}
        </MenuItem>
      )}
    </>
  );
}
