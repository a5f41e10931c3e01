import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type uPlot from "uplot";
import { timeWindow } from "../../../lib/charts/series";
import { Plot } from "../../../ui/charts/plot";
import { useFormat } from "../../../ui/hooks/use-format";
import { type Range, rangeDays } from "../calls";
import { metricOptions } from "./metric-options";
import { type Chart, metricsOf, type Row, toColumns, totals } from "./metrics";

type Props = { chart: Chart; rows: readonly Row[]; range: Range };

export function MetricChart({ chart, rows, range }: Props) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [place, setPlace] = useState<number | null>();
  const metrics = metricsOf[chart];
  const value = chart === "network" ? format.rate : format.share;
  const data = useMemo(() => toColumns(rows, metrics) as uPlot.AlignedData, [rows, metrics]);
  const options = useCallback(
    (width: number) => {
      const window = timeWindow(rows, rangeDays[range], Date.now());
      return metricOptions({ chart, width, window }, { locale: i18n.language, label: value }, setPlace);
    },
    [chart, rows, range, i18n.language, value],
  );

  const sums = metrics.map((metric) => ({ metric, ...totals(rows, metric) }));
  const summary = sums
    .map(({ metric, average, peak }) =>
      t("agents.chart.summary", {
        metric: t(`agents.chart.metric.${metric}`),
        average: value(average),
        peak: value(peak),
      }),
    )
    .join("; ");
  const peaks = sums.map(({ peak }) => peak).filter((peak) => peak !== null);
  const row = (typeof place === "number" && rows[place]) || rows.at(-1);

  return (
    <section className="card metric-chart">
      <div className="section-head">
        <h3>{t(`agents.resource.${chart}`)}</h3>
        <span className="soft small figure">
          {t("agents.chart.peak", { peak: value(peaks.length > 0 ? Math.max(...peaks) : null) })}
        </span>
      </div>
      <p className="chart-legend" aria-hidden="true">
        {row && <span>{format.dateTime(row.t)}</span>}
        {metrics.map((metric) => (
          <span key={metric} className={`key ${metric}`}>
            {t(`agents.chart.metric.${metric}`)} <b>{value(row?.point?.[metric] ?? null)}</b>
          </span>
        ))}
      </p>
      <Plot data={data} options={options} label={`${t(`agents.resource.${chart}`)}. ${summary}`} />
    </section>
  );
}
