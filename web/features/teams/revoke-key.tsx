import { useTranslation } from "react-i18next";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { revokeKey } from "./api";

type Props = { of: { id: number; name: string }; onDeleted: () => void; onClose: () => void };

/** Revokes an API key of the user, or of a team that they own. */
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
