import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { SECOND } from "../../../../src/shared/limits";
import { hubNow } from "../../../lib/now";
import { paths } from "../../../paths";
import { rangeDays } from "../../../ui/charts/chart-range";
import { Watched } from "../../../ui/feedback/watched";
import { useFormat } from "../../../ui/hooks/use-format";
import type { MonitorDetail } from "../api";
import { Objective } from "../objective/objective";

const spans = ["24h", "7d", "30d", "90d"] as const;

/** The part of a span that has to be watched for its uptime to be shown without the watched time. */
const ALMOST_ALL = 0.99;
const MINUTE = 60;
const HOUR = 3600;
const SECONDS_A_DAY = 86_400;

/** The uptime of a monitor in several spans, and its objective. */
export function UptimeCard({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-label={t("monitors.detail.uptimes")}>
      <div className="section-head">
        <h2>{t("monitors.detail.uptimes")}</h2>
        <Link href={`${paths.reports}?scope=monitor:${monitor.id}`} className="small">
          {t("outages.report")}
        </Link>
      </div>
      <dl className="key-figures uptimes">
        {spans
          .filter((span) => !isNewer(monitor, span))
          .map((span) => (
            <Uptime key={span} span={span} availability={monitor.availability[span]} />
          ))}
        {isNewer(monitor, "90d") && <WholeUptime monitor={monitor} />}
      </dl>
      <Objective monitor={monitor} />
    </section>
  );
}

/** Whether all results of a monitor are newer than the beginning of a span. An import brings results from before its creation. */
const isNewer = ({ created_at, imported, availability }: MonitorDetail, span: (typeof spans)[number]): boolean => {
  const age = (hubNow() - Date.parse(created_at)) / SECOND;
  const hasOlder = Boolean(imported) || availability["90d"].watched_seconds > age + MINUTE;
  return !hasOlder && age < rangeDays[span] * SECONDS_A_DAY * ALMOST_ALL;
};

/** The uptime of a new monitor since its creation. */
function WholeUptime({ monitor: { created_at, availability } }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { uptime, watched } = availability["90d"];
  return (
    <div>
      <dt>{t("problems.since", { time: format.moment(created_at) })}</dt>
      <dd>
        {format.percent(uptime)}
        <Watched share={watched} inList />
      </dd>
    </div>
  );
}

type UptimeProps = { span: (typeof spans)[number]; availability: MonitorDetail["availability"]["24h"] };

/** The uptime of a span, with the share that could be watched, and the watched time of a monitor that is newer or was paused. */
function Uptime({ span, availability: { uptime, watched: share, watched_seconds: watched } }: UptimeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  // Without the time that could not be watched, whose share is shown.
  const active = share === null ? 0 : (watched * 100) / share;
  const isPart = watched > 0 && active < rangeDays[span] * SECONDS_A_DAY * ALMOST_ALL;
  // In its largest unit alone: a second one would be another line every few minutes.
  const unit = [SECONDS_A_DAY, HOUR, MINUTE, 1].find((seconds) => watched >= seconds) ?? 1;
  const whole = Math.floor(watched / unit) * unit;
  return (
    <div>
      <dt>{t(`monitors.detail.uptime.${span}`)}</dt>
      <dd>
        {format.percent(uptime)}
        <Watched share={share} inList />
        {isPart && <small> {t("monitors.detail.watched", { duration: format.duration(whole) })}</small>}
      </dd>
    </div>
  );
}
