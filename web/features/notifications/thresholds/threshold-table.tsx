import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { useFormat } from "../../../ui/hooks/use-format";
import { TableHead } from "../../../ui/layout/table-head";
import type { Threshold } from "./api";
import { currentFigure, type Figures } from "./current";
import { useScopeName, useThresholdFigure, useThresholdName } from "./words";

type Props = {
  label: string;
  thresholds: readonly Threshold[];
  /** The last figures of the only server, which are shown beside each threshold. */
  figures?: Figures;
  /** The buttons of a row. */
  actions?: (threshold: Threshold, name: string) => ReactNode;
};

/** Thresholds as rows: subject, servers, limit and duration. */
export function ThresholdTable({ label, thresholds, figures, actions }: Props) {
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

function Row({ threshold, figures, actions }: { threshold: Threshold } & Pick<Props, "figures" | "actions">) {
  const { t } = useTranslation();
  const format = useFormat();
  const figure = useThresholdFigure();
  const name = useThresholdName()(threshold);
  const scope = useScopeName()(threshold);
  const { metric, subject, agent, minutes } = threshold;
  const current = figures && currentFigure(figures, metric, subject);
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
        {minutes === 0 ? t("servers.thresholds.atOnce") : format.elapsed(minutes * 60)}
      </td>
      {actions && <td className="actions-cell">{actions(threshold, `${name}, ${scope}`)}</td>}
    </tr>
  );
}
