import { useTranslation } from "react-i18next";
import { Badge } from "../../ui/feedback/badge";

const statuses = ["active", "inactive", "connecting"] as const;
export type ServerStatus = (typeof statuses)[number];

/** A status of the API; an unknown one counts as inactive. */
export const toServerStatus = (status: string | null | undefined): ServerStatus =>
  statuses.find((name) => name === status) ?? "inactive";

/** The tone of each status. */
export const statusTones = { active: "up", inactive: "down", connecting: "pending" } as const;

/** The shape before the name in a row. */
export const statusMarks = { active: "up", inactive: "offline", connecting: "pending" } as const;

export function ServerBadge({ status }: { status: string | null }) {
  const { t } = useTranslation();
  const serverStatus = toServerStatus(status);
  return <Badge tone={statusTones[serverStatus]}>{t(`agents.status.${serverStatus}`)}</Badge>;
}
