import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { toast } from "../../ui/toast";
import { useErrorText } from "../../ui/use-error-text";
import { type Agent, deleteAgent } from "./calls";

type Props = { agent: Pick<Agent, "id" | "name">; onDeleted: () => void; onClose: () => void };

export function DeleteAgent({ agent: { id, name }, onDeleted, onClose }: Props) {
  const { t } = useTranslation();
  const words = useErrorText();

  const onConfirm = async () => {
    try {
      await deleteAgent(id);
      toast(t("agents.deleted", { name }));
      onDeleted();
    } catch (error) {
      toast(`${t("agents.deleteFailed")}: ${words(error, t("agents.deleteAgain"))}`, { tone: "bad" });
    }
  };

  return (
    <ConfirmDialog
      title={t("agents.deleteTitle", { name })}
      text={t("agents.deleteText")}
      confirm={t("common.action.delete")}
      busy={t("common.action.deleting")}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
