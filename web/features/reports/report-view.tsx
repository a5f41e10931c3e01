import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { DAY } from "../../../src/shared/limits";
import { isMonth } from "../../lib/day-range";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { Empty } from "../../ui/feedback/empty";
import { useFormat } from "../../ui/hooks/use-format";
import { datesIn, noon } from "../../ui/hooks/use-period-text";
import type { Report } from "./api";
import { LongOutages, Upcoming } from "./outlook";
import { ReportTable } from "./report-table";

/** `linked`: with links to monitors, servers and outages, which visitors do not see. */
type Props = { report: Report; linked: boolean };

/** A report without its head, as the console and the page of a link show it. */
export function ReportView({ report, linked }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { targets, zone, now, maintenance_seconds } = report;
  if (targets.total === 0)
    return (
      <Empty heading="h2" icon="page" title={t("reports.empty")} text={t("reports.emptyText")}>
        {linked && (
          <Link href={paths.monitorCreate} className="button plain">
            {t("monitors.create")}
          </Link>
        )}
      </Empty>
    );
  return (
    <>
      <Figures report={report} />
      {targets.watched === 0 && (
        <p className="message">
          <Icon name="unknown" />
          <span>{t("reports.nothingKnown")}</span>
        </p>
      )}
      <ReportTable report={report} linked={linked} />
      {targets.counted < targets.total && (
        <p className="soft small">{t("reports.counted", { shown: targets.counted, total: targets.total })}</p>
      )}
      <div className="report-outlook">
        <LongOutages report={report} linked={linked} />
        <Upcoming report={report} linked={linked} />
      </div>
      <p className="soft small report-foot">
        {t("reports.foot", { zone, time: format.dateTime(now) })}
        {maintenance_seconds > 0 && ` · ${t("reports.leftOut", { time: format.elapsed(maintenance_seconds) })}`}
      </p>
    </>
  );
}

/** A time of at least a day as days with a decimal: "30.9 days". */
const useWatchedText = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return (seconds: number): string =>
    seconds < 86_400 ? format.elapsed(seconds) : t("reports.days", { number: format.number(seconds / 86_400, 1) });
};

/** The name of the period before: its month, or "7 days before". */
const useBeforeText = () => {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  return ({ zone, before, from, to, now }: Report): string => {
    const dates = datesIn(zone, before);
    if (isMonth(dates))
      return new Intl.DateTimeFormat(i18n.language, { month: "short" }).format(new Date(noon(dates.from)));
    // A period that lasts is compared with as many days as it has so far.
    const shown = datesIn(zone, { from, to: to < now ? to : now });
    const count = Math.max(1, (Date.parse(shown.to) - Date.parse(shown.from)) / DAY + 1);
    return t("reports.before", { count, number: format.number(count) });
  };
};

/** The uptime of all targets, what the target allows, and the time that both are about. */
function Uptime({ report: { totals, targets }, before }: { report: Report; before: string | false }) {
  const { t } = useTranslation();
  const format = useFormat();
  const watchedText = useWatchedText();
  const { uptime, target, watched_seconds } = totals;
  const time = watchedText(watched_seconds / Math.max(1, targets.watched));
  return (
    <>
      {format.percent(uptime)}{" "}
      {target && uptime !== null && (
        <span className={`report-verdict ${target.met ? "report-met" : "report-missed"}`}>
          {t(target.met ? "reports.met" : "reports.missed", { target: format.number(target.percent, 3) })}
        </span>
      )}
      {target && uptime !== null && (
        <small className="report-budget">
          {t(target.left_seconds < 0 ? "reports.over" : "reports.left", {
            left: format.elapsed(target.left_seconds),
            down: format.elapsed(target.allowed_seconds - target.left_seconds),
            allowed: format.elapsed(target.allowed_seconds),
          })}
        </small>
      )}
      {targets.watched > 0 && (
        <small>{t(targets.watched > 1 ? "reports.watchedEach" : "reports.watched", { time })}</small>
      )}
      {before && <small>{before}</small>}
    </>
  );
}

/** The four figures of all targets. */
function Figures({ report }: { report: Report }) {
  const { t } = useTranslation();
  const format = useFormat();
  const earlier = useBeforeText()(report);
  const { totals, outages, zone } = report;
  const [longest] = outages;
  const compared = (value: string) => t("common.labelled", { label: earlier, value });
  return (
    <dl className="card stats report-figures">
      <div>
        <dt>{t("reports.figures.uptime")}</dt>
        <dd>
          <Uptime
            report={report}
            before={totals.before.uptime !== null && compared(format.percent(totals.before.uptime))}
          />
        </dd>
      </div>
      <div>
        <dt>{t("reports.figures.outages")}</dt>
        <dd>
          {format.number(totals.outages)}
          <small>{compared(format.number(totals.before.outages))}</small>
        </dd>
      </div>
      <div>
        <dt>{t("reports.figures.longest")}</dt>
        <dd>
          {longest ? format.elapsed(longest.seconds) : "–"}
          {longest && (
            <small>
              {longest.target_name},{" "}
              {format.shortDay(noon(datesIn(zone, { from: longest.started_at, to: longest.started_at }).from))}
            </small>
          )}
        </dd>
      </div>
      <div>
        <dt>{t("reports.figures.p95")}</dt>
        <dd>
          {format.milliseconds(totals.p95)}
          {totals.before.p95 !== null && <small>{compared(format.milliseconds(totals.before.p95))}</small>}
        </dd>
      </div>
    </dl>
  );
}
