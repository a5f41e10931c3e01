import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon, type IconName } from "../controls/icon";
import { Menu } from "../controls/menu";

/** The menu at the end of a row. It appears on hover and focus, and is always visible on touch screens. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="row-menu">
      <Menu label={t("common.labelled", { label: t("common.action.more"), value: name })} button={<Icon name="more" />}>
        {children}
      </Menu>
    </div>
  );
}

type ItemProps = { icon: IconName; children: ReactNode } & ({ href: string; onClick?: never } | MenuAction);
type MenuAction = { href?: never; onClick: () => void };

/** A link or an action in a menu. Those that delete are red. */
export function MenuItem({ icon, href, onClick, children }: ItemProps) {
  const content = (
    <>
      <Icon name={icon} />
      {children}
    </>
  );
  if (href !== undefined)
    return (
      <Link href={href} role="menuitem">
        {content}
      </Link>
    );
  return (
    <button type="button" role="menuitem" className={icon === "trash" ? "delete" : undefined} onClick={onClick}>
      {content}
    </button>
  );
}
