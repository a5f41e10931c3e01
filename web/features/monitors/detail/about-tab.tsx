import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { useFormat } from "../../../ui/hooks/use-format";
import { Address } from "../../../ui/layout/address";
import { FactPanel, FactPanels, type FactRows } from "../../../ui/layout/fact-panel";
import type { MonitorDetail } from "../api";
import type { Fact } from "../form/kinds/kind";
import { kindOf } from "../form/kinds/registry";
import { CertificateExpiry, expiryOf } from "./certificate";
import { useRegistrationFacts } from "./registration";

/** The settings of a monitor in groups, and its certificate or registration. */
export function AboutTab({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, kind, target: address, created_at, owner } = monitor;
  const { label, facts, expires, passive } = kindOf(kind);
  const { target, rules = [], content = [] } = facts(monitor, t);
  const expiry: FactRows = expiryOf(monitor)
    ? [
        [
          t(expires === "domain" ? "kinds.domain.expires" : "monitors.detail.certificate"),
          <CertificateExpiry key="expiry" monitor={monitor} />,
        ],
      ]
    : [];
  const published = [...expiry, ...rowsOf(useRegistrationFacts(monitor))];
  const kindRow = [t("monitors.detail.kind"), label(t)] as const;
  const targetRows = rowsOf(target).filter(([name]) => name !== kindRow[0]);
  const checkRows = useCheckRows(monitor);
  return (
    <FactPanels isLed>
      <FactPanel
        title={t(kind === "http" ? "monitors.detail.about.request" : "monitors.detail.target")}
        action={
          <Link href={paths.monitorEdit(id)} className="small">
            {t("common.action.edit")}
          </Link>
        }
        rows={[
          ...targetRows.map(
            ([name, value]) =>
              [
                name,
                value === address ? <Address key="address" text={address} /> : value,
                value === address ? address : undefined,
              ] as const,
          ),
          ...rowsOf(content),
          ...rowsOf(rules),
        ]}
      />
      {!passive && <FactPanel title={t("monitors.detail.about.checks")} rows={checkRows} />}
      <FactPanel
        title={t("monitors.detail.about.monitor")}
        rows={[
          [t("monitors.column.name"), name],
          kindRow,
          ...(passive ? checkRows : []),
          [t("monitors.detail.id"), String(id), String(id)],
          [t("monitors.detail.owner"), owner],
          [t("monitors.detail.created"), format.dateTime(created_at)],
        ]}
      />
      {published.length > 0 && (
        <FactPanel
          title={t(expires === "domain" ? "monitors.detail.about.registration" : "monitors.detail.about.certificate")}
          rows={published}
        />
      )}
    </FactPanels>
  );
}

const rowsOf = (facts: readonly Fact[]): FactRows => facts.map(({ label, value }) => [label, value]);

/** How a monitor is checked. */
const useCheckRows = (monitor: MonitorDetail): FactRows => {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, interval, timeout, retries, retry_pause, active } = monitor;
  const { passive } = kindOf(kind);
  const pause = retries > 0 ? ` (${t("monitors.detail.retryPause", { pause: format.seconds(retry_pause) })})` : "";
  return [
    [t("monitors.detail.state"), t(active ? "monitors.detail.active" : "monitors.detail.inactive")],
    ...(passive
      ? []
      : [
          [t("monitors.detail.interval"), format.seconds(interval)] as const,
          [t("monitors.detail.timeout"), format.seconds(timeout)] as const,
          [t("monitors.detail.retries"), t("monitors.detail.retriesCount", { count: retries }) + pause] as const,
        ]),
  ];
};
