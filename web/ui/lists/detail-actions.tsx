import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "../controls/icon";
import { Menu } from "../controls/menu";
import { useDelayedNavigate } from "../hooks/use-submit";
import { MenuItem } from "./row-menu";

type Props = {
  /** The buttons of the item's kind, before the common ones. */
  children: ReactNode;
  /** Rarer actions, as items of a menu before the common ones. */
  menu: ReactNode;
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

/** The buttons in the head of an item's page: state, edit, and a menu that ends with delete. */
export function DetailActions(props: Props) {
  const { children, menu, editAt, alertsAt, listAt, leaveAfter, deleted, onDeleted, dialog } = props;
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
      {!deleted && (
        <Menu label={t("common.action.more")} button={<Icon name="more" />}>
          {menu}
          {alertsAt !== undefined && (
            <MenuItem icon="bell" href={alertsAt}>
              {t("notifications.specific.link")}
            </MenuItem>
          )}
          <hr />
          <MenuItem icon="trash" onClick={() => setDeleting(true)}>
            {t("common.action.delete")}
          </MenuItem>
        </Menu>
      )}
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
