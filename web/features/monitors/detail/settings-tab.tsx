import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import type { HttpFields, MonitorDetail } from "../calls";
import { sendsBody } from "../form/monitor-body";
import { expectedText } from "../form/status-codes";

export function SettingsTab({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, url, method, interval, timeout, expected_status, retries, headers, body, active } =
    monitor as MonitorDetail & HttpFields;
  const headerRows = Object.entries(headers);

  const facts = [
    [t("monitors.column.name"), name],
    [t("monitors.detail.url"), url],
    [t("monitors.detail.method"), method],
    [t("monitors.detail.state"), t(active ? "monitors.detail.active" : "monitors.detail.inactive")],
    [t("monitors.detail.interval"), format.seconds(interval)],
    [t("monitors.detail.timeout"), format.seconds(timeout)],
    [t("monitors.detail.expected"), expectedText(expected_status)],
    [t("monitors.detail.retries"), t("monitors.detail.retriesCount", { count: retries })],
  ] as const;

  return (
    <section className="card stack">
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label} className={[url, name].includes(value) ? "wide" : undefined}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="wide">
          <dt>{t("monitors.detail.headers")}</dt>
          <dd>
            {headerRows.length === 0
              ? t("common.none")
              : headerRows.map(([header, value]) => (
                  <div key={header}>
                    <code>
                      {header}: {value}
                    </code>
                  </div>
                ))}
          </dd>
        </div>
        <div className="wide">
          <dt>{t("monitors.detail.body")}</dt>
          <dd>{sendsBody(method) && body ? <pre className="body">{body}</pre> : t("common.none")}</dd>
        </div>
      </dl>
      <div>
        <Link href={paths.monitorEdit(id)} className="button plain">
          <Icon name="edit" />
          {t("common.action.edit")}
        </Link>
      </div>
    </section>
  );
}
