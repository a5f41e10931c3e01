import { useTranslation } from "react-i18next";
import { Badge } from "../../ui/feedback/badge";

const statuses = ["active", "inactive", "connecting"] as const;
export type ServerStatus = (typeof statuses)[number];
type Stated = { status: string | null; unknown: object | null };

/** A status of the API; a name without a word counts as inactive. */
export const toServerStatus = (status: string | null | undefined): ServerStatus =>
  statuses.find((name) => name === status) ?? "inactive";

/** The status of a server, or `unknown` while its state cannot be known. */
export const shownServerStatus = ({ status, unknown }: Stated): ServerStatus | "unknown" =>
  unknown ? "unknown" : toServerStatus(status);

/** The tone of each status. */
export const statusTones = { active: "up", inactive: "down", connecting: "pending", unknown: "unknown" } as const;

/** The shape before the name in a row. */
export const statusMarks = { ...statusTones, inactive: "offline" } as const;

/** The word for the state of a server. */
export const useServerWord = () => {
  const { t } = useTranslation();
  return (status: ServerStatus | "unknown"): string =>
    status === "unknown" ? t("common.status.unknown") : t(`agents.status.${status}`);
};

export function ServerBadge({ agent }: { agent: Stated }) {
  const word = useServerWord();
  const status = shownServerStatus(agent);
  return <Badge tone={statusTones[status]}>{word(status)}</Badge>;
}
