import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "../controls/icon";
import { useDelayedNavigate } from "../hooks/use-submit";

type Props = {
  /** The buttons of the item's kind, before the common ones. */
  children: ReactNode;
  editAt: string;
  /** Where the viewer sets the item's alerts; undefined for an item of another user. */
  alertsAt: string | undefined;
  /** The list that opens after a deletion. */
  listAt: string;
  /** The time between a deletion and the list, in ms. */
  leaveAfter: number;
  deleted: boolean;
  onDeleted: () => void;
  /** The dialog that confirms and performs the deletion. */
  dialog: (on: { onDeleted: () => void; onClose: () => void }) => ReactNode;
};

/** The buttons in the head of an item's page. */
export function DetailActions(props: Props) {
  const { children, editAt, alertsAt, listAt, leaveAfter, deleted, onDeleted, dialog } = props;
  const { t } = useTranslation();
  const leave = useDelayedNavigate();
  const [deleting, setDeleting] = useState(false);

  return (
    <div className="actions">
      {children}
      <Link href={editAt} className="button plain">
        <Icon name="edit" />
        {t("common.action.edit")}
      </Link>
      {alertsAt !== undefined && (
        <Link href={alertsAt} className="button plain">
          {t("notifications.specific.link")}
        </Link>
      )}
      <button type="button" className="plain" onClick={() => setDeleting(true)} disabled={deleted}>
        <Icon name="trash" />
        {t("common.action.delete")}
      </button>
      {deleting &&
        dialog({
          onDeleted: () => {
            onDeleted();
            leave(listAt, leaveAfter);
          },
          onClose: () => setDeleting(false),
        })}
    </div>
  );
}
