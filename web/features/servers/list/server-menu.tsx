import { useSetAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { MenuItem } from "../../../ui/lists/row-menu";
import { MaintenanceChoices } from "../../maintenance/start/choices";
import { MuteChoices } from "../../notifications/mute/mute-menu";
import { type Server, serversAtom } from "../api";

type Props = { agent: Server; onDelete: (agent: Server) => void };

/** The actions of a server in the menu of its row or card. */
export function ServerMenu({ agent, onDelete }: Props) {
  const { t } = useTranslation();
  const refresh = useSetAtom(serversAtom);
  const { id, name, muted } = agent;
  return (
    <>
      <MenuItem icon="eye" href={paths.agent(id)}>
        {t("common.action.view")}
      </MenuItem>
      <MenuItem icon="edit" href={paths.agentEdit(id)}>
        {t("common.action.edit")}
      </MenuItem>
      <hr />
      <MuteChoices target={{ type: "agent", id, name }} muted={muted} onChanged={() => void refresh()} />
      <hr />
      <MaintenanceChoices targets={() => [{ type: "agent", id, team: agent.team }]} onChanged={() => void refresh()} />
      <hr />
      <MenuItem icon="trash" onClick={() => onDelete(agent)}>
        {t("common.action.delete")}
      </MenuItem>
    </>
  );
}
