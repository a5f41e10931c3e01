import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { PHONE, useMedia } from "../../lib/hooks/use-media";
import { Icon, type IconName } from "../controls/icon";
import { Menu } from "../controls/menu";
import { useDelayedNavigate } from "../hooks/use-submit";
import { MenuItem } from "./row-menu";

type Action = {
  icon: IconName;
  label: string;
  title?: string;
  /** Whether the button shows the icon alone. */
  isIcon?: boolean;
  busy: boolean;
  disabled?: boolean;
  onClick: () => void;
};

type Props = {
  /** The main button, which the state of the item asks for. */
  main?: ReactNode;
  /** A frequent action: a button, which is in the menu on phones. */
  action?: Action;
  /** Rarer actions, as items of the menu before the common ones. */
  menu: ReactNode;
  /** Dialogs. */
  children?: ReactNode;
  /** Whether the viewer may edit and delete it. */
  canChange: boolean;
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

/** The buttons in the head of an item's page: what its state asks for, edit, and a menu that ends with delete. */
export function DetailActions(props: Props) {
  const { main, action, menu, children, canChange, editAt, alertsAt } = props;
  const { listAt, leaveAfter, deleted, onDeleted, dialog } = props;
  const { t } = useTranslation();
  const isPhone = useMedia(PHONE);
  const leave = useDelayedNavigate();
  const [deleting, setDeleting] = useState(false);

  return (
    <div className="actions item-actions">
      {main}
      {!isPhone && action && <ActionButton {...action} />}
      {!isPhone && canChange && (
        <Link href={editAt} className="button plain">
          <Icon name="edit" />
          {t("common.action.edit")}
        </Link>
      )}
      {!deleted && (
        <Menu label={t("common.action.more")} button={<Icon name="more" />}>
          {isPhone && action && !action.disabled && (
            <MenuItem icon={action.icon} onClick={action.onClick}>
              {action.label}
            </MenuItem>
          )}
          {isPhone && canChange && (
            <MenuItem icon="edit" href={editAt}>
              {t("common.action.edit")}
            </MenuItem>
          )}
          {menu}
          {alertsAt !== undefined && (
            <MenuItem icon="bell" href={alertsAt}>
              {t("notifications.specific.link")}
            </MenuItem>
          )}
          {canChange && (
            <>
              <hr />
              <MenuItem icon="trash" onClick={() => setDeleting(true)}>
                {t("common.action.delete")}
              </MenuItem>
            </>
          )}
        </Menu>
      )}
      {children}
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

function ActionButton({ icon, label, title = label, isIcon = false, busy, disabled, onClick }: Action) {
  const look = ["plain", ...(busy ? ["turning"] : []), ...(isIcon ? ["icon-only"] : [])].join(" ");
  return (
    <button
      type="button"
      className={look}
      title={title}
      aria-label={isIcon ? label : undefined}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
      {!isIcon && label}
    </button>
  );
}
