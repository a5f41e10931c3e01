import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { toast } from "../../ui/toast";
import { useErrorText } from "../../ui/use-error-text";
import { deleteChannel } from "./calls";
import type { Channel } from "./normalise";

type Props = { channel: Channel; onDeleted: () => void; onClose: () => void };

export function DeleteChannel({ channel: { id, name }, onDeleted, onClose }: Props) {
  const { t } = useTranslation();
  const words = useErrorText();

  const onConfirm = async () => {
    try {
      await deleteChannel(id);
      toast(t("notifications.channel.deleted", { name }));
      onDeleted();
    } catch (error) {
      toast(`${t("notifications.channel.deleteFailed")}: ${words(error)}`, { tone: "bad" });
    }
  };

  return (
    <ConfirmDialog
      title={t("notifications.channel.deleteTitle", { name })}
      text={t("notifications.channel.deleteText")}
      confirm={t("common.action.delete")}
      busy={t("common.action.deleting")}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
