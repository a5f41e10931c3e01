import { useAtomValue } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { useMedia } from "../../lib/hooks/use-media";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { Menu } from "../../ui/controls/menu";
import { toast } from "../../ui/feedback/toast";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { MenuItem } from "../../ui/lists/row-menu";
import { MuteChoices, MuteMenu } from "../notifications/mute/mute-menu";
import { useCanChange } from "../teams/use-can-change";
import { useAcknowledge } from "./acknowledge";
import { checkNow, hubUnknownAtom, isPassive, type Problem, pauseMonitor } from "./api";
import { DeleteTarget } from "./delete-target";

/** Two lines and a menu, which also acknowledges. The same width is in phone.css. */
const NARROW = "(max-width: 48rem)";
/** Room for the buttons of a row beside its menu. */
const ROOMY = "(min-width: 93.75rem)";

type Props = {
  problem: Problem;
  /** Whether the row has one problem, which its menu then acknowledges where the row has no button for it. */
  isSingle: boolean;
  /** Whether it is shown above a list, in whose columns the row has no room for buttons. */
  inList: boolean;
  onChanged: () => void;
};

/** What can be done with the target of a problem: all of it in a menu, the frequent ones also as buttons where there is room. */
export function ProblemActions({ problem, isSingle, inList, onChanged }: Props) {
  const { t } = useTranslation();
  const isNarrow = useMedia(NARROW);
  const isRoomy = useMedia(ROOMY) && !inList;
  const [isDeleting, setDeleting] = useState(false);
  const { busy, check, stop } = useActions(problem, onChanged);
  const { target_type: type, target_id: id, target_name: name, muted } = problem;
  const target = { type, id, name, team: problem.team };
  const canChange = useCanChange(target);
  const mute = { target, muted, onChanged };
  const acknowledging = useAcknowledge({
    outage: { id: problem.id, name },
    acknowledged: problem.acknowledged,
    onChanged,
  });
  const isMonitor = type === "monitor";
  const isUnknown = useAtomValue(hubUnknownAtom) !== null;
  const [viewAt, editAt] = isMonitor
    ? [paths.monitor(id), paths.monitorEdit(id)]
    : [paths.agent(id), paths.agentEdit(id)];
  const actions = [
    ...(isMonitor && !isPassive(problem) && !isUnknown
      ? [{ label: t("problems.check"), icon: "refresh", onClick: check } as const]
      : []),
    ...(isMonitor && canChange ? [{ label: t("problems.pause"), icon: "pause", onClick: stop } as const] : []),
  ];

  return (
    <div className="problem-actions">
      {isRoomy && (
        <>
          {actions.map(({ label, icon, onClick }) => (
            <IconButton key={label} icon={icon} label={label} of={name} disabled={busy} onClick={onClick} />
          ))}
          <MuteMenu {...mute} />
        </>
      )}
      <Menu label={t("problems.actions", { name })} button={<Icon name="more" />}>
        {isNarrow && isSingle && (
          <MenuItem icon={problem.acknowledged ? "cross" : "check"} onClick={acknowledging.onClick}>
            {acknowledging.label}
          </MenuItem>
        )}
        {!isRoomy &&
          actions.map(({ label, icon, onClick }) => (
            <MenuItem key={label} icon={icon} onClick={onClick}>
              {label}
            </MenuItem>
          ))}
        <MenuItem icon="eye" href={viewAt}>
          {t("common.action.view")}
        </MenuItem>
        {canChange && (
          <MenuItem icon="edit" href={editAt}>
            {t("common.action.edit")}
          </MenuItem>
        )}
        {!isRoomy && (
          <>
            <hr />
            <MuteChoices {...mute} />
          </>
        )}
        {canChange && (
          <>
            <hr />
            <MenuItem icon="trash" onClick={() => setDeleting(true)}>
              {t("common.action.delete")}
            </MenuItem>
          </>
        )}
      </Menu>
      {acknowledging.dialog}
      {isDeleting && <DeleteTarget target={target} onDeleted={onChanged} onClose={() => setDeleting(false)} />}
    </div>
  );
}

const useActions = ({ target_id, target_name }: Problem, onChanged: () => void) => {
  const { t } = useTranslation();
  const format = useFormat();
  const failureText = useFailureText();
  const checkError = useCheckError();
  const [busy, start] = useTransition();

  const run = (failed: string, action: () => Promise<void>) =>
    start(async () => {
      try {
        await action();
      } catch (error) {
        toast(failureText(failed, error), { tone: "bad" });
      }
      onChanged();
    });

  const check = () =>
    run(t("monitors.detail.checkFailed"), async () => {
      const { check } = await checkNow(target_id);
      if (check.status === "up")
        toast(t("problems.checkedUp", { name: target_name, time: format.milliseconds(check.response_time) }));
      else toast(t("problems.checkedDown", { name: target_name, reason: checkError(check) }), { tone: "bad" });
    });
  const stop = () =>
    run(t("monitors.detail.changeFailed"), async () => {
      await pauseMonitor(target_id);
      toast(t("problems.paused", { name: target_name }));
    });
  return { busy, check, stop };
};
