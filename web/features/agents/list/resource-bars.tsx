import { useTranslation } from "react-i18next";
import { ResourceBar } from "../../../ui/charts/resource-bar";
import { useFormat } from "../../../ui/hooks/use-format";
import type { Agent } from "../calls";
import { resourcesOf } from "../resources";

/** CPU, memory, disk and network as last reported. */
export function ResourceBars({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { cpu, memory, disk, network, problem } = resourcesOf(agent);
  const { memory_used, memory_total, disk_used, disk_total, network_rx, network_tx } = agent;

  const amount = (percent: number, used: number | null, total: number | null) => {
    if (problem || used === null || !total) return format.share(percent);
    const [usedText, totalText] = format.bytes(used, total);
    return `${format.share(percent)} · ${t("common.of", { used: usedText, total: totalText })}`;
  };
  const rates = problem
    ? format.rate(0)
    : t("agents.rates", { received: format.rate(network_rx), sent: format.rate(network_tx) });

  return (
    <div className="resources">
      <ResourceBar label={t("agents.resource.cpu")} percent={cpu} text={format.share(cpu)} />
      <ResourceBar
        label={t("agents.resource.memory")}
        percent={memory}
        text={amount(memory, memory_used, memory_total)}
      />
      <ResourceBar label={t("agents.resource.disk")} percent={disk} text={amount(disk, disk_used, disk_total)} />
      <ResourceBar label={t("agents.resource.network")} percent={network} text={rates} neutral />
      {problem && <p className="soft small">{t(`agents.noResources.${problem}`)}</p>}
    </div>
  );
}
