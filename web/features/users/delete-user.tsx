import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { DeleteDialog } from "../../ui/feedback/confirm-dialog";
import { deleteUser, findUser, type Owns, type User } from "./api";

const kinds = ["monitors", "agents", "channels", "teams"] as const;

type Props = { user: Pick<User, "id" | "username">; onDeleted: () => void; onClose: () => void };

/** Confirms the deletion of a user and lists what is deleted with the account. */
export function DeleteUser({ user: { id, username: name }, ...on }: Props) {
  const { t } = useTranslation();
  const [owns, setOwns] = useState<Owns>();

  useEffect(() => {
    let mounted = true;
    // The dialog works without the counts.
    findUser(id).then(
      (answer) => mounted && setOwns(answer.owns),
      () => {},
    );
    return () => {
      mounted = false;
    };
  }, [id]);

  const counted = kinds.filter((kind) => owns && owns[kind] > 0);
  return (
    <DeleteDialog
      title={t("users.delete.title", { name })}
      text={t("users.delete.text")}
      done={t("users.delete.done", { name })}
      failed={t("users.delete.failed")}
      remove={() => deleteUser(id)}
      {...on}
    >
      <ul className="consequences">
        {counted.map((kind) => (
          <li key={kind}>{t(`users.delete.${kind}`, { count: owns?.[kind] ?? 0 })}</li>
        ))}
        <li>{t("users.delete.rest")}</li>
      </ul>
    </DeleteDialog>
  );
}
