import { useSetAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { MenuItem } from "../../../ui/lists/row-menu";
import { MaintenancePart } from "../../maintenance/start/choices";
import { MuteChoices } from "../../notifications/mute/mute-menu";
import { pauseMonitor } from "../../problems/api";
import { useCanChange } from "../../teams/use-can-change";
import { type ListedMonitor, monitorsAtom, resumeMonitor } from "../api";

type Props = { monitor: ListedMonitor; onDelete: (monitor: ListedMonitor) => void };

/** The actions of a monitor in the menu of its row or card. */
export function MonitorMenu({ monitor, onDelete }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const refresh = useSetAtom(monitorsAtom);
  const canChange = useCanChange(monitor);
  const { id, name, active } = monitor;

  const toggle = async () => {
    try {
      await (active ? pauseMonitor(id) : resumeMonitor(id));
      toast(t(active ? "monitors.detail.paused" : "monitors.detail.resumed"));
    } catch (error) {
      toast(failureText(t("monitors.detail.changeFailed"), error), { tone: "bad" });
    }
    await refresh();
  };

  return (
    <>
      <MenuItem icon="eye" href={paths.monitor(id)}>
        {t("common.action.view")}
      </MenuItem>
      {canChange && (
        <MenuItem icon="edit" href={paths.monitorEdit(id)}>
          {t("common.action.edit")}
        </MenuItem>
      )}
      <MenuItem icon="copy" href={`${paths.monitorCreate}?clone=${id}`}>
        {t("bulk.clone")}
      </MenuItem>
      {canChange && (
        <MenuItem icon={active ? "pause" : "play"} onClick={() => void toggle()}>
          {t(active ? "monitors.detail.pause" : "monitors.detail.resume")}
        </MenuItem>
      )}
      <hr />
      <MuteChoices
        target={{ type: "monitor", id, name, team: monitor.team }}
        muted={monitor.muted}
        onChanged={() => void refresh()}
      />
      <hr />
      <MaintenancePart target={{ type: "monitor", id, team: monitor.team }} onChanged={() => void refresh()} />
      {canChange && (
        <MenuItem icon="trash" onClick={() => onDelete(monitor)}>
          {t("common.action.delete")}
        </MenuItem>
      )}
    </>
  );
}
