import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { useCanChange } from "../../teams/use-can-change";
import { type MaintenanceTarget, startMaintenance } from "./api";

const MINUTES = [15, 60, 240];

/** The ways to start maintenance at once, as words and actions. Each says in a notice when it ends. */
export const useMaintenanceActions = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const failureText = useFailureText();
  return (read: () => Promise<readonly MaintenanceTarget[]> | readonly MaintenanceTarget[]) =>
    MINUTES.map((minutes) => {
      const length = format.elapsed(minutes * 60);
      const run = async () => {
        try {
          const until = await startMaintenance(await read(), minutes);
          toast(t("notifications.maintenance.started", { time: format.moment(until) }));
        } catch (error) {
          toast(failureText(t("notifications.maintenance.failed"), error), { tone: "bad" });
        }
      };
      return { minutes, length, label: t("notifications.maintenance.for", { length }), run };
    });
};

type Props = { targets: Parameters<ReturnType<typeof useMaintenanceActions>>[0]; onChanged: () => void };

/** The part of an item's menu that starts maintenance; nothing for those who may not change the item. */
export function MaintenancePart({ target, onChanged }: { target: MaintenanceTarget } & Pick<Props, "onChanged">) {
  const canChange = useCanChange(target);
  if (!canChange) return null;
  return (
    <>
      <MaintenanceChoices targets={() => [target]} onChanged={onChanged} />
      <hr />
    </>
  );
}

/** The items of a menu that start maintenance, in one row below a title. */
export function MaintenanceChoices({ targets, onChanged }: Props) {
  const { t } = useTranslation();
  const actions = useMaintenanceActions()(targets);
  const [busy, start] = useTransition();
  return (
    <>
      <div className="menu-title">{t("notifications.maintenance.title")}</div>
      <div className="menu-row">
        {actions.map(({ minutes, length, label, run }) => (
          <button
            key={minutes}
            type="button"
            role="menuitem"
            aria-label={label}
            disabled={busy}
            onClick={() =>
              start(async () => {
                await run();
                onChanged();
              })
            }
          >
            {length}
          </button>
        ))}
      </div>
    </>
  );
}
