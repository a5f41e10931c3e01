import { useTranslation } from "react-i18next";
import { Ago } from "../../../ui/feedback/ago";
import { useFormat } from "../../../ui/hooks/use-format";
import type { AgentDetail } from "../calls";
import { uptimeOf } from "../uptime";

/** What one looks for first, large. */
export function AgentStats({ agent }: { agent: AgentDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const uptime = uptimeOf(agent);
  const { updated_at, ip_addresses, load_average } = agent;
  return (
    <dl className="card stats">
      <div>
        <dt>{t("agents.detail.uptime")}</dt>
        <dd title={t("agents.detail.uptimeHint")}>{uptime === null ? "–" : format.uptime(uptime)}</dd>
      </div>
      <div>
        <dt>{t("agents.detail.lastReport")}</dt>
        <dd>{updated_at ? <Ago time={updated_at} /> : t("agents.never")}</dd>
      </div>
      <div>
        <dt>{t("agents.detail.address")}</dt>
        <dd>{ip_addresses[0] ?? "–"}</dd>
      </div>
      {load_average && (
        <div>
          <dt>{t("agents.detail.load")}</dt>
          <dd>{load_average.map((load) => format.fixed(load)).join(" · ")}</dd>
        </div>
      )}
    </dl>
  );
}
