import type { ReactNode } from "react";
import type { IconName } from "../lib/icon-paths";
import { Icon } from "./icon";

/** Nothing here yet: what to do next, and the button for it. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName;
  title: string;
  text?: string;
  children?: ReactNode;
}) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h3>{title}</h3>
      {text && <p>{text}</p>}
      {children && <div className="actions">{children}</div>}
    </div>
  );
}
