import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { PublicMonitor } from "../../../../src/modules/status-page/sections/monitors";
import { UptimeBar } from "../../../ui/charts/uptime-bar";
import { Ago } from "../../../ui/feedback/ago";
import { StatusBadge } from "../../../ui/feedback/badge";
import { useFormat } from "../../../ui/hooks/use-format";
import { DayBar } from "../day-bar";
import type { Section, SectionProps } from "../section";

const spans = ["24h", "7d", "30d", "90d"] as const;

/** One service. Memoized: a refresh draws only what changed. */
const MonitorCard = memo(function MonitorCard({ monitor }: { monitor: PublicMonitor }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, status, response_time, last_checked, uptimes, days, history } = monitor;
  return (
    <article className={`card service ${status}`}>
      <header>
        <h3 title={name}>{name}</h3>
        <StatusBadge status={status} />
      </header>
      <DayBar id={`days-${id}`} name={name} days={days} share={uptimes["90d"]} />
      <p className="ends" aria-hidden="true">
        <span>{t("statusPage.daysAgo")}</span>
        <span>{t("statusPage.today")}</span>
      </p>
      <dl className="figures" aria-label={t("statusPage.uptime")}>
        {spans.map((span) => (
          <div key={span}>
            <dt>{t(`statusPage.span.${span}`)}</dt>
            <dd>{format.percent(uptimes[span])}</dd>
          </div>
        ))}
      </dl>
      <div className="lately">
        <p className="caption">{t("statusPage.recent")}</p>
        <UptimeBar history={history} explore />
        <p className="caption facts-line">
          <span>
            {t("statusPage.response")} {format.milliseconds(response_time)}
          </span>
          {last_checked ? (
            <span>
              {t("statusPage.checked")} <Ago time={last_checked} />
            </span>
          ) : (
            <span>{t("statusPage.never")}</span>
          )}
        </p>
      </div>
    </article>
  );
});

function Monitors({ page: { monitors } }: SectionProps) {
  const { t } = useTranslation();
  if (monitors.length === 0) return null;
  return (
    <section>
      <h2>{t("statusPage.services")}</h2>
      <ul className="services">
        {monitors.map((monitor) => (
          <li key={monitor.id}>
            <MonitorCard monitor={monitor} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export const monitorsSection: Section = { key: "monitors", draw: Monitors };
