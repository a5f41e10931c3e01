import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { PublicMonitor } from "../../../src/modules/status-page/sections/monitors";
import { PulseBar } from "../../ui/charts/pulse-bar";
import { Ago } from "../../ui/feedback/ago";
import { StatusBadge, shownStatus } from "../../ui/feedback/badge";
import { Watched } from "../../ui/feedback/watched";
import { usePageFormat } from "../../ui/hooks/use-page-format";
import { DayBar, useWatchedSince } from "./day-bar";
import { incidentSections as lazy } from "./incidents/registry";
import { Since, Until } from "./since";

type Props = { monitor: PublicMonitor & { description?: string }; historyDays: number };

const spans = ["24h", "7d", "30d", "90d"] as const;

/** The other figures of a service, which its row shows once it is opened. */
function More({
  monitor: { response_time, last_checked, uptimes, watched, history, unknown, days },
  historyDays,
}: Pick<Props, "monitor" | "historyDays">) {
  const { t } = useTranslation();
  const format = usePageFormat();
  const watchedSince = useWatchedSince();
  return (
    <div className="more">
      <p className="ends" aria-hidden="true">
        <span>{[t("statusPage.daysAgo", { days: historyDays }), watchedSince(days)].filter(Boolean).join(" · ")}</span>
        <span>{t("statusPage.today")}</span>
      </p>
      <dl className="figures" aria-label={t("statusPage.uptime")}>
        {spans.map((span) => (
          <div key={span}>
            <dt>{t(`statusPage.span.${span}`)}</dt>
            <dd>
              {format.percent(uptimes[span])}
              <Watched share={watched[span]} />
            </dd>
          </div>
        ))}
        {response_time !== null && (
          <div>
            <dt>{t("statusPage.response")}</dt>
            <dd>{format.milliseconds(response_time)}</dd>
          </div>
        )}
      </dl>
      <div className="lately">
        <p className="ends">
          <span>{t("statusPage.recent")}</span>
          {last_checked ? (
            <span>
              {t("statusPage.checked")} <Ago time={last_checked} />
            </span>
          ) : (
            <span>{t("statusPage.never")}</span>
          )}
        </p>
        <PulseBar history={history} unknown={unknown} explore />
      </div>
    </div>
  );
}

/**
 * One service: its name, state, days and uptime, and the other figures once its head is opened. The days are outside of
 * the head, because they are operated by keys themselves. Memoized: a refresh draws only what changed.
 */
export const MonitorRow = memo(function MonitorRow({ monitor, historyDays }: Props) {
  const { t } = useTranslation();
  const format = usePageFormat();
  const { id, name, description, unknown, maintenance, uptimes, page_uptime, days, incidents, component_status } =
    monitor;
  const share = page_uptime === undefined ? uptimes["90d"] : page_uptime;
  const status = shownStatus(monitor);
  // Maintenance has its end, unless an incident gives another state and its start.
  const isMaintained = status === "maintenance" && (component_status ?? "under_maintenance") === "under_maintenance";
  const since =
    component_status && !isMaintained ? monitor.since : (unknown?.since ?? (isMaintained ? null : monitor.since));
  const isStated = component_status !== undefined && component_status !== "operational";
  return (
    <article className={`card service ${status}${isStated ? " stated" : ""}`}>
      <details>
        <summary>
          <h3>{name}</h3>
          <span className="state">
            {component_status && lazy.Stated ? <lazy.Stated item={monitor} /> : <StatusBadge status={status} />}
            {since && <Since since={since} />}
            {isMaintained && maintenance && <Until time={maintenance.until} />}
          </span>
          <span className="figure">
            <span className="visually-hidden">{t("statusPage.figure", { days: historyDays })} </span>
            {format.percent(share)}
          </span>
        </summary>
      </details>
      {description && <p className="caption">{description}</p>}
      {days.length > 0 && <DayBar id={`days-${id}`} name={name} days={days} share={share} />}
      {incidents && lazy.Marks && <lazy.Marks marks={incidents} days={days} />}
      <More monitor={monitor} historyDays={historyDays} />
    </article>
  );
});
