import { useTranslation } from "react-i18next";
import { DeleteDialog } from "../../../ui/feedback/delete-dialog";
import { type Key, revokeKey } from "../calls";

type Props = { of: Pick<Key, "id" | "name">; onDeleted: () => void; onClose: () => void };

export function RevokeKey({ of: { id, name }, ...on }: Props) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      title={t("profile.keys.revokeTitle", { name })}
      text={t("profile.keys.revokeText")}
      done={t("profile.keys.revoked", { name })}
      failed={t("profile.keys.revokeFailed")}
      action={{ label: t("profile.keys.revoke"), busy: t("profile.keys.revoking") }}
      remove={() => revokeKey(id)}
      {...on}
    />
  );
}
