import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { PulseBar } from "../../../ui/charts/pulse-bar";
import { Ago } from "../../../ui/feedback/ago";
import { Elapsed } from "../../../ui/feedback/elapsed";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { useFormat } from "../../../ui/hooks/use-format";
import { useMonitorWords } from "../../../ui/hooks/use-monitor-words";
import { OutageList } from "../../outages/outage-list";
import type { MonitorDetail } from "../api";
import type { Fact } from "../form/kinds/kind";
import { kindOf } from "../form/kinds/registry";
import { CertificateExpiry, expiryOf, expiryTone, wholeDays } from "./certificate";
import { ResponsePanel, useResponseLabel } from "./response-panel";
import { shownOutage } from "./shown-outage";
import { UptimeCard } from "./uptime-card";

type Props = { monitor: MonitorDetail };

/** Whether a monitor has durations: a job does if it reports them. */
const hasTimes = ({ kind, checks }: MonitorDetail): boolean =>
  !kindOf(kind).passive || checks.some(({ response_time }) => response_time !== null);

export function OverviewTab({ monitor }: Props) {
  const { Panel, Latest } = kindOf(monitor.kind);
  return (
    <div className="stack">
      <div className="overview-cards">
        <ChecksCard monitor={monitor} />
        <UptimeCard monitor={monitor} />
      </div>
      {Panel && (
        <Suspense fallback={<Skeleton heights={["12rem"]} />}>
          <Panel monitor={monitor} />
        </Suspense>
      )}
      {Latest && (
        <Suspense fallback={<Skeleton heights={["18rem"]} />}>
          <Latest monitor={monitor} />
        </Suspense>
      )}
      {hasTimes(monitor) && <ResponsePanel monitor={monitor} />}
      <OutageList outages={monitor.outages} />
    </div>
  );
}

/** The latest checks as a bar, the figures of the last one, and how a monitor is checked. */
function ChecksCard({ monitor }: Props) {
  const { t } = useTranslation();
  const { kind, history, checks, active, unknown } = monitor;
  const times = new Map(checks.map(({ id, response_time }) => [id, response_time]));
  return (
    <section className="card history-bar">
      <div className="section-head">
        <h2>{t(kindOf(kind).passive ? "kinds.heartbeat.recent" : "monitors.detail.recent")}</h2>
      </div>
      <PulseBar
        history={history.map((beat) => ({ ...beat, response_time: times.get(beat.id) }))}
        unknown={unknown}
        maintenance={monitor.maintenance_times}
        count={40}
        paused={!active}
        explore
        ends
      />
      <Figures monitor={monitor} />
      <Settings monitor={monitor} />
    </section>
  );
}

function Figures({ monitor }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, response_time, last_checked, unknown } = monitor;
  const { passive } = kindOf(kind);
  const responseLabel = useResponseLabel(kind);
  return (
    <dl className="key-figures">
      <Records monitor={monitor} />
      <OwnFigure monitor={monitor} />
      <State monitor={monitor} />
      {hasTimes(monitor) && (
        <div>
          <dt>{responseLabel}</dt>
          <dd>{format.milliseconds(response_time)}</dd>
        </div>
      )}
      <div>
        <dt>{t(passive ? "kinds.heartbeat.last" : "monitors.detail.lastCheck")}</dt>
        <dd>
          {!last_checked && t(passive ? "kinds.heartbeat.noPings" : "monitors.never")}
          {last_checked && (unknown ? format.moment(last_checked) : <Ago time={last_checked} />)}
        </dd>
      </div>
    </dl>
  );
}

/** The state and its duration. Of an outage and an unknown state the line above the tabs has them. */
function State({ monitor }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useMonitorWords();
  const { unknown, since } = monitor;
  if (unknown || since === null || shownOutage(monitor)) return null;
  return (
    <div>
      <dt>{words.status({ ...monitor, maintenance: null })}</dt>
      <dd>
        <Elapsed since={since} />
        <small>{t("problems.since", { time: format.moment(since) })}</small>
      </dd>
    </div>
  );
}

/** The figure of kinds whose status and response time do not show it: days, lost packets or the next report. */
function OwnFigure({ monitor }: Props) {
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
        <span className={isCertificate && expiryTone(monitor)}>{value}</span>
        <small>{note}</small>
      </dd>
    </div>
  );
}

/** The records that are shown of a DNS answer. The number of the others follows. */
const SHOWN_RECORDS = 8;

/** The records of the last check. */
function Records({ monitor: { config, records } }: Props) {
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

/** The settings that the head does not have, in lines of text; all of them are in the tab "About". */
function Settings({ monitor }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, target: shownAbove, interval, timeout, created_at } = monitor;
  const { facts, passive, isCertificate } = kindOf(kind);
  const { target, rules = [] } = facts(monitor, t);
  const settings: Fact[] = [
    ...target.filter(({ label, value }) => label !== t("monitors.detail.kind") && value !== shownAbove),
    ...(passive
      ? []
      : [
          { label: t("monitors.detail.interval"), value: format.seconds(interval) },
          { label: t("monitors.detail.timeout"), value: format.seconds(timeout) },
        ]),
    ...rules.filter(({ wide }) => !wide),
    ...(expiryOf(monitor) && !isCertificate
      ? [{ label: t("monitors.detail.certificate"), value: <CertificateExpiry monitor={monitor} /> }]
      : []),
    { label: t("monitors.detail.created"), value: format.dateTime(created_at) },
  ];
  return (
    <dl className="brief">
      {settings.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt> <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
