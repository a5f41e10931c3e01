import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import type { MonitorDetail } from "../api";
import type { Fact } from "../form/kinds/kind";
import { kindOf } from "../form/kinds/registry";

/** Labels with their values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ label, value, wide }) => (
        <div key={label} className={wide ? "wide" : undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The settings of a monitor. */
export function AboutTab({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, interval, timeout, retries, retry_pause, active } = monitor;
  const { passive, facts: describeMonitor } = kindOf(monitor.kind);
  const { target, rules = [], content = [] } = describeMonitor(monitor, t);
  const checks = [
    { label: t("monitors.detail.interval"), value: format.seconds(interval) },
    { label: t("monitors.detail.timeout"), value: format.seconds(timeout) },
  ];
  const pause = retries > 0 ? ` (${t("monitors.detail.retryPause", { pause: format.seconds(retry_pause) })})` : "";
  const again = {
    label: t("monitors.detail.retries"),
    value: t("monitors.detail.retriesCount", { count: retries }) + pause,
  };

  const facts = [
    { label: t("monitors.column.name"), value: name },
    ...target,
    { label: t("monitors.detail.state"), value: t(active ? "monitors.detail.active" : "monitors.detail.inactive") },
    ...(passive ? [] : checks),
    ...rules,
    ...(passive ? [] : [again]),
    ...content,
  ];

  return (
    <section className="card stack">
      <Facts facts={facts} />
      <div>
        <Link href={paths.monitorEdit(id)} className="button plain">
          <Icon name="edit" />
          {t("common.action.edit")}
        </Link>
      </div>
    </section>
  );
}
