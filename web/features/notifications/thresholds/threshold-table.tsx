import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { useFormat } from "../../../ui/hooks/use-format";
import { TableHead } from "../../../ui/layout/table-head";
import type { Threshold } from "./api";
import { useScopeName, useThresholdFigure, useThresholdName } from "./words";

type Props = {
  label: string;
  thresholds: readonly Threshold[];
  /** The buttons of a row. */
  actions?: (threshold: Threshold, name: string) => ReactNode;
};

/** Thresholds as rows: subject, servers, limit and duration. */
export function ThresholdTable({ label, thresholds, actions }: Props) {
  const { t } = useTranslation();
  return (
    <table className="thresholds folding" aria-label={label}>
      <TableHead
        columns={[t("servers.thresholds.metric"), t("servers.thresholds.scope")]}
        figures={[t("servers.thresholds.from"), t("servers.thresholds.until"), t("servers.thresholds.for")]}
      >
        {actions && (
          <th scope="col">
            <span className="visually-hidden">{t("agents.column.actions")}</span>
          </th>
        )}
      </TableHead>
      <tbody>
        {thresholds.map((threshold) => (
          <Row key={threshold.id} threshold={threshold} actions={actions} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ threshold, actions }: { threshold: Threshold } & Pick<Props, "actions">) {
  const { t } = useTranslation();
  const format = useFormat();
  const figure = useThresholdFigure();
  const name = useThresholdName()(threshold);
  const scope = useScopeName()(threshold);
  const { metric, agent, minutes } = threshold;
  return (
    <tr>
      <th scope="row" title={name}>
        <bdi>{name}</bdi>
      </th>
      <td className="scope truncate" title={scope}>
        {agent ? <Link href={paths.agent(agent.id)}>{scope}</Link> : scope}
      </td>
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
