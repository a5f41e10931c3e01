import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PageIcon, type PageIconName } from "../controls/page-icon";

/** Whom an item belongs to. The API says it only where it is not clear. */
type Belonging = { owner?: string; team?: { name: string } };

/** The owner of another user's item, or the team of a shared one; renders nothing for the viewer's own items. */
export function OwnerTag({ of: { owner, team } }: { of: Belonging }) {
  const { t } = useTranslation();
  const name = owner ?? team?.name;
  if (name === undefined) return null;
  return (
    <span className="tag owner-tag truncate" title={t("common.ownerTitle", { name })}>
      {owner === undefined ? name : t("common.owner", { name })}
    </span>
  );
}

/** A user's role. Every role but `admin` is shown as user. */
export function RoleTag({ role }: { role: string }) {
  const { t } = useTranslation();
  const known = role === "admin" ? "admin" : "user";
  return <span className={known === "admin" ? "tag strong" : "tag"}>{t(`users.role.${known}`)}</span>;
}

const known = [
  "up",
  "degraded",
  "down",
  "pending",
  "paused",
  "unknown",
  "maintenance",
] as const satisfies readonly Tone[];
type Status = (typeof known)[number];

type Stated = { status: string; unknown: object | null; maintenance: object | null };

/**
 * The status of a monitor; `unknown` while its state cannot be known, and `maintenance` in a window, unless it is paused. A
 * name without a word counts as pending.
 */
export const shownStatus = ({ status, unknown, maintenance }: Stated): Status => {
  if (unknown) return "unknown";
  return maintenance && status !== "paused" ? "maintenance" : (known.find((name) => name === status) ?? "pending");
};

export function StatusBadge({ status }: { status: Status }) {
  const { t } = useTranslation();
  return <Badge tone={status}>{t(`common.status.${status}`)}</Badge>;
}

/** A status as a shape, before a name in a row, with its word for screen readers. */
export function StatusMark({ status, label }: { status: Tone | "offline"; label: string }) {
  return (
    <>
      <svg className={`mark ${status}`} viewBox="0 0 10 10" aria-hidden="true">
        {status === "down" ? (
          <path d="M5 .5L10 9.5H0Z" />
        ) : status === "degraded" ? (
          <path d="M1 1H9V9H1Z" />
        ) : status === "unknown" ? (
          <path d="M1.8 2.7C2.2 .2 8.2 .1 8.2 3.2 8.2 5.2 5 5 5 7M5 9.6v.01" />
        ) : status === "maintenance" ? (
          <path d="M1 1H9V4H1ZM1 6H9V9H1Z" />
        ) : status === "offline" ? (
          <path d="M5 0L10 5L5 10L0 5Z" />
        ) : (
          <circle cx="5" cy="5" r={status === "up" ? 4.5 : 3.75} />
        )}
      </svg>
      <span className="visually-hidden">{label}</span>
    </>
  );
}

export type Tone = "up" | "degraded" | "down" | "pending" | "paused" | "unknown" | "maintenance";

/** The icon of each state. */
export const statusIcons: Record<Tone, PageIconName> = {
  up: "up",
  degraded: "gauge",
  down: "down",
  pending: "pending",
  paused: "paused",
  unknown: "unknown",
  maintenance: "maintenance",
};

/** A state as an icon and a word, so that it does not depend on colour. */
export function Badge({ tone, icon, children }: { tone: Tone; icon?: PageIconName | undefined; children: ReactNode }) {
  return (
    <span className={`status ${tone}`}>
      <PageIcon name={icon ?? statusIcons[tone]} />
      {children}
    </span>
  );
}
