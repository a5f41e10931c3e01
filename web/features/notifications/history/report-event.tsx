import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { useFormat } from "../../../ui/hooks/use-format";
import { datesIn, usePeriodText } from "../../../ui/hooks/use-period-text";
import type { StoredEvent } from "./api";
import { Deliveries } from "./deliveries";

/** A scheduled report, with its deliveries. */
export function ReportEvent({ event: { at, target, report, deliveries } }: { event: StoredEvent }) {
  const { t } = useTranslation();
  const format = useFormat();
  const periodText = usePeriodText();
  const dates = report && datesIn(report.zone, report);
  const search = dates && new URLSearchParams({ ...dates, ...(report.scope !== "all" && { scope: report.scope }) });
  const title = dates
    ? t("notifications.history.report", { period: periodText(dates) })
    : t("notifications.history.reportUntitled");
  return (
    <article className="event event-row">
      <time className="event-time" dateTime={at} title={format.dateTime(at)}>
        {format.clock(at)}
      </time>
      <header>
        <Icon name="page" className="mark" />
        <h3 className="truncate" title={target.name}>
          {target.name}
        </h3>
      </header>
      <p className="event-what">{search ? <Link href={`${paths.reports}?${search}`}>{title}</Link> : title}</p>
      <div className="event-sent">
        <Deliveries deliveries={deliveries} />
      </div>
    </article>
  );
}
