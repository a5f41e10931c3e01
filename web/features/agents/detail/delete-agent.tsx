import { useTranslation } from "react-i18next";
import { DeleteDialog } from "../../../ui/feedback/delete-dialog";
import { type Agent, deleteAgent } from "../calls";

type Props = { agent: Pick<Agent, "id" | "name">; onDeleted: () => void; onClose: () => void };

export function DeleteAgent({ agent: { id, name }, ...on }: Props) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t("agents.deleteTitle", { name })}
      text={t("agents.deleteText")}
      done={t("agents.deleted", { name })}
      failed={t("agents.deleteFailed")}
      otherwise={t("agents.deleteAgain")}
      remove={() => deleteAgent(id)}
      {...on}
    />
  );
}
