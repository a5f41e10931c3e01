import { useSetAtom } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { useUnknownWords } from "../../../ui/hooks/use-unknown-words";
import { monitorsDownAtom } from "../../../ui/layout/page-title";
import { DetailActions } from "../../../ui/lists/detail-actions";
import { MenuItem } from "../../../ui/lists/row-menu";
import { MaintenancePart } from "../../maintenance/start/choices";
import { DrillDialog } from "../../notifications/drill/drill-dialog";
import { MuteChoices } from "../../notifications/mute/mute-menu";
import { AcknowledgeInHead } from "../../problems/acknowledge";
import { pauseMonitor } from "../../problems/api";
import { DeleteTarget } from "../../problems/delete-target";
import { phasesText } from "../../problems/phases";
import { MoveDialog, MoveItem } from "../../teams/move";
import { useCanChange } from "../../teams/use-can-change";
import { checkMonitor, type MonitorDetail, resumeMonitor } from "../api";
import { shownOutage } from "./shown-outage";

type Props = {
  monitor: MonitorDetail;
  /** Whether it can't be checked. */
  passive?: boolean;
  deleted: boolean;
  onChanged: () => void;
  onDeleted: () => void;
};

export function MonitorActions({ monitor, passive = false, deleted, onChanged, onDeleted }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const failureText = useFailureText();
  const checkError = useCheckError();
  const [checking, startCheck] = useTransition();
  const [changing, startChange] = useTransition();
  const [isDrilling, setDrilling] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const setDown = useSetAtom(monitorsDownAtom);
  const unknownWords = useUnknownWords();
  const { id, active, owner, unknown } = monitor;
  const canChange = useCanChange(monitor);
  const isOwn = canChange && owner === undefined;

  const check = () =>
    startCheck(async () => {
      try {
        const { check, phases } = await checkMonitor(monitor);
        const change = Number(check.status === "down") - Number(monitor.status === "down");
        if (active) setDown((count) => Math.max(0, count + change));
        if (check.status === "up")
          toast(
            [
              t("monitors.detail.checkedUp", { time: format.milliseconds(check.response_time) }),
              phases && phasesText(phases, t, format.milliseconds),
            ]
              .filter(Boolean)
              .join(" · "),
          );
        else toast(t("monitors.detail.checkedDown", { reason: checkError(check) }), { tone: "bad" });
      } catch (error) {
        toast(failureText(t("monitors.detail.checkFailed"), error), { tone: "bad" });
      }
      onChanged();
    });

  const toggle = () =>
    startChange(async () => {
      try {
        await (active ? pauseMonitor(id) : resumeMonitor(id));
        toast(t(active ? "monitors.detail.paused" : "monitors.detail.resumed"));
      } catch (error) {
        toast(failureText(t("monitors.detail.changeFailed"), error), { tone: "bad" });
      }
      onChanged();
    });

  const target = { type: "monitor", id, name: monitor.name, team: monitor.team } as const;
  return (
    <DetailActions
      canChange={canChange}
      editAt={paths.monitorEdit(id)}
      alertsAt={owner === undefined ? `${paths.monitor(id)}?tab=alerts` : undefined}
      listAt={paths.monitors}
      leaveAfter={1500}
      deleted={deleted}
      onDeleted={onDeleted}
      menu={
        <>
          {active && canChange && (
            <MenuItem icon="pause" onClick={toggle}>
              {t("monitors.detail.pause")}
            </MenuItem>
          )}
          {isOwn && (
            <MenuItem icon="play" onClick={() => setDrilling(true)}>
              {t("notifications.drill.action")}
            </MenuItem>
          )}
          {isOwn && <MoveItem onClick={() => setMoving(true)} />}
          {canChange && <hr />}
          <MuteChoices target={target} muted={monitor.muted} onChanged={onChanged} />
          <hr />
          <MaintenancePart target={target} onChanged={onChanged} />
        </>
      }
      dialog={(on) => <DeleteTarget target={target} {...on} />}
      main={
        active ? (
          <AcknowledgeInHead outage={shownOutage(monitor)} onChanged={onChanged} />
        ) : (
          canChange && (
            <button type="button" onClick={toggle} disabled={changing || deleted}>
              <Icon name="play" />
              {t("monitors.detail.resume")}
            </button>
          )
        )
      }
      action={
        passive
          ? undefined
          : {
              icon: "refresh",
              label: t(checking ? "monitors.detail.checking" : "monitors.detail.check"),
              title: unknown
                ? unknownWords.because(unknown)
                : t(active ? "monitors.detail.checkAlerts" : "monitors.detail.checkSilent"),
              busy: checking,
              disabled: checking || deleted || unknown !== null,
              onClick: check,
            }
      }
    >
      {isDrilling && <DrillDialog target={target} onClose={() => setDrilling(false)} />}
      {isMoving && <MoveDialog of={target} onMoved={onChanged} onClose={() => setMoving(false)} />}
    </DetailActions>
  );
}
