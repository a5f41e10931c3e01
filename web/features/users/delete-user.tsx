import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { toast } from "../../ui/toast";
import { useErrorText } from "../../ui/use-error-text";
import { deleteUser, findUser, type Owns, type User } from "./calls";

const kinds = ["monitors", "agents", "channels"] as const;

type Props = { user: Pick<User, "id" | "username">; onDeleted: () => void; onClose: () => void };

/** Asks before a user is deleted, and says what goes with them. */
export function DeleteUser({ user: { id, username: name }, onDeleted, onClose }: Props) {
  const { t } = useTranslation();
  const words = useErrorText();
  const [owns, setOwns] = useState<Owns>();

  useEffect(() => {
    let asked = true;
    // Without the counts the question stands all the same.
    findUser(id).then(
      (answer) => asked && setOwns(answer.owns),
      () => {},
    );
    return () => {
      asked = false;
    };
  }, [id]);

  const onConfirm = async () => {
    try {
      await deleteUser(id);
      toast(t("users.delete.done", { name }));
      onDeleted();
    } catch (error) {
      toast(`${t("users.delete.failed")}: ${words(error)}`, { tone: "bad" });
    }
  };

  const counted = kinds.filter((kind) => owns && owns[kind] > 0);
  return (
    <ConfirmDialog
      title={t("users.delete.title", { name })}
      text={t("users.delete.text")}
      confirm={t("common.action.delete")}
      busy={t("common.action.deleting")}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <ul className="consequences">
        {counted.map((kind) => (
          <li key={kind}>{t(`users.delete.${kind}`, { count: owns?.[kind] ?? 0 })}</li>
        ))}
        <li>{t("users.delete.rest")}</li>
      </ul>
    </ConfirmDialog>
  );
}
