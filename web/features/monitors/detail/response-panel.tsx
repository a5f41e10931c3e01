import { useAtom } from "jotai";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { IMPORT_SOURCES } from "../../../../src/shared/transfer/sources";
import { hubNow } from "../../../lib/now";
import { later, preload } from "../../../lib/offline/code";
import { useRefreshOn } from "../../../lib/resource";
import { bandsOf } from "../../../ui/charts/chart-gaps";
import { ChartPanel } from "../../../ui/charts/chart-panel";
import { coveredBy, isSpan, windowOf } from "../../../ui/charts/chart-range";
import { useChartRange } from "../../../ui/charts/use-chart-range";
import { useFormat } from "../../../ui/hooks/use-format";
import { type MonitorDetail, type Range, ranges, seriesAtom, seriesKey } from "../api";
import { kindOf } from "../form/kinds/registry";

const ResponseChart = later(() => import("./response-chart"));

const FIRST_RANGE: Range = "24h";

/** Loads the chart that the page begins with, and its data. */
export const prepareChart = async (id: string): Promise<void> => {
  const covered = coveredBy(new URLSearchParams(location.search), FIRST_RANGE);
  await Promise.all([preload(ResponseChart), seriesAtom(seriesKey(Number(id), covered)).prepare()]);
};

/** The label of a monitor's response time. */
export const useResponseLabel = (kind: string): string => {
  const { t } = useTranslation();
  return kindOf(kind).responseLabel?.(t) ?? t("monitors.detail.response");
};

/** The chart of a monitor's response times. */
export function ResponsePanel({ monitor }: { monitor: MonitorDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, kind, interval, last_checked, unknown, outages, imported } = monitor;
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
            gaps={bandsOf(data.gaps, data.maintenance)}
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
