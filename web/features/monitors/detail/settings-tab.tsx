import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import type { MonitorDetail } from "../calls";
import { kindOf } from "../form/kinds/registry";
import { Facts } from "./facts";

export function SettingsTab({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, interval, timeout, retries, active } = monitor;
  const { target, rules = [], content = [] } = kindOf(monitor.kind).facts(monitor, t);

  const facts = [
    { label: t("monitors.column.name"), value: name, wide: true },
    ...target,
    { label: t("monitors.detail.state"), value: t(active ? "monitors.detail.active" : "monitors.detail.inactive") },
    { label: t("monitors.detail.interval"), value: format.seconds(interval) },
    { label: t("monitors.detail.timeout"), value: format.seconds(timeout) },
    ...rules,
    { label: t("monitors.detail.retries"), value: t("monitors.detail.retriesCount", { count: retries }) },
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
