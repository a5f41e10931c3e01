import { useTranslation } from "react-i18next";
import { THRESHOLD_SCOPES, type ThresholdMetric } from "../../../../src/shared/agents/thresholds";
import { readableName } from "../../../lib/format";
import { useFormat } from "../../../ui/hooks/use-format";
import { useOutageWords } from "../../../ui/hooks/use-outage-words";
import type { Threshold } from "./api";

/** Metrics that can be about one part of a server. */
export const hasSubject = (metric: ThresholdMetric): metric is "disk" | "temperature" =>
  metric === "disk" || metric === "temperature";

/** Renders a figure of a metric in its unit. */
export const useThresholdFigure = () => {
  const format = useFormat();
  return (metric: ThresholdMetric, figure: number): string => {
    if (metric === "load") return format.number(figure, 2);
    return metric === "temperature" ? `${format.number(figure, 1)} °C` : `${format.number(figure, 1)}%`;
  };
};

/** The name of a threshold: its metric with the mount point or the sensor. */
export const useThresholdName = () => {
  const { t } = useTranslation();
  const words = useOutageWords();
  return ({ metric, subject }: Pick<Threshold, "metric" | "subject">): string => {
    if (hasSubject(metric) && !subject) return t(`servers.thresholds.nameOfEach.${metric}`);
    return [words[metric].metric, readableName(subject ?? "")].filter(Boolean).join(" ");
  };
};

/** The servers of a threshold. */
export const useScopeName = () => {
  const { t } = useTranslation();
  return ({ scope, tag, agent }: Pick<Threshold, "scope" | "tag" | "agent">): string => {
    if (scope === "tag") return t("servers.thresholds.of.tag", { name: tag?.name ?? "–" });
    return scope === "agent" ? (agent?.name ?? "–") : t("servers.thresholds.of.all");
  };
};

/** Those for all servers first, then those for tags and for single servers, each by what they are about. */
export const sortThresholds = (thresholds: readonly Threshold[]): Threshold[] => {
  const keyOf = ({ scope, tag, agent, metric, subject }: Threshold) =>
    [THRESHOLD_SCOPES.indexOf(scope), tag?.name ?? agent?.name ?? "", metric, subject ?? ""].join("\n");
  return thresholds.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};
