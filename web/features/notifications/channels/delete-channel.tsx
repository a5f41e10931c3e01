import { useTranslation } from "react-i18next";
import { DeleteDialog } from "../../../ui/feedback/delete-dialog";
import { deleteChannel } from "../calls";
import type { Channel } from "../normalise";

type Props = { channel: Channel; onDeleted: () => void; onClose: () => void };

export function DeleteChannel({ channel: { id, name }, ...on }: Props) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t("notifications.channel.deleteTitle", { name })}
      text={t("notifications.channel.deleteText")}
      done={t("notifications.channel.deleted", { name })}
      failed={t("notifications.channel.deleteFailed")}
      remove={() => deleteChannel(id)}
      {...on}
    />
  );
}
