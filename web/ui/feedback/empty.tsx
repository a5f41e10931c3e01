import type { ReactNode } from "react";
import { Icon, type IconName } from "../controls/icon";

/** An empty state: a title, a text, and the buttons for the next step as children. */
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
