import { useTranslation } from "react-i18next";
import { useFormat } from "../../../ui/hooks/use-format";
import type { AgentDetail } from "../calls";

export function AgentFacts({ agent }: { agent: AgentDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { hostname, os, version, agent_version, ip_addresses, interval, boot_time, created_at, updated_at } = agent;
  const facts = [
    ["hostname", hostname],
    ["os", os || "–"],
    ["version", version || "–"],
    ["agentVersion", agent_version],
    ["interval", interval && format.duration(interval)],
    ["booted", boot_time && format.dateTime(boot_time)],
    ["created", format.dateTime(created_at)],
    ["lastUpdate", updated_at ? format.dateTime(updated_at) : t("agents.never")],
  ] as const;

  return (
    <section className="card">
      <div className="section-head">
        <h2>{t("agents.detail.info")}</h2>
      </div>
      <dl className="facts">
        {facts.map(
          ([fact, value]) =>
            value && (
              <div key={fact}>
                <dt>{t(`agents.detail.${fact}`)}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        <div className="wide">
          <dt>{t("agents.detail.addresses")}</dt>
          <dd className="address-list">
            {ip_addresses.length === 0 && t("common.none")}
            {ip_addresses.map((address) => (
              <code key={address}>{address}</code>
            ))}
          </dd>
        </div>
      </dl>
    </section>
  );
}
