import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { useFormat } from "../../../ui/hooks/use-format";
import { TableHead } from "../../../ui/layout/table-head";
import type { Threshold } from "./api";
import { currentFigure, type Figures } from "./current";
import { useScopeName, useThresholdFigure, useThresholdName } from "./words";

/** A threshold that was set, or one of a notification rule, which counts reports instead of minutes. */
export type ShownThreshold = Omit<Threshold, "minutes"> & {
  minutes: number | null;
  /** Which rule it belongs to, and the disks that it is not about. */
  ofRule?: { source: "own" | "default"; except: readonly string[] };
};

type Props<T extends ShownThreshold> = {
  label: string;
  thresholds: readonly T[];
  /** The last figures of the only server, which are shown beside each threshold. */
  figures?: Figures;
  /** The buttons of a row. */
  actions?: (threshold: T, name: string) => ReactNode;
};

/** Thresholds as rows: subject, servers, limit and duration. */
export function ThresholdTable<T extends ShownThreshold>({ label, thresholds, figures, actions }: Props<T>) {
  const { t } = useTranslation();
  return (
    <table className="thresholds folding" aria-label={label}>
      <TableHead
        columns={[t("servers.thresholds.metric"), t("servers.thresholds.scope")]}
        figures={[
          ...(figures ? [t("alerts.thresholds.now")] : []),
          t("servers.thresholds.from"),
          t("servers.thresholds.until"),
          t("servers.thresholds.for"),
        ]}
      >
        {actions && (
          <th scope="col">
            <span className="visually-hidden">{t("agents.column.actions")}</span>
          </th>
        )}
      </TableHead>
      <tbody>
        {thresholds.map((threshold) => (
          <Row key={threshold.id} {...{ threshold, figures, actions }} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps<T extends ShownThreshold> = { threshold: T } & Pick<Props<T>, "figures" | "actions">;

function Row<T extends ShownThreshold>({ threshold, figures, actions }: RowProps<T>) {
  const { t } = useTranslation();
  const format = useFormat();
  const figure = useThresholdFigure();
  const nameOf = useThresholdName();
  const scopeOf = useScopeName();
  const { metric, subject, agent, minutes, ofRule } = threshold;
  const name = ofRule && metric === "disk" ? t("alerts.thresholds.fullest") : nameOf(threshold);
  const scope = ofRule ? t(`alerts.thresholds.of.${ofRule.source}`) : scopeOf(threshold);
  const current = figures && currentFigure(figures, metric, subject, ofRule?.except);
  const duration =
    minutes === null
      ? t("alerts.thresholds.reports")
      : minutes === 0
        ? t("servers.thresholds.atOnce")
        : format.elapsed(minutes * 60);
  const isReached = current != null && current >= threshold.threshold;
  return (
    <tr>
      <th scope="row" title={name}>
        <bdi>{name}</bdi>
      </th>
      <td className="scope truncate" title={scope}>
        {agent ? <Link href={paths.agent(agent.id)}>{scope}</Link> : scope}
      </td>
      {figures && (
        <td className={isReached ? "number reached" : "number"} data-label={t("alerts.thresholds.now")}>
          {current == null ? "–" : figure(metric, current)}
        </td>
      )}
      <td className="number" data-label={t("servers.thresholds.from")}>
        {figure(metric, threshold.threshold)}
      </td>
      <td className="number" data-label={t("servers.thresholds.until")}>
        {figure(metric, threshold.clear)}
      </td>
      <td className="number" data-label={t("servers.thresholds.for")}>
        {duration}
      </td>
      {actions && (
        <td className="actions-cell">{actions(threshold, [name, scope].join(t("notifications.save.between")))}</td>
      )}
    </tr>
  );
}
