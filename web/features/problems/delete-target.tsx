import { useTranslation } from "react-i18next";
import type { TargetType } from "../../../src/shared/notifications";
import { api, payload } from "../../api";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";

type Props = {
  target: { type: TargetType; id: number; name: string };
  onDeleted: () => void;
  onClose: () => void;
};

/** Asks whether a monitor or a server is to be deleted, and deletes it. */
export function DeleteTarget({ target: { type, id, name }, ...on }: Props) {
  const { t } = useTranslation();
  const isMonitor = type === "monitor";
  const words = isMonitor ? "monitors" : "agents";
  return (
    <DeleteDialog
      title={t(`${words}.deleteTitle`, { name })}
      text={t(`${words}.deleteText`)}
      done={t(`${words}.deleted`, { name })}
      failed={t(`${words}.deleteFailed`)}
      otherwise={isMonitor ? undefined : t("agents.deleteAgain")}
      remove={() => payload(isMonitor ? api.monitors({ id }).delete() : api.agents({ id }).delete())}
      {...on}
    />
  );
}
