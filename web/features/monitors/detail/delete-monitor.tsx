import { useTranslation } from "react-i18next";
import { DeleteDialog } from "../../../ui/feedback/delete-dialog";
import { deleteMonitor, type Monitor } from "../calls";

type Props = { monitor: Pick<Monitor, "id" | "name">; onDeleted: () => void; onClose: () => void };

export function DeleteMonitor({ monitor: { id, name }, ...on }: Props) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t("monitors.deleteTitle", { name })}
      text={t("monitors.deleteText")}
      done={t("monitors.deleted", { name })}
      failed={t("monitors.deleteFailed")}
      remove={() => deleteMonitor(id)}
      {...on}
    />
  );
}
