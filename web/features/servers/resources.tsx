import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ResourceBar } from "../../ui/charts/resource-bar";
import { useFormat } from "../../ui/hooks/use-format";
import type { Server } from "./api";

type Figure = number | null;
type Figures = {
  cpu_usage: Figure;
  memory_total: Figure;
  memory_used: Figure;
  disk_total: Figure;
  disk_used: Figure;
  network_rx: Figure;
  network_tx: Figure;
};

/** The use of each resource in percent. Without usable figures all are zero, and `problem` names the reason. */
type Resources = {
  cpu: number;
  memory: number;
  disk: number;
  network: number;
  problem: "missing" | "unreadable" | null;
};

/** The rate that fills the network's bar, in KB/s. */
const fullNetwork = 51.2;

const unused = { cpu: 0, memory: 0, disk: 0, network: 0 };

/** The used share of a total in percent; 0 where the total is 0, which stands for unknown. */
export const shareOf = (used: number, total: number) => (total > 0 ? Math.min(100, (used / total) * 100) : 0);

const isUsable = (figure: number) => Number.isFinite(figure) && figure >= 0;

/** The use of an agent's resources, from the figures of its last report. */
export const resourcesOf = (figures: Figures): Resources => {
  const { cpu_usage, memory_total, memory_used, disk_total, disk_used, network_rx, network_tx } = figures;
  if (cpu_usage == null || memory_total == null || memory_used == null || disk_total == null || disk_used == null)
    return { ...unused, problem: "missing" };
  const [rx, tx] = [network_rx ?? 0, network_tx ?? 0];
  if (![cpu_usage, memory_total, memory_used, disk_total, disk_used, rx, tx].every(isUsable))
    return { ...unused, problem: "unreadable" };
  return {
    cpu: Math.min(100, cpu_usage),
    memory: shareOf(memory_used, memory_total),
    disk: shareOf(disk_used, disk_total),
    network: shareOf(rx + tx, fullNetwork),
    problem: null,
  };
};

/** The use of an agent's resources as percentages and texts, as last reported. */
export const useResourceTexts = (agent: Server) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { problem, ...percents } = resourcesOf(agent);
  const { memory_used, memory_total, disk_used, disk_total, network_rx, network_tx } = agent;

  const amount = (percent: number, used: number | null, total: number | null) => {
    if (problem || used === null || !total) return format.share(percent);
    const [usedText, totalText] = format.bytes(used, total);
    return `${format.share(percent)} · ${t("common.of", { used: usedText, total: totalText })}`;
  };
  const texts = {
    cpu: format.share(percents.cpu),
    memory: amount(percents.memory, memory_used, memory_total),
    disk: amount(percents.disk, disk_used, disk_total),
    network: problem
      ? format.rate(0)
      : t("agents.rates", { received: format.rate(network_rx), sent: format.rate(network_tx) }),
  };
  return { problem, percents, texts };
};

/** Bars of CPU, memory, disk and network as last reported, and further ones. */
export function ResourceBars({ agent, children }: { agent: Server; children?: ReactNode }) {
  const { t } = useTranslation();
  const { problem, percents, texts } = useResourceTexts(agent);
  return (
    <div className="resources">
      {(["cpu", "memory", "disk", "network"] as const).map((name) => (
        <ResourceBar
          key={name}
          label={t(`agents.resource.${name}`)}
          percent={percents[name]}
          text={texts[name]}
          neutral={name === "network"}
        />
      ))}
      {children}
      {problem && <p className="soft small">{t(`agents.noResources.${problem}`)}</p>}
    </div>
  );
}
