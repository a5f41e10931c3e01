import type { ReactNode } from "react";
import { Link } from "wouter";
import { Icon } from "../controls/icon";

/** The link above the title of a page, to the page that it belongs to. */
export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link href={to} className="back">
    <Icon name="left" />
    {children}
  </Link>
);
