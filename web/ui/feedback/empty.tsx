import type { ReactNode } from "react";
import type { IconName } from "../../lib/icon-paths";
import { Icon } from "../controls/icon";

/** Nothing here yet: what to do next, and the button for it. */
export function Empty({
  icon,
  title,
  text,
  heading: Heading = "h3",
  children,
}: {
  icon: IconName;
  title: string;
  text?: string;
  heading?: "h1" | "h2" | "h3";
  children?: ReactNode;
}) {
  return (
    <div className="empty-state">
      <Icon name={icon} />
      <Heading>{title}</Heading>
      {text && <p>{text}</p>}
      {children && <div className="actions">{children}</div>}
    </div>
  );
}
