import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { RefreshButton } from "../../../ui/controls/refresh-button";
import { useDelayedNavigate } from "../../../ui/hooks/use-delayed-navigate";
import type { AgentDetail } from "../calls";
import { DeleteAgent } from "./delete-agent";

const backAfter = 3000;

type Props = { agent: AgentDetail; loading: boolean; onRefresh: () => void; onDeleted: () => void };

export function DetailActions({ agent, loading, onRefresh, onDeleted }: Props) {
  const { t } = useTranslation();
  const leave = useDelayedNavigate();
  const [deleting, setDeleting] = useState(false);
  const [gone, setGone] = useState(false);

  return (
    <div className="actions">
      <RefreshButton loading={loading} onRefresh={onRefresh} />
      <Link href={paths.agentEdit(agent.id)} className="button plain">
        <Icon name="edit" />
        {t("common.action.edit")}
      </Link>
      {/* Somebody else's alerts are for them to set. */}
      {agent.owner === undefined && (
        <Link href={`${paths.notifications}?tab=agents&id=${agent.id}`} className="button plain">
          <Icon name="bell" />
          {t("notifications.specific.link")}
        </Link>
      )}
      <button type="button" className="plain" onClick={() => setDeleting(true)} disabled={gone}>
        <Icon name="trash" />
        {t("common.action.delete")}
      </button>
      {deleting && (
        <DeleteAgent
          agent={agent}
          onDeleted={() => {
            setGone(true);
            onDeleted();
            leave(paths.agents, backAfter);
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}
