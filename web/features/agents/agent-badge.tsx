import { useTranslation } from "react-i18next";
import { Badge } from "../../ui/feedback/badge";
import { toAgentStatus, tones } from "./agent-status";

export function AgentBadge({ status }: { status: string | null }) {
  const { t } = useTranslation();
  const known = toAgentStatus(status);
  return <Badge tone={tones[known]}>{t(`agents.status.${known}`)}</Badge>;
}
