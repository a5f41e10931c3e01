import { useTranslation } from "react-i18next";
import { Badge } from "../../ui/feedback/badge";
import { type Maintenance, useMaintenanceWords } from "../../ui/hooks/use-maintenance-words";

const statuses = ["active", "inactive", "connecting"] as const;
export type ServerStatus = (typeof statuses)[number];
type Stated = { status: string | null; unknown: object | null; maintenance: Maintenance; open_outages: number };

/** A status of the API; a name without a word counts as inactive. */
export const toServerStatus = (status: string | null | undefined): ServerStatus =>
  statuses.find((name) => name === status) ?? "inactive";

/** The status of a server; `unknown` while its state cannot be known, and `maintenance` in a window. */
export const shownServerStatus = ({
  status,
  unknown,
  maintenance,
}: Stated): ServerStatus | "unknown" | "maintenance" =>
  unknown ? "unknown" : maintenance ? "maintenance" : toServerStatus(status);

/** The tone of each status. */
export const statusTones = {
  active: "up",
  inactive: "down",
  connecting: "pending",
  unknown: "unknown",
  maintenance: "maintenance",
} as const;

/** The shape before the name in a row. */
const statusMarks = { ...statusTones, inactive: "offline" } as const;

/** The shape before the name of a server in a row: amber where it reports, and something of it is not well. */
export const serverMark = (agent: Stated) => {
  const status = shownServerStatus(agent);
  return hasAlerts(agent) ? "degraded" : statusMarks[status];
};

/** Whether a server reports, and something of it is not well. */
export const hasAlerts = (agent: Stated): boolean => shownServerStatus(agent) === "active" && agent.open_outages > 0;

/** The word for the state of a server. */
export const useServerWord = () => {
  const { t } = useTranslation();
  return (status: ServerStatus | "unknown" | "maintenance"): string =>
    status === "unknown" || status === "maintenance" ? t(`common.status.${status}`) : t(`agents.status.${status}`);
};

/** The state of a server in words, with the number of its alerts while it reports. */
export const useServerState = () => {
  const { t } = useTranslation();
  const word = useServerWord();
  const maintenanceWords = useMaintenanceWords();
  return (agent: Stated): string => {
    const shown = shownServerStatus(agent);
    if (shown === "maintenance") return maintenanceWords(word(toServerStatus(agent.status)));
    const status = word(shown);
    return hasAlerts(agent) ? `${status} · ${t("problems.alerts", { count: agent.open_outages })}` : status;
  };
};

export function ServerBadge({ agent }: { agent: Stated }) {
  const { t } = useTranslation();
  const word = useServerWord();
  const status = shownServerStatus(agent);
  const state = useServerState()(agent);
  if (!hasAlerts(agent)) return <Badge tone={statusTones[status]}>{state}</Badge>;
  return (
    <Badge tone="degraded" icon="alert">
      <span>
        <span className="server-word">{word(status)} · </span>
        {t("problems.alerts", { count: agent.open_outages })}
      </span>
    </Badge>
  );
}
