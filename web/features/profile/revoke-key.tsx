import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { toast } from "../../ui/toast";
import { useErrorText } from "../../ui/use-error-text";
import { type Key, revokeKey } from "./calls";

type Props = { of: Pick<Key, "id" | "name">; onRevoked: () => void; onClose: () => void };

export function RevokeKey({ of: { id, name }, onRevoked, onClose }: Props) {
  const { t } = useTranslation();
  const words = useErrorText();

  const onConfirm = async () => {
    try {
      await revokeKey(id);
      toast(t("profile.keys.revoked", { name }));
      onRevoked();
    } catch (error) {
      toast(`${t("profile.keys.revokeFailed")}: ${words(error)}`, { tone: "bad" });
    }
  };

  return (
    <ConfirmDialog
      title={t("profile.keys.revokeTitle", { name })}
      text={t("profile.keys.revokeText")}
      confirm={t("profile.keys.revoke")}
      busy={t("profile.keys.revoking")}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
