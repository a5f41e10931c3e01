import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { OwnerTag, StatusBadge, toStatus } from "../../../ui/feedback/badge";
import { useFormat } from "../../../ui/hooks/use-format";
import { ItemActions } from "../../../ui/lists/item-actions";
import type { ListedMonitor } from "../api";

/** The table of monitors around the body with their rows. */
export function MonitorTable({ body }: { body: ReactNode }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="card table-card" aria-label={t("monitors.title")} tabIndex={0}>
      <table className="monitor-table">
        <thead>
          <tr>
            <th scope="col" className="name">
              {t("monitors.column.name")}
            </th>
            <th scope="col">{t("monitors.column.url")}</th>
            <th scope="col" className="state">
              {t("monitors.column.status")}
            </th>
            <th scope="col" className="figure-column number">
              {t("monitors.column.response")}
            </th>
            <th scope="col" className="figure-column number">
              {t("monitors.column.uptime")}
            </th>
            <th scope="col" className="actions-column number">
              {t("monitors.column.actions")}
            </th>
          </tr>
        </thead>
        {body}
      </table>
    </section>
  );
}

type Props = { monitor: ListedMonitor; onDelete: (monitor: ListedMonitor) => void };

export const MonitorRow = memo(function MonitorRow({ monitor, onDelete }: Props) {
  const format = useFormat();
  const { id, name, target, status, response_time, uptime } = monitor;
  return (
    <tr>
      <th scope="row">
        <div className="named">
          <Link href={paths.monitor(id)} title={name} className="truncate">
            {name}
          </Link>
          <OwnerTag owner={monitor.owner} />
        </div>
      </th>
      <td className="truncate soft" title={target}>
        {target}
      </td>
      <td>
        <StatusBadge status={toStatus(status)} />
      </td>
      <td className="number">{format.milliseconds(response_time)}</td>
      <td className="number">{format.percent(uptime)}</td>
      <td>
        <div className="row-actions">
          <ItemActions
            name={name}
            viewAt={paths.monitor(id)}
            editAt={paths.monitorEdit(id)}
            onDelete={() => onDelete(monitor)}
          />
        </div>
      </td>
    </tr>
  );
});
