import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { toast } from "../../ui/toast";
import { useErrorText } from "../../ui/use-error-text";
import { deleteMonitor, type Monitor } from "./calls";

type Props = { monitor: Pick<Monitor, "id" | "name">; onDeleted: () => void; onClose: () => void };

export function DeleteMonitor({ monitor: { id, name }, onDeleted, onClose }: Props) {
  const { t } = useTranslation();
  const words = useErrorText();

  const onConfirm = async () => {
    try {
      await deleteMonitor(id);
      toast(t("monitors.deleted", { name }));
      onDeleted();
    } catch (error) {
      toast(`${t("monitors.deleteFailed")}: ${words(error)}`, { tone: "bad" });
    }
  };

  return (
    <ConfirmDialog
      title={t("monitors.deleteTitle", { name })}
      text={t("monitors.deleteText")}
      confirm={t("common.action.delete")}
      busy={t("common.action.deleting")}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
