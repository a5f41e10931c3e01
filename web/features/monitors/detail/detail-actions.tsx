import { useSetAtom } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useDelayedNavigate } from "../../../ui/hooks/use-delayed-navigate";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { monitorsDownAtom } from "../../../ui/layout/page-title";
import { checkMonitor, type MonitorDetail, pauseMonitor, resumeMonitor } from "../calls";
import { DeleteMonitor } from "./delete-monitor";

const backAfter = 1500;

type Props = { monitor: MonitorDetail; onChanged: () => void; onDeleted: () => void };

export function DetailActions({ monitor, onChanged, onDeleted }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const failureText = useFailureText();
  const checkError = useCheckError();
  const leave = useDelayedNavigate();
  const [checking, startCheck] = useTransition();
  const [changing, startChange] = useTransition();
  const [deleting, setDeleting] = useState(false);
  const [gone, setGone] = useState(false);
  const setDown = useSetAtom(monitorsDownAtom);
  const { id, active, owner } = monitor;

  const check = () =>
    startCheck(async () => {
      try {
        const { check } = await checkMonitor(monitor);
        const change = Number(check.status === "down") - Number(monitor.status === "down");
        if (active) setDown((count) => Math.max(0, count + change));
        if (check.status === "up")
          toast(t("monitors.detail.checkedUp", { time: format.milliseconds(check.response_time) }));
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

  return (
    <div className="actions">
      <button type="button" onClick={check} disabled={checking || gone} className={checking ? "turning" : undefined}>
        <Icon name="refresh" />
        {t(checking ? "monitors.detail.checking" : "monitors.detail.check")}
      </button>
      <button type="button" className="plain" onClick={toggle} disabled={changing || gone}>
        <Icon name={active ? "pause" : "play"} />
        {t(active ? "monitors.detail.pause" : "monitors.detail.resume")}
      </button>
      <Link href={paths.monitorEdit(id)} className="button plain">
        <Icon name="edit" />
        {t("common.action.edit")}
      </Link>
      {/* Somebody else's alerts are for them to set. */}
      {owner === undefined && (
        <Link href={`${paths.notifications}?tab=monitors&id=${id}`} className="button plain">
          <Icon name="bell" />
          {t("notifications.specific.link")}
        </Link>
      )}
      <button type="button" className="plain" onClick={() => setDeleting(true)} disabled={gone}>
        <Icon name="trash" />
        {t("common.action.delete")}
      </button>
      {deleting && (
        <DeleteMonitor
          monitor={monitor}
          onDeleted={() => {
            setGone(true);
            onDeleted();
            leave(paths.monitors, backAfter);
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}
