import { useAtom } from "jotai";
import { Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { IMPORT_SOURCES } from "../../../../src/shared/transfer/sources";
import { hubNow } from "../../../lib/now";
import { later, preload } from "../../../lib/offline/code";
import { useRefreshOn } from "../../../lib/resource";
import { paths } from "../../../paths";
import { ChartPanel } from "../../../ui/charts/chart-panel";
import { coveredBy, isSpan, rangeDays, windowOf } from "../../../ui/charts/chart-range";
import { PulseBar } from "../../../ui/charts/pulse-bar";
import { useChartRange } from "../../../ui/charts/use-chart-range";
import { Ago } from "../../../ui/feedback/ago";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Watched } from "../../../ui/feedback/watched";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMonitorWords } from "../../../ui/hooks/use-monitor-words";
import { OutageList } from "../../outages/outage-list";
import { useSince } from "../../outages/start";
import { type MonitorDetail, type Range, ranges, seriesAtom, seriesKey } from "../api";
import { kindOf } from "../form/kinds/registry";
import { ObjectiveCard } from "../objective/objective-card";
import { Facts } from "./about-tab";
import { CertificateExpiry, expiryOf, wholeDays } from "./certificate";
import { useRegistrationFacts } from "./registration";
import { shownOutage } from "./shown-outage";

const ResponseChart = later(() => import("./response-chart"));

const FIRST_RANGE: Range = "24h";

/** Loads the chart that the page begins with, and its data. */
export const prepareChart = async (id: string): Promise<void> => {
  const covered = coveredBy(new URLSearchParams(location.search), FIRST_RANGE);
  await Promise.all([preload(ResponseChart), seriesAtom(seriesKey(Number(id), covered)).prepare()]);
};

/** The label of a monitor's response time. */
const useResponseLabel = (kind: string): string => {
  const { t } = useTranslation();
  return kindOf(kind).responseLabel?.(t) ?? t("monitors.detail.response");
};

function ResponsePanel({
  monitor: { id, kind, interval, last_checked, unknown, outages, imported },
}: {
  monitor: MonitorDetail;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const chosen = useChartRange<Range>(...useState(FIRST_RANGE));
  const { covered, onSelect } = chosen;
  const [{ data, error }, refresh] = useAtom(seriesAtom(seriesKey(id, covered)));
  useRefreshOn(`${last_checked} ${unknown?.since}`, refresh);
  const window = useMemo(() => windowOf(covered, data?.points ?? [], hubNow()), [data, covered]);

  const label = useResponseLabel(kind);
  const chart = (
    <ChartPanel
      title={label}
      failed={t("monitors.chart.failed")}
      none={t("monitors.chart.none")}
      {...{ ranges, chosen, window, error }}
      points={data?.points}
      chart={(points) =>
        data && (
          <ResponseChart
            {...{ points, window, interval, outages, onSelect }}
            label={isSpan(covered) ? format.shortRange(covered.from, covered.to) : t(`range.${covered}`)}
            summary={data.summary}
            gaps={data.gaps}
          />
        )
      }
    />
  );
  if (!imported) return chart;
  const source = IMPORT_SOURCES[imported.source];
  return (
    <>
      {chart}
      <p className="soft small">{t("monitors.chart.imported", { source, day: format.day(imported.until) })}</p>
    </>
  );
}

const spans = ["24h", "7d", "30d", "90d"] as const;

/** The part of a span that has to be watched for its uptime to be shown without the watched time. */
const ALMOST_ALL = 0.99;
const MINUTE = 60;
const HOUR = 3600;
const SECONDS_A_DAY = 86_400;

type UptimeProps = { id: number; span: (typeof spans)[number]; availability: MonitorDetail["availability"]["24h"] };

/** The uptime of a span, with the share that could be watched, and the watched time of a monitor that is newer or was paused. */
function Uptime({ id, span, availability: { uptime, watched: share, watched_seconds: watched } }: UptimeProps) {
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
      <dt>
        {t("monitors.detail.uptimes")} · {t(`monitors.detail.uptime.${span}`)}
      </dt>
      <dd>
        {format.percent(uptime)}
        <Watched share={share} />
        {isPart && <small> {t("monitors.detail.watched", { duration: format.duration(whole) })}</small>}
        {span === "30d" && (
          <small>
            <Link href={`${paths.reports}?scope=monitor:${id}`}>{t("outages.report")}</Link>
          </small>
        )}
      </dd>
    </div>
  );
}

