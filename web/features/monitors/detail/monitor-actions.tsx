import { useSetAtom } from "jotai";
import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { monitorsDownAtom } from "../../../ui/layout/page-title";
import { DetailActions } from "../../../ui/lists/detail-actions";
import { DrillButton } from "../../notifications/drill/drill-dialog";
import { MuteMenu } from "../../notifications/mute/mute-menu";
import { pauseMonitor } from "../../problems/api";
import { DeleteTarget } from "../../problems/delete-target";
import { phasesText } from "../../problems/phases";
import { checkMonitor, type MonitorDetail, resumeMonitor } from "../api";

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
  const setDown = useSetAtom(monitorsDownAtom);
  const { id, active, owner } = monitor;

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

  const switchButton = (
    <button type="button" className={active ? "plain" : undefined} onClick={toggle} disabled={changing || deleted}>
      <Icon name={active ? "pause" : "play"} />
      {t(active ? "monitors.detail.pause" : "monitors.detail.resume")}
    </button>
  );

  return (
    <DetailActions
      editAt={paths.monitorEdit(id)}
      alertsAt={owner === undefined ? `${paths.notifications}?tab=monitors&id=${id}` : undefined}
      listAt={paths.monitors}
      leaveAfter={1500}
      deleted={deleted}
      onDeleted={onDeleted}
      dialog={(on) => <DeleteTarget target={{ type: "monitor", id, name: monitor.name }} {...on} />}
    >
      {!active && switchButton}
      {!passive && (
        <button
          type="button"
          onClick={check}
          title={t(active ? "monitors.detail.checkAlerts" : "monitors.detail.checkSilent")}
          disabled={checking || deleted}
          className={[...(active ? [] : ["plain"]), ...(checking ? ["turning"] : [])].join(" ") || undefined}
        >
          <Icon name="refresh" />
          {t(checking ? "monitors.detail.checking" : "monitors.detail.check")}
        </button>
      )}
      {active && switchButton}
      <MuteMenu target={{ type: "monitor", id, name: monitor.name }} muted={monitor.muted} onChanged={onChanged} />
      {owner === undefined && <DrillButton target={{ type: "monitor", id, name: monitor.name }} disabled={deleted} />}
    </DetailActions>
  );
}