/** The figure of kinds whose status and response time do not show it: days, lost packets or the next report. */
function OwnFigure({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, packet_loss, heartbeat } = monitor;
  const due = heartbeat?.expected_at;
  const expiry = expiryOf(monitor);
  const { passive, isCertificate, expires } = kindOf(kind);
  const [label, value, note] =
    packet_loss !== null
      ? [t("kinds.ping.loss"), format.share(packet_loss), t("kinds.ping.lossOf")]
      : passive && due
        ? [t("kinds.heartbeat.due"), format.ago(due), format.moment(due)]
        : isCertificate && expiry
          ? [
              t(expires === "domain" ? "kinds.domain.expires" : "monitors.detail.certificate"),
              format.ago(wholeDays(expiry)),
              format.day(expiry),
            ]
          : [];
  if (!label) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        <small>{note}</small>
      </dd>
    </div>
  );
}

/** The records that are shown of a DNS answer. The number of the others follows. */
const SHOWN_RECORDS = 8;

/** The records of the last check. */
function Records({ monitor: { config, records } }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!records) return null;
  const rest = records.slice(SHOWN_RECORDS);
  return (
    <div className="records">
      <dt>{t("kinds.dns.records", { type: Object(config).type })}</dt>
      <dd>
        {records.slice(0, SHOWN_RECORDS).map((record) => (
          <code key={record} className="truncate" title={record}>
            {record}
          </code>
        ))}
        {rest.length > 0 && <small title={rest.join("\n")}>+{format.number(rest.length)}</small>}
      </dd>
    </div>
  );
}

export function OverviewTab({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const words = useMonitorWords();
  const format = useFormat();
  const { Panel, Latest, passive } = kindOf(monitor.kind);
  const hasTimes = !passive || monitor.checks.some(({ response_time }) => response_time !== null);
  const responseLabel = useResponseLabel(monitor.kind);
  const sinceOf = useSince();
  const since = monitor.unknown?.since ?? monitor.since;
  const outage = monitor.unknown ? undefined : shownOutage(monitor);
  return (
    <div className="stack">
      {Panel && (
        <Suspense fallback={<Skeleton heights={["12rem"]} />}>
          <Panel monitor={monitor} />
        </Suspense>
      )}
      <dl className="card stats">
        <Records monitor={monitor} />
        <OwnFigure monitor={monitor} />
        <div>
          <dt>{t("monitors.column.status")}</dt>
          <dd>
            {words.status(monitor)}
            {since && <small>{outage ? sinceOf(outage) : t("problems.since", { time: format.moment(since) })}</small>}
          </dd>
        </div>
        {hasTimes && (
          <div>
            <dt>{responseLabel}</dt>
            <dd>{format.milliseconds(monitor.response_time)}</dd>
          </div>
        )}
        <div>
          <dt>{t(passive ? "kinds.heartbeat.last" : "monitors.detail.lastCheck")}</dt>
          <dd>
            {monitor.last_checked ? (
              <Ago time={monitor.last_checked} />
            ) : (
              t(passive ? "kinds.heartbeat.noPings" : "monitors.never")
            )}
          </dd>
        </div>
        {spans.map((span) => (
          <Uptime key={span} id={monitor.id} span={span} availability={monitor.availability[span]} />
        ))}
      </dl>
      <RecentChecks monitor={monitor} />
      {Latest && (
        <Suspense fallback={<Skeleton heights={["18rem"]} />}>
          <Latest monitor={monitor} />
        </Suspense>
      )}
      {hasTimes && <ResponsePanel monitor={monitor} />}
      <ObjectiveCard monitor={monitor} />
      <OutageList outages={monitor.outages} />
      <Info monitor={monitor} />
    </div>
  );
}

function RecentChecks({ monitor: { kind, history, checks, active, unknown } }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const times = new Map(checks.map(({ id, response_time }) => [id, response_time]));
  return (
    <section className="card history-bar">
      <div className="section-head">
        <h2>{t(kindOf(kind).passive ? "kinds.heartbeat.recent" : "monitors.detail.recent")}</h2>
      </div>
      <PulseBar
        history={history.map((beat) => ({ ...beat, response_time: times.get(beat.id) }))}
        unknown={unknown}
        count={40}
        paused={!active}
        explore
        ends
      />
    </section>
  );
}

function Info({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { interval, timeout, created_at } = monitor;
  const { facts, passive, expires } = kindOf(monitor.kind);
  const { target, rules = [] } = facts(monitor, t);
  const certificate = expiryOf(monitor) && {
    label: t(expires === "domain" ? "kinds.domain.expires" : "monitors.detail.certificate"),
    value: <CertificateExpiry monitor={monitor} />,
  };
  return (
    <section className="card">
      <div className="section-head">
        <h2>{t("monitors.detail.info")}</h2>
      </div>
      <Facts
        facts={[
          ...target,
          ...(passive
            ? []
            : [
                { label: t("monitors.detail.interval"), value: format.seconds(interval) },
                { label: t("monitors.detail.timeout"), value: format.seconds(timeout) },
              ]),
          ...rules,
          ...useRegistrationFacts(monitor),
          { label: t("monitors.detail.created"), value: format.dateTime(created_at) },
          ...(certificate ? [certificate] : []),
        ]}
      />
    </section>
  );
}
